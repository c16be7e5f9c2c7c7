/** Lets promises run as far as they can without the scheduler. */
export interface Lockstep {
  readonly tick: () => Promise<void>;
  /** Waits for a whole chain of calls that nothing holds back. */
  readonly rest: () => Promise<void>;
}

/** Calls that follow one another when a history ends, at the most. */
const chainedCalls = 16;

export interface LockstepOptions {
  /** Turns of the event loop that the store takes for one call; 1 by default. */
  readonly turnsPerTick?: number;
  /** Resolves when no call is on its way to a store outside the process, which takes real time. */
  readonly atRest?: () => Promise<void>;
}

/**
 * Turns of the event loop for all histories that wait for one: promises of many histories run out together, which makes the
 * turn, the only thing here that costs real time, almost free. A store that takes turns of its own needs several a tick.
 */
export const createLockstep = ({ turnsPerTick = 1, atRest }: LockstepOptions = {}): Lockstep => {
  let waiting: (() => void)[] = [];
  const notifyAll = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  const turn = (): void => void (atRest === undefined ? notifyAll() : atRest().then(notifyAll));
  const oneTurn = (): Promise<void> =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(turn);
      waiting.push(resolve);
    });
  const manyTurns = async (): Promise<void> => {
    for (let turns = 0; turns < turnsPerTick; turns += 1) await oneTurn();
  };
  if (turnsPerTick === 1) return { tick: oneTurn, rest: oneTurn };
  const rest = async (): Promise<void> => {
    for (let calls = 0; calls < chainedCalls; calls += 1) await manyTurns();
  };
  return { tick: manyTurns, rest };
};
