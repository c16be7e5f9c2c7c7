import type { CallContext } from '@tollgate/provider';
import type { Engine } from '../engine.ts';

const tooLate = (): Error => new Error('the provider took longer than it may');

/** Turns of the queue of promises in which a provider that hears its signal can say what became of the call. */
const lastWordTurns = 64;

/**
 * Makes a call to a provider that may take so long at the most, and no longer than the work is ours. Rejects then even where the
 * provider does not look at its signal; what one says that does, such as that nothing was handed over, counts.
 */
export const callInTime = async <T>(
  engine: Engine,
  context: CallContext,
  ms: number,
  call: (context: CallContext) => Promise<T>,
): Promise<T> => {
  const late = new AbortController();
  const signal = AbortSignal.any([context.signal, late.signal]);
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  // A call that throws at once leaves no promise.
  givenUp.catch(() => undefined);
  const giveUp = async (): Promise<void> => {
    for (let turn = 0; turn < lastWordTurns; turn += 1) await Promise.resolve();
    reject(signal.reason instanceof Error ? signal.reason : tooLate());
  };
  const onAbort = (): void => void giveUp();
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const cancelTimer = engine.clock.after(ms, () => late.abort(tooLate()));
  try {
    return await Promise.race([call({ ...context, signal }), givenUp]);
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', onAbort);
  }
};
