import { createContext, Script, type Context } from 'node:vm';

export type Bounded<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'timed_out' };

interface Slot {
  run: (() => void) | undefined;
}

const script = new Script('slot.run()');
const slot: Slot = { run: undefined };
// Made on first use: most processes never need it.
let made: Context | undefined;

/** The error is one of the other context, so `instanceof` says nothing of it. */
const isTimeOut = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs synchronous work and breaks it off after so many milliseconds, wherever it is: in a pattern that backtracks as well as
 * in a loop. What it throws is thrown on. The work must be pure, as it may end between any two steps, without its `finally`.
 * Not a sandbox: the work is trusted, only its input is not.
 */
export const runBounded = <T>(msMax: number, work: () => T): Bounded<T> => {
  let outcome: Bounded<T> = { kind: 'timed_out' };
  made ??= createContext({ slot });
  slot.run = () => {
    outcome = { kind: 'done', value: work() };
  };
  try {
    script.runInContext(made, { timeout: msMax });
  } catch (cause) {
    if (!isTimeOut(cause)) throw cause;
  } finally {
    slot.run = undefined;
  }
  return outcome;
};
