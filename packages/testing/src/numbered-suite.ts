import { BrokenPromise, settledWithin } from './broken-promise.ts';
import { skipTest, type TestRunner } from './test-runner.ts';

/** A case of a suite whose promises have numbers. */
export interface NumberedCase<World, Promised extends string> {
  readonly promise: Promised;
  readonly name: string;
  /** The function of the opening without which the case proves nothing, and is skipped. */
  readonly needs?: 'reopen' | 'die';
  readonly run: (world: World) => Promise<void>;
}

/** How long a case may take, an opening and a closing: what takes longer hangs. */
const caseMsMax = 60_000;

/** Runs a case; a failure names the promise that is broken. */
export const runNumberedCase = async <World, Promised extends string>(
  promises: Readonly<Record<Promised, string>>,
  { promise, run }: NumberedCase<World, Promised>,
  world: World,
  limitMs = caseMsMax,
): Promise<void> => {
  try {
    await settledWithin(limitMs, run(world));
  } catch (cause) {
    throw new BrokenPromise(promise, promises[promise], cause);
  }
};

export interface NumberedSuite<World, Promised extends string> {
  readonly title: string;
  readonly promises: Readonly<Record<Promised, string>>;
  readonly cases: readonly NumberedCase<World, Promised>[];
  /** A world of its own for each case, what the opening has of the functions that cases need, and what frees it. */
  readonly open: () => Promise<{
    readonly world: World;
    readonly has: (needed: 'reopen' | 'die') => boolean;
    readonly close: () => unknown;
  }>;
}

/** Registers a test for each case; the last one prints what went unproved. */
export const describeNumbered = <World, Promised extends string>(
  runner: TestRunner,
  { title, promises, cases, open }: NumberedSuite<World, Promised>,
): void => {
  const unproved = new Map<Promised, string>();
  runner.describe(title, () => {
    for (const one of cases)
      runner.test(`${one.promise}: ${one.name}`, async (...[context]) => {
        const { world, has, close } = await settledWithin(caseMsMax, open());
        try {
          if (one.needs === undefined || has(one.needs)) await runNumberedCase(promises, one, world);
          else {
            unproved.set(one.promise, one.needs);
            skipTest(context, one.name, `the opening has no ${one.needs}`);
          }
        } finally {
          await settledWithin(caseMsMax, Promise.resolve(close()));
        }
      });
    runner.test('prints each promise that was not proved for want of a function of the opening', async () => {
      for (const [promise, needs] of unproved)
        console.info(`${title}: unproved without ${needs}: ${promise}. ${promises[promise]}`);
    });
  });
};
