/** A time by which something has to be over, told by a signal. */
export interface Deadline {
  /** Aborts at the time, or when the caller gives up. */
  readonly signal: AbortSignal;
  readonly hasPassed: () => boolean;
  /** Must be called when the thing is over: until then a timer runs. */
  readonly end: () => void;
}

/** Starts the time now. Abortion by the caller's signal counts as giving up, not as time that has passed. */
export const startDeadline = (afterMs: number, outer: AbortSignal | undefined): Deadline => {
  const controller = new AbortController();
  let passed = false;
  const giveUp = (): void => controller.abort();
  const timer = setTimeout(() => {
    passed = true;
    giveUp();
  }, afterMs);
  outer?.addEventListener('abort', giveUp, { once: true });
  if (outer?.aborted === true) giveUp();
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', giveUp);
    },
  };
};

/** Waits no longer than the signal allows; returns undefined where it aborted first. What is waited for goes on unwatched. */
export const waitUnless = <T>(signal: AbortSignal, promise: Promise<T>): Promise<T | undefined> => {
  const waiting = Promise.withResolvers<T | undefined>();
  const stop = (): void => waiting.resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  promise.then(waiting.resolve, waiting.reject).finally(() => signal.removeEventListener('abort', stop));
  return waiting.promise;
};
