import assert from 'node:assert/strict';
import { storageBusyCode, type IndexedChunk, type UsageSumQuery } from '@tollgate/storage';
import type { StorageCase } from '../storage-case.ts';
import { commit, increment, putSetting, readSetting, settingKey, together } from '../storage-steps.ts';

/** More steps than any storage may let wait. */
const stepsBeyondAnyQueue = 20_000;

const closedChunk: IndexedChunk = {
  storeId: 's',
  documentId: 'd',
  place: 0,
  page: null,
  startIndex: 0,
  endIndex: 1,
  text: 't',
  vector: Float32Array.of(1),
};

const usageOfADay: UsageSumQuery = {
  rollUp: 'usageDay',
  bounds: [0, 86_400_000],
  where: {},
  groupBy: [],
  after: null,
  limit: 1,
};

export const queueCases: readonly StorageCase[] = [
  {
    promise: 'S14',
    name: 'carries 600 steps that come at once',
    run: async ({ storage }) => {
      await together(600, (at) => commit(storage, [putSetting(`key${at}`, String(at))]));
      const records = await storage.read(Array.from({ length: 600 }, (_, at) => settingKey(`key${at}`)));
      for (let at = 0; at < 600; at += 1) assert.equal(records.get('setting', `key${at}`)?.value, String(at));
    },
  },
  {
    promise: 'S14',
    name: 'refuses steps beyond its queue by code, and takes steps again afterwards',
    run: async ({ storage }) => {
      const codes = await together(stepsBeyondAnyQueue, () =>
        increment(storage, 'count').then(
          () => 'carried',
          (cause: unknown) => (cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code'),
        ),
      );
      assert.deepEqual([...new Set(codes)].toSorted(), ['carried', storageBusyCode]);
      const carried = codes.filter((code) => code === 'carried').length;
      assert.equal(await increment(storage, 'count'), carried + 1);
    },
  },
  {
    promise: 'S15',
    name: "hands every step the store's own clock",
    run: async ({ storage, setNow }) => {
      const clock = () => storage.transact([], (_, nowMs) => ({ writes: [], answer: nowMs }));
      await setNow(1_700_000_000_123);
      assert.equal(await clock(), 1_700_000_000_123);
      await setNow(1_700_000_000_456);
      assert.equal(await clock(), 1_700_000_000_456);
    },
  },
  {
    promise: 'S17',
    name: 'waits on closing for the steps under way',
    run: async ({ storage, other }) => {
      const door = await other();
      let settled = 0;
      const steps = together(20, async () => {
        await increment(storage, 'count');
        settled += 1;
      });
      await storage.close();
      assert.equal(settled, 20);
      await steps;
      if (door !== storage) assert.equal(await readSetting(door, 'count'), '20');
    },
  },
  {
    promise: 'S17',
    name: 'refuses everything once closed, and may be closed again',
    run: async ({ storage }) => {
      await storage.close();
      await storage.close();
      await assert.rejects(increment(storage, 'count'));
      await assert.rejects(storage.read([settingKey('count')]));
      await assert.rejects(storage.list('accounts', { of: '', limit: 1 }));
      await assert.rejects(storage.scan('account', { limit: 1 }));
      await assert.rejects(storage.claim({ table: 'operation', owner: 'me', leaseMs: 1, limit: 1 }));
      await assert.rejects(storage.sumUsage(usageOfADay));
      await assert.rejects(storage.vectors.search({ storeIds: ['s'], vector: Float32Array.of(1), limit: 1 }));
      await assert.rejects(storage.vectors.put([closedChunk]));
      await assert.rejects(storage.vectors.remove('document'));
    },
  },
  {
    promise: 'S17',
    name: 'settles on closing whatever was asked before',
    run: async ({ storage, other }) => {
      await other();
      const asked = Promise.allSettled([
        storage.read([settingKey('a')]),
        storage.list('accounts', { of: '', limit: 1 }),
        storage.claim({ table: 'operation', owner: 'me', leaseMs: 1, limit: 1 }),
        storage.vectors.search({ storeIds: ['s'], vector: Float32Array.of(1), limit: 1 }),
        storage.blobs.get('none'),
      ]);
      await storage.close();
      await asked;
    },
  },
];
