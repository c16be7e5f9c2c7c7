import type { LiveCovered, LiveSent } from '@tollgate/engine';

/** How the input of a session is paid for before its measure comes. */
export interface SentCredits {
  /** The bound of what input costs; null where it has no price. */
  readonly priceSent: (sent: LiveSent) => bigint | null;
  /** What the hold covers from the beginning. */
  readonly covered: LiveCovered;
}
