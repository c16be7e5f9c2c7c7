import type { Role } from './need.ts';

/** A key and the model that it calls. */
export interface Actor {
  readonly key: string;
  readonly model: string;
  /** Whether the key is bound to the model; else a body names it. */
  readonly isBound: boolean;
}

/** What is known of a gateway before the cases run. */
export interface Survey {
  readonly base: string;
  /** The brand on the wire. */
  readonly brand: string;
  readonly actors: ReadonlyMap<Role, Actor>;
  readonly capabilities: ReadonlySet<string>;
  readonly directives: boolean;
  readonly strict: boolean;
  /** Whether `/account/balance` shows the wallet. */
  readonly hasBalance: boolean;
  /** The project of the chat key, where a chat told it. */
  readonly projectId: string | null;
  /** What one short chat costs, where it was tried. */
  readonly probeCredits: number | null;
}
