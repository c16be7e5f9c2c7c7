import type { ErrorCode, LiveKind } from '@tollgate/contract';
import type { LiveUseOutcome, LiveSent } from '@tollgate/engine';
import type { Usage } from '@tollgate/provider';
import type { SentCredits } from './sent-credits.ts';

export type SessionTimer = 'first_frame' | 'connect' | 'finish' | 'time' | 'length';

/** Whatever can happen to a session. */
export type SessionInput =
  /** A text frame, as its UTF-8. */
  | { readonly kind: 'frame'; readonly utf8: Buffer }
  | { readonly kind: 'binary_frame' }
  | { readonly kind: 'client_closed' }
  /** The client reads too slowly, or gives no sign of life. */
  | { readonly kind: 'client_stalled' }
  | { readonly kind: 'access_taken'; readonly sessionKind: LiveKind; readonly operationLedger: SentCredits }
  | { readonly kind: 'access_refused' }
  /** The access was good, and its caller runs as much as it may: the session ends before it began. */
  | { readonly kind: 'access_limited'; readonly code: ErrorCode; readonly detail?: string | undefined }
  /** The storage could not say. */
  | { readonly kind: 'access_unknown' }
  | { readonly kind: 'upstream_open' }
  | { readonly kind: 'upstream_failed'; readonly executed: 'no' | 'unknown' }
  /** `audioBytes` is how much music it holds. */
  | { readonly kind: 'upstream_message'; readonly text: string; readonly audioBytes: number }
  /** A message that is passed on unread. */
  | { readonly kind: 'upstream_bytes'; readonly utf8: Uint8Array }
  | { readonly kind: 'upstream_usage'; readonly usage: readonly Usage[] }
  | { readonly kind: 'upstream_stalled' }
  | { readonly kind: 'upstream_closed'; readonly cause: 'ended' | 'lost'; readonly measured: boolean }
  /** `measured` is what was sent and is counted in the use that was noted. */
  | { readonly kind: 'recorded'; readonly outcome: LiveUseOutcome; readonly measured: LiveSent }
  /** The hold came back that was asked for with `cover`. */
  | { readonly kind: 'held'; readonly outcome: LiveUseOutcome }
  | { readonly kind: 'timer'; readonly timer: SessionTimer }
  /** The service is about to stop. */
  | { readonly kind: 'drain' };
