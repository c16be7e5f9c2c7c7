import { cellsCrossedCode, type Key } from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { cells } from './cells.ts';

const openCells = () =>
  cells({ cells: { a: memoryStorage(), b: memoryStorage(), c: memoryStorage(), d: memoryStorage() } });

// Each in a cell of its own; see `place-account.test.ts`.
const accounts = ['acme', 'globex', 'umbrella'] as const;

const account = (id: string): Key => ({ table: 'account', id });

const chunk = (storeId: string, x: number, y: number) => ({
  storeId,
  documentId: `document of ${storeId}`,
  place: 0,
  page: null,
  startIndex: 0,
  endIndex: 4,
  text: 'text',
  vector: Float32Array.of(x, y),
});

test('sums usage over all cells, each group once and in one order', async () => {
  const storage = openCells();
  const line = (accountId: string, model: string): Promise<void> => {
    const id = `${accountId} ${model}`;
    const record = {
      id,
      accountId,
      projectId: 'p',
      keyId: 'k',
      model,
      provider: 'up',
      requests: 1,
      chargedMicros: 10n,
      correctedMicros: 0n,
      units: { input_text_tokens: 3 },
      createdAtMs: 5,
    } as const;
    return storage.transact([account(accountId), { table: 'usageLine', id, fresh: true }], () => ({
      writes: [{ kind: 'put', table: 'usageLine', record }],
      answer: undefined,
    }));
  };
  for (const id of accounts) await line(id, 'flash');
  await line('acme', 'pro');
  const query = { rollUp: 'usageDay', bounds: [0, 86_400_000], where: {}, after: null } as const;
  const sums = await storage.sumUsage({ ...query, groupBy: ['model'], limit: 10 });
  expect(sums.map(({ values, requests, chargedMicros, units }) => [...values, requests, chargedMicros, units])).toEqual(
    [
      ['flash', 3n, 30n, [['input_text_tokens', 9n]]],
      ['pro', 1n, 10n, [['input_text_tokens', 3n]]],
    ],
  );
  expect(await storage.sumUsage({ ...query, groupBy: ['model'], limit: 1 })).toHaveLength(1);
  const own = await storage.sumUsage({ ...query, where: { accountId: 'acme' }, groupBy: [], limit: 10 });
  expect(own.map(({ requests }) => requests)).toEqual([2n]);
});

test('searches stores of several cells, the nearest chunk first', async () => {
  const storage = openCells();
  const stores = ['store-1', 'store-2', 'store-3', 'store-4', 'store-5', 'store-6'];
  for (const [at, storeId] of stores.entries()) await storage.vectors.put([chunk(storeId, at, 10 - at)]);
  const found = await storage.vectors.search({
    storeIds: stores,
    vector: Float32Array.of(1, 0),
    limit: 4,
  });
  expect(found.map(({ storeId }) => storeId)).toEqual(stores.toReversed().slice(0, 4));
  const nearestIn = async (storeIds: readonly string[]) =>
    (await storage.vectors.search({ storeIds, vector: Float32Array.of(1, 0), limit: 1 })).map(({ storeId }) => storeId);
  for (const one of stores) {
    expect(await nearestIn([one])).toEqual([one]);
    for (const other of stores.slice(stores.indexOf(one) + 1)) expect(await nearestIn([one, other])).toEqual([other]);
  }
  const crossing = storage.vectors.put(stores.map((storeId) => chunk(storeId, 1, 1)));
  await expect(crossing).rejects.toMatchObject({ code: cellsCrossedCode });
  await storage.vectors.remove('document of store-1');
  expect(await storage.vectors.search({ storeIds: ['store-1'], vector: Float32Array.of(1, 0), limit: 4 })).toEqual([]);
});
