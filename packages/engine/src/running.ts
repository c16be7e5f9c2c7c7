/** An operation that runs here, and the name that its lease is held by. */
export interface RunningOperation {
  readonly id: string;
  readonly owner: string;
}

/** The operations that this process is executing, for renewal and drain. */
export interface Running {
  add(operationId: string, owner: string): void;
  delete(operationId: string): void;
  /** What is present now. */
  list(): readonly RunningOperation[];
  /** What was present at the call before as well: old enough to need a renewal. */
  takeAged(): readonly RunningOperation[];
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
  const present = new Map<string, RunningOperation>();
  let aged: readonly RunningOperation[] = [];
  let unconfirmed: UnconfirmedOpening[] = [];
  const idlers: (() => void)[] = [];
  return {
    add: (id, owner) => void present.set(id, { id, owner }),
    delete: (id) => {
      present.delete(id);
      if (present.size === 0) for (const wake of idlers.splice(0)) wake();
    },
    list: () => [...present.values()],
    takeAged: () => {
      const due = aged.filter((each) => present.get(each.id)?.owner === each.owner);
      aged = [...present.values()];
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
