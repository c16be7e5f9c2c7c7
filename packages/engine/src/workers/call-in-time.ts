import type { CallContext } from '@tollgate/provider';
import type { Engine } from '../engine.ts';
import { withDeadline } from './with-deadline.ts';

const tooLate = (): Error => new Error('the provider took longer than it may');

/**
 * Makes a call to a provider that may take so long at the most, and no longer than the work is ours. Rejects then even where the
 * provider does not look at its signal; what one says that does, such as that nothing was handed over, counts.
 */
export const callInTime = <T>(
  { clock }: Pick<Engine, 'clock'>,
  context: CallContext,
  ms: number,
  call: (context: CallContext) => Promise<T>,
): Promise<T> =>
  withDeadline(clock, { ms, late: tooLate, signal: context.signal, grace: 'microtasks' }, (signal) =>
    call({ ...context, signal }),
  );
