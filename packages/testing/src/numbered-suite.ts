import { BrokenPromise, settledWithin } from './broken-promise.ts';
import { skipTest, type TestRunner } from './test-runner.ts';

/** A case of a suite whose promises have numbers. */
export interface NumberedCase<World, Promised extends string> {
  readonly promise: Promised;
  readonly name: string;
  /** Whether the case needs a second instance, and is skipped where the opening cannot make one. */
  readonly needsReopen?: true;
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
  /** A world of its own for each case, whether it can be opened again, and what frees it. */
  readonly open: () => Promise<{ readonly world: World; readonly reopens: boolean; readonly close: () => unknown }>;
}

/** Registers a test for each case; the last one prints what went unproved. */
export const describeNumbered = <World, Promised extends string>(
  runner: TestRunner,
  { title, promises, cases, open }: NumberedSuite<World, Promised>,
): void => {
  const unproved = new Set<Promised>();
  runner.describe(title, () => {
    for (const one of cases)
      runner.test(`${one.promise}: ${one.name}`, async (...[context]) => {
        const { world, reopens, close } = await settledWithin(caseMsMax, open());
        try {
          if (reopens || one.needsReopen !== true) await runNumberedCase(promises, one, world);
          else {
            unproved.add(one.promise);
            skipTest(context, one.name, 'the opening has no reopen');
          }
        } finally {
          await settledWithin(caseMsMax, Promise.resolve(close()));
        }
      });
    runner.test('prints each promise that was not proved for want of a second instance', async () => {
      for (const promise of unproved)
        console.info(`${title}: unproved without reopen: ${promise}. ${promises[promise]}`);
    });
  });
};
