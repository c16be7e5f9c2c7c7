import assert from 'node:assert/strict';
import { claimableTables, type Storage, type Write } from '@tollgate/storage';
import { changeableTables, countsRead, putCount, tables } from '../counted-record.ts';
import { sampleRecords } from '../sample-records.ts';
import type { StorageCase } from '../storage-case.ts';
import { addRows, commit, putSetting, readRecord, readSetting, settingKey } from '../storage-steps.ts';

/** Makes writes in a step that declared the setting `a` and nothing else. */
const commitDeclaringA = (storage: Storage, writes: readonly Write[]): Promise<void> =>
  storage.transact([settingKey('a')], () => ({ writes, answer: undefined }));

const entry = sampleRecords.entry('e');

export const declarationCases: readonly StorageCase[] = [
  {
    promise: 'S8',
    name: 'refuses to show a step a record that it did not declare',
    run: async ({ storage }) => {
      await commit(storage, [putSetting('b', '1')]);
      await assert.rejects(
        storage.transact([settingKey('a')], (records) => ({ writes: [], answer: records.get('setting', 'b') })),
      );
      const records = await storage.read([settingKey('a')]);
      assert.throws(() => records.get('setting', 'b'));
    },
  },
  {
    promise: 'S8',
    name: 'refuses to write or delete a record that was not declared',
    run: async ({ storage }) => {
      await commit(storage, [putSetting('b', '1')]);
      await assert.rejects(commitDeclaringA(storage, [putSetting('a', '2'), putSetting('b', '2')]));
      await assert.rejects(commitDeclaringA(storage, [{ kind: 'delete', table: 'setting', id: 'b' }]));
      assert.equal(await readSetting(storage, 'a'), undefined);
      assert.equal(await readSetting(storage, 'b'), '1');
    },
  },
  {
    promise: 'S8',
    name: 'appends a row once',
    run: async ({ storage }) => {
      const changed = { ...entry, amountMicros: 5n };
      const appends = [entry, changed].map((record) => addRows(storage, 'entry', [record]));
      const outcomes = await Promise.allSettled(appends);
      assert.deepEqual(outcomes.map((outcome) => outcome.status).toSorted(), ['fulfilled', 'rejected']);
      const kept = outcomes[0]?.status === 'fulfilled' ? entry : changed;
      await assert.rejects(addRows(storage, 'entry', [entry]));
      assert.deepEqual(await readRecord(storage, 'entry', 'e'), kept);
      await assert.rejects(addRows(storage, 'entry', [sampleRecords.entry('f'), sampleRecords.entry('f')]));
      assert.equal(await readRecord(storage, 'entry', 'f'), undefined);
    },
  },
  {
    promise: 'S8',
    name: 'refuses to change or delete a row of an append-only table',
    run: async ({ storage }) => {
      await addRows(storage, 'entry', [entry]);
      await assert.rejects(commit(storage, [{ kind: 'put', table: 'entry', record: { ...entry, amountMicros: 5n } }]));
      await assert.rejects(commit(storage, [{ kind: 'delete', table: 'entry', id: 'e' }]));
      assert.deepEqual(await readRecord(storage, 'entry', 'e'), entry);
    },
  },
  {
    promise: 'S8',
    name: 'deletes a row of an append-only table that has moved to another storage, and takes it back',
    run: async ({ storage, other }) => {
      await addRows(storage, 'entry', [entry]);
      await commit(storage, [{ kind: 'delete', table: 'entry', id: 'e', moved: true }]);
      const door = await other();
      assert.equal(await readRecord(door, 'entry', 'e'), undefined);
      await addRows(door, 'entry', [entry]);
      assert.deepEqual(await readRecord(storage, 'entry', 'e'), entry);
    },
  },
  {
    promise: 'S9',
    name: 'decides a step again when its fresh id turns out to be taken',
    run: async ({ storage }) => {
      await commit(storage, [putSetting('id', 'theirs')]);
      const claimed = await Promise.all(
        ['one', 'two'].map((mine) =>
          storage.transact([{ ...settingKey('id'), fresh: true }], (records) => {
            const theirs = records.get('setting', 'id')?.value;
            return { writes: theirs === undefined ? [putSetting('id', mine)] : [], answer: theirs ?? mine };
          }),
        ),
      );
      assert.deepEqual(claimed, ['theirs', 'theirs']);
      assert.equal(await readSetting(storage, 'id'), 'theirs');
    },
  },
  {
    promise: 'S9',
    name: 'looks up a record for a step beside one that calls its id fresh',
    run: async ({ storage }) => {
      await commit(storage, [putSetting('id', 'theirs')]);
      const fresh = storage.transact([{ ...settingKey('id'), fresh: true }], () => ({ writes: [], answer: undefined }));
      const seen = storage.transact([settingKey('id')], (records) => ({
        writes: [],
        answer: records.get('setting', 'id')?.value,
      }));
      await fresh;
      assert.equal(await seen, 'theirs');
    },
  },
  {
    promise: 'S8',
    name: 'leaves nothing behind of records that a step only looked for, in any table',
    run: async ({ storage, other, setNow }) => {
      const door = await other();
      await setNow(5_000);
      const absent = tables.map((table) => ({ table, id: 'looked-for' }));
      await storage.transact([...absent, settingKey('made')], () => ({
        writes: [putSetting('made', 'yes')],
        answer: undefined,
      }));
      await storage.transact(absent, () => ({ writes: [], answer: undefined }));
      for (const one of [storage, door]) {
        const records = await one.read(absent);
        for (const { table, id } of absent) assert.equal(records.get(table, id), undefined, table);
      }
      for (const table of claimableTables)
        assert.deepEqual(await door.claim({ table, owner: 'me', leaseMs: 1, limit: 10 }), [], table);
      assert.deepEqual(await door.list('accounts', { of: '', limit: 10 }), []);
      assert.deepEqual(await door.list('tariffs', { of: '', limit: 10 }), []);
    },
  },
  {
    promise: 'S9',
    name: 'makes a record under a fresh id alone, in every table',
    run: async ({ storage, other }) => {
      const door = await other();
      for (const table of changeableTables) {
        const key = { table, id: 'fresh', fresh: true } as const;
        await storage.transact([key], () => ({ writes: [putCount(key, 3)], answer: undefined }));
        assert.deepEqual(await countsRead(door, [key]), [3], table);
      }
    },
  },
];
