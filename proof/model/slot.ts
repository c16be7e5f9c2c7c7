import type { ResourceKind } from '@tollgate/contract';

/** What a slot opens: an exchange where nothing is said, else a resource that is worked on later, or a session. */
export type SlotKind = Exclude<ResourceKind, 'agent'> | 'live';

/** The identity of an operation that a history may open; fixed for the history, so that every command knows it. */
export interface Slot {
  readonly operationId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly identity: string | null;
  readonly kind?: SlotKind;
  /** Present where its key may have a cap. */
  readonly capped?: true;
  /** The token that it is opened by, beside its key, and what that may spend in all. */
  readonly token?: { readonly id: string; readonly budget: number };
}

/** Who may open operations: two projects that share one account, and one of another account. */
export const places = [
  { projectId: 'p1', keyId: 'k1', accountId: 'a1' },
  { projectId: 'p2', keyId: 'k2', accountId: 'a1' },
  { projectId: 'p3', keyId: 'k3', accountId: 'a2' },
] as const;

/** How long stored answers and records are kept in histories: short, so that retention happens within them. */
export const answerKeptMs = 6;
export const recordKeptMs = 12;
export const leaseMs = 5;
export const retryMs = 3;

/** When histories begin. */
export const firstMs = 1_000;
