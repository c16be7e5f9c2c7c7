import type { LiveClientMessage } from '@tollgate/contract';
import type { LiveCredential, LiveEnd, LiveSent } from '@tollgate/engine';
import type { Usage } from '@tollgate/provider';
import type { CloseReason } from './close-code.ts';
import type { SessionTimer } from './session-input.ts';

/** What is to be done about it, in order. */
export type SessionOutput =
  | { readonly kind: 'send'; readonly text: string }
  | { readonly kind: 'send_bytes'; readonly utf8: Uint8Array }
  | { readonly kind: 'close'; readonly reason: CloseReason }
  /** Cuts the socket off without a word: its peer takes nothing in. */
  | { readonly kind: 'terminate' }
  | { readonly kind: 'take_access'; readonly credential: LiveCredential }
  | { readonly kind: 'connect' }
  | { readonly kind: 'give_up_connect' }
  | { readonly kind: 'to_upstream'; readonly message: LiveClientMessage }
  | { readonly kind: 'close_upstream' }
  /** Makes the use so far durable, and renews the hold. */
  | {
      readonly kind: 'record_use';
      readonly usage: readonly Usage[];
      /** What was sent and is counted in the use. */
      readonly measured: LiveSent;
      /** The bound of what was sent since the last measure. */
      readonly sentMicros: bigint;
    }
  /** Extends the hold for so much input that no measure counts yet. */
  | { readonly kind: 'cover'; readonly sentMicros: bigint }
  /** Ends the operation; once in the life of a session whose access was taken, and never otherwise. */
  | { readonly kind: 'end'; readonly end: LiveEnd }
  | { readonly kind: 'set_timer'; readonly timer: SessionTimer; readonly ms: number }
  | { readonly kind: 'clear_timer'; readonly timer: SessionTimer };
