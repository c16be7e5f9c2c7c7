/** The identity of an operation that a history may open; fixed for the history, so that every command knows it. */
export interface Slot {
  readonly operationId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly identity: string | null;
}

/** What a call used, for the commands that price. */
export interface UsedUnits {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** A command as a history has it. Amounts are plain numbers of micro-credits, so that the model shares no arithmetic with the engine. */
export type CommandBody =
  | {
      readonly kind: 'open';
      readonly slot: Slot;
      readonly fingerprint: string;
      readonly hold: number;
      readonly refused: boolean;
      readonly owner: string;
    }
  | { readonly kind: 'extend'; readonly slot: Slot; readonly hold: number }
  | { readonly kind: 'capture'; readonly slot: Slot; readonly sequence: number; readonly amount: number }
  | {
      readonly kind: 'settle';
      readonly slot: Slot;
      readonly measured: number;
      readonly answered: boolean;
      readonly overrun: 'pending' | 'absorb';
      readonly anomalyId: string;
    }
  | { readonly kind: 'fail'; readonly slot: Slot; readonly anomalyId: string }
  | {
      readonly kind: 'doubt';
      readonly slot: Slot;
      readonly answered: boolean;
      /** The owner a sweep saw, or null for the owner's own word. */
      readonly expiredOwner: string | null;
    }
  | {
      readonly kind: 'resolve';
      readonly slot: Slot;
      readonly verdict: 'failed' | 'executed';
      /** Null charges what is waiting. */
      readonly measured: number | null;
      readonly anomalyId: string;
    }
  | {
      readonly kind: 'deposit' | 'compensate';
      readonly accountId: string;
      readonly amount: number;
      readonly reference: string;
    }
  | { readonly kind: 'renew'; readonly slots: readonly Slot[]; readonly owner: string }
  | { readonly kind: 'purge'; readonly slot: Slot; readonly owner: string | null }
  | {
      readonly kind: 'access';
      readonly of: 'key';
      readonly id: string;
      readonly status: 'active' | 'inactive' | 'revoked';
    }
  | {
      readonly kind: 'access';
      readonly of: 'project';
      readonly id: string;
      readonly status: 'active' | 'paused' | 'blocked';
    }
  | {
      readonly kind: 'access';
      readonly of: 'account';
      readonly id: string;
      readonly status: 'active' | 'inactive' | 'blocked';
    }
  | { readonly kind: 'price'; readonly used: UsedUnits; readonly rounding: 'up' | 'half_up' };

export interface Command {
  readonly body: CommandBody;
  /** How far the store's clock moves before it. */
  readonly waitMs: number;
  /** The place of the earlier command that this one is again, or null. */
  readonly repeatOf: number | null;
}

export interface History {
  readonly slots: readonly Slot[];
  readonly commands: readonly Command[];
}

/** How long stored answers and records are kept in histories: short, so that retention happens within them. */
export const answerKeptMs = 6;
export const recordKeptMs = 12;
export const leaseMs = 5;
export const retryMs = 3;

/** Who may open operations: two projects that share one account, and one of another account. */
export const places = [
  { projectId: 'p1', keyId: 'k1', accountId: 'a1' },
  { projectId: 'p2', keyId: 'k2', accountId: 'a1' },
  { projectId: 'p3', keyId: 'k3', accountId: 'a2' },
] as const;

/** One line for a failure message. */
export const printCommand = ({ body, waitMs, repeatOf }: Command): string => {
  const again = repeatOf === null ? '' : ` again#${repeatOf}`;
  const wait = waitMs === 0 ? '' : ` +${waitMs}ms`;
  return `${body.kind}${again}${wait} ${JSON.stringify(body, (key, value: unknown) => (key === 'kind' ? undefined : value))}`;
};
