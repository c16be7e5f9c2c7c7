import type { UsageUnit } from '@tollgate/provider';
import type { Sending } from './sending.ts';

/** Everything that the protocol remembers of one socket. */
export type SessionState =
  /** For the first frame. */
  | { readonly phase: 'waiting' }
  /** Whether the access is good is being asked; the client may have gone meanwhile. */
  | { readonly phase: 'authenticating'; readonly clientOpen: boolean }
  /** The upstream is opening its side. */
  | { readonly phase: 'connecting'; readonly clientOpen: boolean; readonly sending: Sending }
  | { readonly phase: 'open'; readonly used: Used; readonly sending: Sending }
  /** Closed towards the client; the upstream has its last word on what was used. */
  | { readonly phase: 'finishing'; readonly used: Used }
  | { readonly phase: 'ended' };

/** What the session has used so far. */
export interface Used {
  readonly units: ReadonlyMap<UsageUnit, number>;
  /** Of music that was sent. */
  readonly audioBytes: number;
  /** Of these, how many were noted. */
  readonly recordedBytes: number;
}

export const firstState: SessionState = { phase: 'waiting' };

export const nothingUsed: Used = { units: new Map(), audioBytes: 0, recordedBytes: 0 };
