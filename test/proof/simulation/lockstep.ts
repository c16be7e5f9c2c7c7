/** Lets promises run as far as they can without the scheduler. */
export interface Lockstep {
  readonly tick: () => Promise<void>;
}

/**
 * One turn of the event loop for all histories that wait for one: promises of many histories run out together, which makes
 * the turn, the only thing here that costs real time, almost free.
 */
export const createLockstep = (): Lockstep => {
  let waiting: (() => void)[] = [];
  const turn = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  return {
    tick: () =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(turn);
        waiting.push(resolve);
      }),
  };
};
