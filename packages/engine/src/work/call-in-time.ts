import type { CallContext } from '@tollgate/provider';
import type { Engine } from '../engine.ts';

const tooLate = (): Error => new Error('the provider took longer than it may');

/**
 * Makes a call to a provider that may take so long at the most, and no longer than the work is ours. Rejects then even where the
 * provider does not look at its signal.
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
  const giveUp = (): void => reject(signal.reason instanceof Error ? signal.reason : tooLate());
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });
  const callOff = engine.after(ms, () => late.abort(tooLate()));
  try {
    return await Promise.race([call({ ...context, signal }), givenUp]);
  } finally {
    callOff();
    signal.removeEventListener('abort', giveUp);
  }
};
