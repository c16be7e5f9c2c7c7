/** The operations that this process is executing, for renewal and drain. */
export interface Running {
  add(operationId: string): void;
  delete(operationId: string): void;
  /** The ids present now. */
  list(): readonly string[];
  /** Ids present at the call before as well: those old enough to need a renewal. */
  takeAged(): readonly string[];
  /** An operation whose opening was not confirmed and which was therefore never handed over. */
  addUnconfirmed(operation: UnconfirmedOpening): void;
  takeUnconfirmed(): readonly UnconfirmedOpening[];
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

export interface UnconfirmedOpening {
  readonly operationId: string;
  readonly accountId: string;
  /** The owner that this very opening registers; anybody else's operation is left alone. */
  readonly owner: string;
}

/** Unconfirmed openings remembered at the most; beyond it the lease decides, and the operation becomes uncertain. */
const unconfirmedMax = 10_000;

export const createRunning = (): Running => {
  const present = new Set<string>();
  let aged = new Set<string>();
  let unconfirmed: UnconfirmedOpening[] = [];
  const idlers: (() => void)[] = [];
  return {
    add: (id) => void present.add(id),
    delete: (id) => {
      present.delete(id);
      if (present.size === 0) for (const wake of idlers.splice(0)) wake();
    },
    list: () => [...present],
    takeAged: () => {
      const due = [...aged].filter((id) => present.has(id));
      aged = new Set(present);
      return due;
    },
    addUnconfirmed: (operation) => {
      if (unconfirmed.length >= unconfirmedMax) return;
      const { operationId, accountId, owner } = operation;
      unconfirmed.push({ operationId, accountId, owner });
    },
    takeUnconfirmed: () => {
      const taken = unconfirmed;
      unconfirmed = [];
      return taken;
    },
    idle: () => (present.size === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
};
