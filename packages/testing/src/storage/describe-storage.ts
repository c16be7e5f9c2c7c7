import { settledWithin } from '../broken-promise.ts';
import { skipTest, type TestRunner } from '../test-runner.ts';
import { runStorageCase, type OpenedStorage, type StorageCase } from './storage-case.ts';
import { storageCases } from './storage-cases.ts';
import { storagePromises } from './storage-promises.ts';

/** How long an opening may take. */
const openMsMax = 120_000;

/** One line for each promise of which a case was skipped. */
export const unprovedLines = (skipped: readonly Pick<StorageCase, 'promise' | 'needs'>[]): readonly string[] => [
  ...new Set(
    skipped.map(({ promise, needs }) => {
      const isProvedElse = storageCases.some(
        (one) =>
          one.promise === promise && !skipped.some((other) => other.promise === promise && other.needs === one.needs),
      );
      return `${isProvedElse ? 'proved in part only' : 'unproved'} without ${needs ?? ''}: ${promise}. ${storagePromises[promise]}`;
    }),
  ),
];

/** Runs a case where the opening has what it needs. Returns whether it had. */
const ranCase = async (storageCase: StorageCase, opened: OpenedStorage): Promise<boolean> => {
  const { needs } = storageCase;
  if (needs === undefined || opened[needs] !== undefined) {
    await runStorageCase(storageCase, opened);
    return true;
  }
  await opened.storage.close();
  return false;
};

/**
 * Registers a test for everything that a storage must do, each on a storage opened for it alone on empty data. There is no
 * way to leave one out; a case that needs a hook which the opening does not have is skipped, and the last test prints what went
 * unproved for that.
 */
export const describeStorage = (runner: TestRunner, name: string, open: () => Promise<OpenedStorage>): void => {
  const skipped: StorageCase[] = [];
  runner.describe(`${name} is a storage`, () => {
    for (const storageCase of storageCases) {
      const title = `${storageCase.promise}: ${storageCase.name}`;
      runner.test(title, async (...[context]) => {
        if (await ranCase(storageCase, await settledWithin(openMsMax, open()))) return;
        skipped.push(storageCase);
        skipTest(context, title, `the opening has no ${storageCase.needs ?? ''}`);
      });
    }
    runner.test('prints each promise that was not proved for want of a hook', async () => {
      for (const line of unprovedLines(skipped)) console.info(`${name}: ${line}`);
    });
  });
};
