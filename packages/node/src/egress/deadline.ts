/** A time by which something has to be over. */
export interface Deadline {
  /** Whether its time has passed, or the caller has given up. */
  readonly isOver: () => boolean;
  readonly hasPassed: () => boolean;
  /** Has this stop what is under way when it is over, in place of what would have been stopped; at once where it is over. */
  readonly stopBy: (stop: () => void) => void;
  /** Must be called when the thing is over: until then a timer runs. */
  readonly end: () => void;
}

const stopNothing = (): void => undefined;

/** Starts the time now. Abortion by the caller's signal counts as giving up, not as time that has passed. */
export const startDeadline = (afterMs: number, outer: AbortSignal | undefined): Deadline => {
  let isOver = false;
  let passed = false;
  let stop = stopNothing;
  const giveUp = (): void => {
    isOver = true;
    stop();
  };
  const timer = setTimeout(() => {
    passed = true;
    giveUp();
  }, afterMs);
  outer?.addEventListener('abort', giveUp, { once: true });
  if (outer?.aborted === true) giveUp();
  return {
    isOver: () => isOver,
    hasPassed: () => passed,
    stopBy: (another) => {
      stop = another;
      if (isOver) stop();
    },
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', giveUp);
    },
  };
};

/** Waits no longer than the deadline allows; returns undefined where it was over first. What is waited for goes on unwatched. */
export const waitUntil = <T>(deadline: Deadline, promise: Promise<T>): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    deadline.stopBy(() => resolve(undefined));
    promise.then(resolve, reject);
  });
