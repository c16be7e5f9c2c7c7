import assert from 'node:assert/strict';
import { amountMicrosMax, type Storage, type Write } from '@tollgate/storage';
import { sampleRecords } from '../sample-records.ts';
import type { StorageCase } from '../storage-case.ts';
import { commit, increment, putSetting, readRecord, readSetting, settingKey } from '../storage-steps.ts';

const tooMuch: Write = {
  kind: 'put',
  table: 'wallet',
  record: { ...sampleRecords.wallet('rich'), balanceMicros: amountMicrosMax + 1n },
};

const boom = new Error('boom');

const throwing = (storage: Storage): Promise<never> =>
  storage.transact([settingKey('a')], () => {
    throw boom;
  });

export const atomicityCases: readonly StorageCase[] = [
  {
    promise: 'S1',
    name: 'makes none of the writes of a step when one of them is bad',
    run: async ({ storage, other }) => {
      const writes = [putSetting('before', '1'), tooMuch, putSetting('after', '1')];
      await assert.rejects(commit(storage, writes));
      for (const door of [storage, await other()]) {
        const records = await door.read([settingKey('before'), settingKey('after'), { table: 'wallet', id: 'rich' }]);
        assert.equal(records.get('setting', 'before'), undefined);
        assert.equal(records.get('setting', 'after'), undefined);
        assert.equal(records.get('wallet', 'rich'), undefined);
      }
    },
  },
  {
    promise: 'S7',
    name: 'rejects a step with a bad write alone',
    run: async ({ storage }) => {
      const outcomes = await Promise.allSettled([
        increment(storage, 'count'),
        commit(storage, [tooMuch]),
        increment(storage, 'count'),
      ]);
      assert.deepEqual(
        outcomes.map((outcome) => outcome.status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.equal(await readSetting(storage, 'count'), '2');
    },
  },
  {
    promise: 'S7',
    name: 'rejects a step that throws alone, with what it threw',
    run: async ({ storage }) => {
      const outcomes = await Promise.allSettled([increment(storage, 'a'), throwing(storage), increment(storage, 'a')]);
      assert.deepEqual(outcomes, [
        { status: 'fulfilled', value: 1 },
        { status: 'rejected', reason: boom },
        { status: 'fulfilled', value: 2 },
      ]);
      assert.equal(await readSetting(storage, 'a'), '2');
    },
  },
  {
    promise: 'S7',
    name: 'goes on after a step that threw when it was alone',
    run: async ({ storage }) => {
      await assert.rejects(throwing(storage), boom);
      assert.equal(await increment(storage, 'a'), 1);
    },
  },
  {
    promise: 'S6',
    name: 'has a commit in place, for every door, by the time it resolves',
    run: async ({ storage, other }) => {
      const door = await other();
      await commit(storage, [putSetting('a', '1')]);
      assert.equal(await readSetting(door, 'a'), '1');
    },
  },
  {
    promise: 'S6',
    name: 'keeps what it acknowledged when the data is opened again',
    run: async ({ storage, other }) => {
      await commit(storage, [
        putSetting('a', '1'),
        { kind: 'put', table: 'wallet', record: sampleRecords.wallet('w') },
        { kind: 'append', table: 'entry', record: sampleRecords.entry('e') },
      ]);
      const door = await other();
      if (door !== storage) await storage.close();
      assert.equal(await readSetting(door, 'a'), '1');
      assert.deepEqual(await readRecord(door, 'wallet', 'w'), sampleRecords.wallet('w'));
      assert.deepEqual(await readRecord(door, 'entry', 'e'), sampleRecords.entry('e'));
    },
  },
];
