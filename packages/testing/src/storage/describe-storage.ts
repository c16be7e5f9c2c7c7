import { atomicityCases } from './cases/atomicity-cases.ts';
import { blobCases } from './cases/blob-cases.ts';
import { claimCases } from './cases/claim-cases.ts';
import { declarationCases } from './cases/declaration-cases.ts';
import { isolationCases } from './cases/isolation-cases.ts';
import { listCases } from './cases/list-cases.ts';
import { queueCases } from './cases/queue-cases.ts';
import { usageCases } from './cases/usage-cases.ts';
import { valueCases } from './cases/value-cases.ts';
import { vectorCases } from './cases/vector-cases.ts';
import { runStorageCase, type OpenedStorage, type StorageCase } from './storage-case.ts';

/** The two functions of a test runner that a suite needs; those of vitest and of node:test fit. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: () => Promise<void>) => unknown;
}

/** Everything that a storage must do. */
export const storageCases: readonly StorageCase[] = [
  ...isolationCases,
  ...atomicityCases,
  ...declarationCases,
  ...queueCases,
  ...valueCases,
  ...listCases,
  ...claimCases,
  ...usageCases,
  ...blobCases,
  ...vectorCases,
];

/**
 * Registers a test for everything that a storage must do, each on a storage opened for it alone on empty data. There is no
 * way to leave one out.
 */
export const describeStorage = (runner: TestRunner, name: string, open: () => Promise<OpenedStorage>): void => {
  runner.describe(`${name} is a storage`, () => {
    for (const storageCase of storageCases)
      runner.test(storageCase.name, async () => runStorageCase(storageCase, await open()));
  });
};
