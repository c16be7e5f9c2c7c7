import assert from 'node:assert/strict';
import { amountMicrosMax, tableColumns, type ColumnKind, type TableName, type Tables } from '@tollgate/storage';
import { sampleRecords, sampleWith } from '../sample-records.ts';
import type { StorageCase, StorageWorld } from '../storage-case.ts';
import { addRows, commit, putSetting, readRecord, readSetting } from '../storage-steps.ts';

const tables = Object.keys(tableColumns).filter((name): name is TableName => Object.hasOwn(tableColumns, name));

/** Columns whose values a database may restrict to a list or to a rule, left as the samples have them. */
const restricted = new Set([
  'id',
  'status',
  'state',
  'kind',
  'answerForm',
  'answer',
  'balanceMicros',
  'reservedMicros',
]);

const awkwardText = `it's "quoted" \\ %_ \n\t\r ; -- é e\u0301 \u{1f469}\u200d\u{1f680} \u05e9\u05dc \uffff $1 ?1 :a`;

const awkwardJson = {
  '': [],
  nested: [{ a: null, b: [true, false, 0, -1, 0.1, 1e21, 5e-324, '', awkwardText] }],
  'k"ey': Number.MAX_SAFE_INTEGER,
};

const extremes: { readonly [K in ColumnKind]: readonly unknown[] } = {
  text: ['', awkwardText],
  'text?': [null, '', awkwardText],
  integer: [0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  'integer?': [null, 0, Number.MAX_SAFE_INTEGER],
  amount: [0n, amountMicrosMax, -amountMicrosMax, 999_999_999_999_999n],
  'amount?': [null, 0n, amountMicrosMax, -amountMicrosMax],
  json: [awkwardJson, [], ''],
  'json?': [null, awkwardJson, []],
};

/** The record's columns at their `at`th extreme; columns with fewer extremes start again. */
const extremeRecord = (table: TableName, id: string, at: number): Tables[TableName] => {
  const fields = Object.entries<ColumnKind>(tableColumns[table])
    .filter(([name]) => !restricted.has(name))
    .map(([name, kind]) => [name, extremes[kind][at % extremes[kind].length]] as const);
  return sampleWith(table, id, Object.fromEntries(fields));
};

const keepsTable = async ({ storage, other }: StorageWorld, table: TableName): Promise<void> => {
  const records = Array.from({ length: 12 }, (_, at) => extremeRecord(table, `${table}${at}`, at));
  await addRows(storage, table, records);
  for (const door of [storage, await other()])
    for (const record of records) assert.deepEqual(await readRecord(door, table, record.id), record);
};

/** Text that some databases cannot hold. It must come back as it was or be refused, never altered. */
const oddTexts = ['nul \u0000 inside', 'lone high \ud83d', 'lone low \ude00 inside'];

export const valueCases: readonly StorageCase[] = [
  ...tables.map((table) => ({
    name: `keeps every value of a record exactly: ${table}`,
    run: (world: StorageWorld) => keepsTable(world, table),
  })),
  {
    name: 'keeps what a later step puts in place of a record, nulls included',
    run: async ({ storage, other }) => {
      const first = {
        ...sampleRecords.operation('o'),
        identity: 'i',
        dueAtMs: 5,
        usage: [{ unit: 'token', quantity: 0 }],
      };
      const last = { ...sampleRecords.operation('o'), state: 'completed' as const, endedAtMs: 9, pendingMicros: 3n };
      await addRows(storage, 'operation', [first]);
      await addRows(storage, 'operation', [last]);
      for (const door of [storage, await other()]) assert.deepEqual(await readRecord(door, 'operation', 'o'), last);
    },
  },
  {
    name: 'keeps both ends of the amounts of a wallet',
    run: async ({ storage, other }) => {
      const full = { ...sampleRecords.wallet('w'), balanceMicros: amountMicrosMax, reservedMicros: amountMicrosMax };
      const empty = { ...sampleRecords.wallet('v'), balanceMicros: 0n };
      await addRows(storage, 'wallet', [full, empty]);
      for (const door of [storage, await other()]) {
        assert.deepEqual(await readRecord(door, 'wallet', 'w'), full);
        assert.deepEqual(await readRecord(door, 'wallet', 'v'), empty);
      }
    },
  },
  {
    name: 'keeps a text of a million characters',
    run: async ({ storage, other }) => {
      const body = '0123456789abcdé🚀'.repeat(62_500);
      await addRows(storage, 'answer', [{ ...sampleRecords.answer('a'), body }]);
      assert.equal((await readRecord(await other(), 'answer', 'a'))?.body === body, true);
    },
  },
  {
    name: 'refuses amounts beyond their range, fractions and nulls where none may be',
    run: async ({ storage }) => {
      const bad: readonly (readonly [TableName, Readonly<Record<string, unknown>>])[] = [
        ['deposit', { amountMicros: amountMicrosMax + 1n }],
        ['deposit', { amountMicros: -amountMicrosMax - 1n }],
        ['deposit', { amountMicros: null }],
        ['account', { createdAtMs: 1.5 }],
        ['account', { createdAtMs: Number.NaN }],
        ['operation', { endedAtMs: Number.NaN }],
        ['account', { name: null }],
        ['account', { name: undefined }],
      ];
      for (const [table, fields] of bad) {
        await assert.rejects(
          addRows(storage, table, [sampleWith(table, 'bad', fields)]),
          `${table} ${Object.keys(fields).join()}`,
        );
        assert.equal(await readRecord(storage, table, 'bad'), undefined);
      }
    },
  },
  {
    name: 'gives odd text back as it was or refuses it, and never alters it',
    run: async ({ storage, other }) => {
      const door = await other();
      for (const text of oddTexts) {
        const written = commit(storage, [putSetting('odd', text)]).then(
          () => true,
          () => false,
        );
        if (await written) assert.equal(await readSetting(door, 'odd'), text);
      }
    },
  },
  {
    name: 'does not take one odd id for another',
    run: async ({ storage }) => {
      await commit(storage, [putSetting('id\ufffd', 'theirs')]);
      const found = await readSetting(storage, 'id\ud83d').catch(() => undefined);
      assert.equal(found, undefined);
    },
  },
];
