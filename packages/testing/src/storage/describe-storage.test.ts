import { expect, test } from 'vitest';
import type { TestContext } from '../test-runner.ts';
import { describeStorage, unprovedLines } from './describe-storage.ts';
import { openPlain } from './faults/storage-fault.ts';
import { runStorageCase, type OpenedStorage, type StorageCase } from './storage-case.ts';
import { storagePromises } from './storage-promises.ts';

const openWithoutHooks = async (): Promise<OpenedStorage> => {
  const { storage, setNow } = openPlain(() => ({}));
  return { storage, setNow };
};

type Body = (...context: readonly [context?: TestContext]) => Promise<void>;

/** The tests that the suite registers, by title. */
const registered = (open: () => Promise<OpenedStorage>): ReadonlyMap<string, Body> => {
  const tests = new Map<string, Body>();
  describeStorage(
    { describe: (_, body) => body(), test: (title, body) => void tests.set(title, body) },
    'a storage',
    open,
  );
  return tests;
};

test('skips a case that needs a hook which the opening lacks, and says which', async () => {
  const body = registered(openWithoutHooks).get(
    'S10: carries no step twice whose commit was not answered, and goes on',
  );
  const reasons: string[] = [];
  await body?.({ skip: (reason) => reasons.push(reason) });
  expect(reasons).toEqual(['the opening has no cut']);
});

test('names each promise that went unproved once, and whether other cases prove it in part', () => {
  const lines = unprovedLines([
    { promise: 'S10', needs: 'cut' },
    { promise: 'S10', needs: 'cut' },
    { promise: 'S5', needs: 'refuseCommit' },
    { promise: 'S11', needs: 'refuse' },
    { promise: 'S11', needs: 'refuseCommit' },
  ]);
  expect(lines).toEqual([
    `unproved without cut: S10. ${storagePromises.S10}`,
    `proved in part only without refuseCommit: S5. ${storagePromises.S5}`,
    `unproved without refuse: S11. ${storagePromises.S11}`,
    `unproved without refuseCommit: S11. ${storagePromises.S11}`,
  ]);
});

const hangs = (): Promise<never> => new Promise(() => undefined);
const caseOf = (run: StorageCase['run']): StorageCase => ({ promise: 'S2', name: 'a case', run });

test('fails a case that does not end, as the promise that it proves', async () => {
  const running = runStorageCase(
    caseOf(hangs),
    openPlain(() => ({})),
    20,
  );
  await expect(running).rejects.toMatchObject({ promise: 'S2', cause: { message: 'still waiting after 20 ms' } });
});

test('fails a storage that does not close, after what broke the case', async () => {
  const opened = openPlain(() => ({}));
  const unclosing = { ...opened, storage: { ...opened.storage, close: hangs } };
  await expect(
    runStorageCase(
      caseOf(async () => {}),
      unclosing,
      20,
    ),
  ).rejects.toMatchObject({ promise: 'S17' });
  const broken = caseOf(() => Promise.reject(new Error('broken')));
  await expect(runStorageCase(broken, unclosing, 20)).rejects.toMatchObject({
    promise: 'S2',
    cause: { message: 'broken' },
  });
});

test('kills the writer of a case that does not end', async () => {
  let killed = 0;
  const opened: OpenedStorage = {
    ...openPlain(() => ({})),
    startWriter: () => ({
      lines: (async function* () {
        yield await hangs();
      })(),
      kill: () => {
        killed += 1;
      },
    }),
  };
  const reading = caseOf(async ({ startWriter }) => {
    for await (const line of startWriter().lines) expect(line).toBeUndefined();
  });
  await expect(runStorageCase(reading, opened, 20)).rejects.toMatchObject({ promise: 'S2' });
  expect(killed).toBe(1);
});
