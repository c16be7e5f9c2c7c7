import type { Clock } from '../engine.ts';

/** When a wait ends, and how. */
export interface Deadline<T> {
  readonly ms: number;
  /** Makes the reason that the signal of the work ends with. Default: an error that says how long the work was given. */
  readonly late?: () => Error;
  /** What the work is part of: its end ends the work. */
  readonly signal?: AbortSignal;
  /**
   * How long work may go on whose signal has ended, to say what became of it: `microtasks` is the time that a caller needs that
   * hears the signal, a number is milliseconds after the deadline. Default: `none`.
   */
  readonly grace?: 'none' | 'microtasks' | 'unlimited' | number;
  /** The result where the work has not ended in time. Default: the wait rejects with the reason. */
  readonly onLate?: () => T;
}

/** Turns of the queue of promises in which a provider that hears its signal can say what became of the call. */
const graceTurns = 64;

const tooLate = (ms: number): Error => new Error(`the work took longer than ${ms} ms`);

const microtasks = async (): Promise<void> => {
  for (let turn = 0; turn < graceTurns; turn += 1) await Promise.resolve();
};

/** One promise for the end of the work and that of the wait: a race would make four, and every call has a deadline. */
const createWait = <T>() => {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let stopWaiting: (() => void) | undefined;
  return {
    promise,
    onEnd: (stop: () => void): void => {
      stopWaiting = stop;
    },
    succeed: (value: T): void => {
      stopWaiting?.();
      resolve(value);
    },
    fail: (cause: unknown): void => {
      stopWaiting?.();
      reject(cause);
    },
  };
};

/**
 * Runs work, and waits for it until its deadline: then its signal ends, and the wait ends though the work goes on. What the work
 * returns or throws within its grace counts.
 */
export const withDeadline = <T>(
  { after }: Pick<Clock, 'after'>,
  { ms, late = () => tooLate(ms), signal, grace = 'none', onLate }: Deadline<T>,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const work = new AbortController();
  const wait = createWait<T>();
  const giveUp = (): void => {
    if (onLate === undefined) wait.fail(work.signal.reason);
    else wait.succeed(onLate());
  };
  const end = (reason: unknown): void => {
    work.abort(reason);
    if (grace === 'microtasks') void microtasks().then(giveUp);
    else if (grace !== 'unlimited') giveUp();
  };
  const onOuterEnd = (): void => end(signal?.reason);
  let cancelTimer = after(ms, () => {
    if (typeof grace !== 'number') return end(late());
    work.abort(late());
    cancelTimer = after(grace, giveUp);
    return undefined;
  });
  wait.onEnd(() => {
    cancelTimer();
    signal?.removeEventListener('abort', onOuterEnd);
  });
  if (signal?.aborted === true) onOuterEnd();
  else signal?.addEventListener('abort', onOuterEnd, { once: true });
  run(work.signal).then(wait.succeed, wait.fail);
  return wait.promise;
};
