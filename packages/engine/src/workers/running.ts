import { markUncertainCommand, partialEvidence } from '../operations/conclude.ts';
import { markUncertainStep } from '../decisions/mark-uncertain.ts';
import type {
  AgedOperations,
  Engine,
  PreparingOperation,
  Running,
  RunningOperation,
  UnconfirmedOpening,
} from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

/** Unconfirmed openings remembered at the most; beyond it the lease decides, and the operation becomes uncertain. */
const unconfirmedMax = 10_000;

const createUnconfirmed = (): Pick<Running, 'addUnconfirmed' | 'takeUnconfirmed'> => {
  let unconfirmed: UnconfirmedOpening[] = [];
  return {
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
  };
};

export const createRunning = (): Running => {
  const present = new Map<string, RunningOperation>();
  const preparing = new Map<string, PreparingOperation>();
  let aged: AgedOperations = { running: [], preparing: [] };
  const idlers: (() => void)[] = [];
  return {
    ...createUnconfirmed(),
    add: (id, owner, sentSoFar) => void present.set(id, { id, owner, sentSoFar }),
    delete: (id) => {
      present.delete(id);
      if (present.size === 0) for (const notify of idlers.splice(0)) notify();
    },
    list: () => [...present.values()],
    takeAged: () => {
      const due = {
        running: aged.running.filter((each) => present.get(each.id)?.owner === each.owner),
        preparing: aged.preparing.filter((each) => preparing.get(each.id)?.owner === each.owner),
      };
      aged = { running: [...present.values()], preparing: [...preparing.values()] };
      return due;
    },
    whilePreparing: async (operation, run) => {
      preparing.set(operation.id, operation);
      try {
        return await run();
      } finally {
        preparing.delete(operation.id);
      }
    },
    idle: () => (present.size === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
};

/**
 * Marks everything still running here as uncertain before the process ends: the holds stay, and no operator has to wait for
 * the leases. What was sent of an answer is kept. Returns how many there were.
 */
export const markRunningUncertain = async (engine: Engine): Promise<number> => {
  const running = engine.running.list();
  await Promise.all(
    running.map(async (operation) => {
      const answer = await partialEvidence(engine, operation.id, operation.sentSoFar?.() ?? null);
      const evidence = answer === null ? null : { usage: null, attempts: [], answer, toolContexts: [] };
      const command = markUncertainCommand(engine, operation.id, evidence, null);
      return commitOnce(engine, markUncertainStep(command));
    }),
  );
  return running.length;
};
