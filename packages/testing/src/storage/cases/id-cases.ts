import assert from 'node:assert/strict';
import {
  blobKeyCharsMax,
  claimableTables,
  idCharsMax,
  type Key,
  type Storage,
  type TableName,
} from '@tollgate/storage';
import { changeableTables, countOf, countsInStep, countsRead, putCount } from '../counted-record.ts';
import { sampleRecords, sampleWith } from '../sample-records.ts';
import type { StorageCase } from '../storage-case.ts';
import { addRows, commit } from '../storage-steps.ts';

/** Ids that some collation takes for one another: each is a key of its own. */
const lookAlikes: readonly string[] = [
  'a',
  'A',
  'a ',
  'a  ',
  ' a',
  'a\t',
  'a\n',
  'a\u00a0',
  'a\u200b',
  'a\u200d',
  'a\u00ad',
  'ａ',
  'á',
  'a\u0301',
  'Á',
  'ä',
  'ae',
  'æ',
  'ss',
  'ß',
  'ẞ',
  'i',
  'I',
  'ı',
  'İ',
  'ﬁ',
  'fi',
  'ｶ',
  'カ',
  'か',
  'が',
  'か\u3099',
  'K',
  '\u212a',
  'Å',
  '\u212b',
  'A\u030a',
  '\u{1f600}',
  '\u{1f601}',
  '\u{1f600}\ufe0f',
  '1',
  '01',
  '1.0',
  '1e0',
  '%',
  '_',
  '\\',
  '\\\\',
  "'",
  '"',
];

const longest = (end: string): string => `${'x'.repeat(idCharsMax - end.length)}${end}`;
const longestOfThreeBytes = (end: string): string =>
  // Of characters that differ, so that no database keeps it shorter than it is.
  `${Array.from({ length: idCharsMax - end.length }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7_919) % 20_000))).join('')}${end}`;

/** The longest ids, of which all but one character are the same. */
const longIds: readonly string[] = [
  longest('1'),
  longest('2'),
  longest('').slice(1),
  `1${longest('').slice(1)}`,
  longestOfThreeBytes('1'),
  longestOfThreeBytes('2'),
  '\u{1f680}'.repeat(idCharsMax / 2),
];

const keepsApart = async (doors: readonly Storage[], table: TableName, ids: readonly string[]): Promise<void> => {
  const keys: readonly Key[] = ids.map((id) => ({ table, id }));
  const [first] = doors;
  assert.ok(first !== undefined);
  await commit(
    first,
    keys.map((key, at) => putCount(key, at + 1)),
  );
  const expected = ids.map((_, at) => at + 1);
  for (const door of doors) {
    assert.deepEqual(await countsRead(door, keys), expected, `read of ${table}`);
    assert.deepEqual(await countsInStep(door, keys), expected, `step on ${table}`);
  }
  const records = await first.read(keys);
  for (const id of ids) assert.equal(records.get(table, id)?.id, id, table);
  // One of them deleted, the others stay.
  await commit(first, [{ kind: 'delete', table, id: ids[0] ?? '' }]);
  for (const door of doors) assert.deepEqual(await countsRead(door, keys), [0, ...expected.slice(1)], table);
};

/** Ids that some databases cannot hold. They are refused or found again, and never taken for another. */
const oddIds = ['nul\u0000', 'nul\u0000x', 'nul', 'high\ud83d', 'low\ude00', 'high\ufffd', 'low\ufffd', ''] as const;

const keepsOddApart = async (storage: Storage, door: Storage, table: TableName): Promise<void> => {
  const kept = new Map<string, number>();
  for (const [at, id] of oddIds.entries()) {
    const before = await countsRead(storage, [{ table, id }]).catch(() => [0]);
    assert.deepEqual(before, [0], `${JSON.stringify(id)} of ${table} is taken for another`);
    const written = await commit(storage, [putCount({ table, id }, at + 1)]).then(
      () => true,
      () => false,
    );
    if (written) kept.set(id, at + 1);
  }
  for (const plain of ['nul', 'high\ufffd', 'low\ufffd']) assert.ok(kept.has(plain), `${plain} of ${table} is refused`);
  for (const [id, count] of kept) {
    const records = await door.read([{ table, id }]);
    assert.equal(countOf(table, records.get(table, id)), count, `${JSON.stringify(id)} of ${table}`);
  }
};

const longKey = (end: string): string => `${'k'.repeat(blobKeyCharsMax - end.length)}${end}`;

const threeBytes = (at: number): Uint8Array => Uint8Array.of(at, at, at);

export const idCases: readonly StorageCase[] = [
  {
    promise: 'S25',
    name: 'does not take one id for another that looks alike, in any table',
    run: async ({ storage, other }) => {
      const doors = [storage, await other()];
      for (const table of changeableTables) await keepsApart(doors, table, lookAlikes);
    },
  },
  {
    promise: 'S25',
    name: 'lists and claims by a value and not by one that looks alike',
    run: async ({ storage, setNow }) => {
      await setNow(5_000);
      const rows = lookAlikes.map((id) => ({ ...sampleRecords.project(id), accountId: id }));
      await addRows(storage, 'project', rows);
      for (const row of rows)
        assert.deepEqual(
          await storage.list('projectsByAccount', { of: row.id, limit: 10 }),
          [row],
          JSON.stringify(row.id),
        );
      for (const table of claimableTables) {
        await addRows(
          storage,
          table,
          lookAlikes.map((id) => sampleWith(table, id, { dueAtMs: 1 })),
        );
        const claimed = await storage.claim({ table, owner: 'A ', leaseMs: 1_000, limit: 100 });
        assert.deepEqual(new Set(claimed.map(({ id }) => id)), new Set(lookAlikes), table);
        assert.ok(claimed.every(({ owner }) => owner === 'A '));
      }
    },
  },
  {
    promise: 'S26',
    name: 'keeps ids of the greatest length apart by each of their characters, in every table',
    run: async ({ storage, other }) => {
      const doors = [storage, await other()];
      for (const table of changeableTables) await keepsApart(doors, table, longIds);
    },
  },
  {
    promise: 'S25',
    name: 'finds an odd id again or refuses it, and takes it for no other, in every table',
    run: async ({ storage, other }) => {
      const door = await other();
      for (const table of changeableTables) await keepsOddApart(storage, door, table);
    },
  },
  {
    promise: 'S28',
    name: 'lists rows of one time by the character codes of their ids, falling',
    run: async ({ storage }) => {
      const ids = ['-', '1', '10', '2', 'A', 'Aa', 'B', '_', 'a', 'a ', 'a-', 'aA', 'aa', 'a~', 'b', 'b_', '~'];
      await addRows(
        storage,
        'account',
        ids.map((id) => sampleRecords.account(id)),
      );
      const falling = ids.toSorted((a, b) => (a < b ? 1 : -1));
      const listed = await storage.list('accounts', { of: '', limit: 100 });
      assert.deepEqual(
        listed.map(({ id }) => id),
        falling,
      );
      for (const [at, id] of falling.entries()) {
        const next = await storage.list('accounts', { of: '', limit: 1, after: { order: 1, id } });
        assert.equal(next[0]?.id, falling[at + 1]);
      }
    },
  },
  {
    promise: 'S28',
    name: 'lists rows of one time in one order and each once, whatever characters their ids have',
    run: async ({ storage, other }) => {
      const door = await other();
      await addRows(
        storage,
        'account',
        lookAlikes.map((id) => sampleRecords.account(id)),
      );
      const whole = (await storage.list('accounts', { of: '', limit: 100 })).map(({ id }) => id);
      assert.deepEqual(whole.toSorted(), lookAlikes.toSorted());
      const paged: string[] = [];
      for (;;) {
        const last = paged.at(-1);
        const after = last === undefined ? undefined : { order: 1, id: last };
        const page = await door.list('accounts', { of: '', limit: 3, after });
        paged.push(...page.map(({ id }) => id));
        if (page.length === 0 || paged.length > lookAlikes.length) break;
      }
      assert.deepEqual(paged, whole);
    },
  },
  {
    promise: 'S25',
    name: 'keeps chunks apart whose documents and stores look alike',
    run: async ({ storage, other }) => {
      const chunks = lookAlikes.map((id, place) => ({
        storeId: id,
        documentId: id,
        place,
        page: null,
        startIndex: 0,
        endIndex: 1,
        text: id,
        vector: Float32Array.of(1, place),
      }));
      for (const chunk of chunks) await storage.vectors.put([{ ...chunk, place: 0 }]);
      const { vectors } = await other();
      const idsIn = async (storeId: string): Promise<readonly string[]> =>
        (await vectors.search({ storeIds: [storeId], vector: Float32Array.of(1, 0), limit: 100 })).map(
          ({ documentId }) => documentId,
        );
      for (const id of lookAlikes) assert.deepEqual(await idsIn(id), [id]);
      await vectors.remove('a');
      for (const id of lookAlikes) assert.deepEqual(await idsIn(id), id === 'a' ? [] : [id]);
    },
  },
  {
    promise: 'S26',
    name: 'keeps blobs apart whose keys have the greatest length, by each of their characters',
    run: async ({ storage, other }) => {
      const keys = [
        longKey('1'),
        longKey('2'),
        longKey('').slice(1),
        `K${longKey('').slice(1)}`,
        longKey('/a'),
        longKey('_a'),
        longKey('-a'),
      ];
      for (const [at, key] of keys.entries()) await storage.blobs.put(key, threeBytes(at));
      const { blobs } = await other();
      for (const [at, key] of keys.entries())
        assert.deepEqual(Uint8Array.from((await blobs.get(key)) ?? []), threeBytes(at));
      await assert.rejects(blobs.get(`${longKey('1')}1`));
    },
  },
];
