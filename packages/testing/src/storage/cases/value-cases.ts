import assert from 'node:assert/strict';
import {
  amountMicrosMax,
  tableColumns,
  textCharsMax,
  type ColumnKind,
  type Storage,
  type TableName,
  type Tables,
} from '@tollgate/storage';
import { restrictedColumns, tables } from '../counted-record.ts';
import { sampleRecords, sampleWith } from '../sample-records.ts';
import type { StorageCase, StorageWorld } from '../storage-case.ts';
import { addRows, commit, putSetting, readRecord, readSetting } from '../storage-steps.ts';

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
    .filter(([name]) => !restrictedColumns.has(name))
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

/** The columns of a table that hold text of any kind. */
const textColumns = (table: TableName): readonly (readonly [string, ColumnKind])[] =>
  Object.entries<ColumnKind>(tableColumns[table]).filter(
    ([name, kind]) => !restrictedColumns.has(name) && (kind.startsWith('text') || kind.startsWith('json')),
  );

/** Odd texts as values of a column: in JSON also as keys and deep inside. */
const oddValues = (kind: ColumnKind): readonly unknown[] =>
  oddTexts.flatMap((text): readonly unknown[] =>
    kind.startsWith('json') ? [text, { a: [{ b: text }] }, { [text]: 1 }] : [text],
  );

const keepsOdd = async (
  storage: Storage,
  door: Storage,
  table: TableName,
  [column, kind]: readonly [string, ColumnKind],
): Promise<void> => {
  for (const [at, value] of oddValues(kind).entries()) {
    const id = `${column}${at}`;
    const record = sampleWith(table, id, { [column]: value });
    const written = await addRows(storage, table, [record]).then(
      () => true,
      () => false,
    );
    assert.deepEqual(await readRecord(door, table, id), written ? record : undefined, `${table}.${column}`);
  }
};

export const valueCases: readonly StorageCase[] = [
  ...tables.map((table) => ({
    promise: 'S20' as const,
    name: `keeps every value of a record exactly: ${table}`,
    run: (world: StorageWorld) => keepsTable(world, table),
  })),
  {
    promise: 'S20',
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
    promise: 'S20',
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
    promise: 'S23',
    name: 'keeps the longest text, by itself and in JSON',
    run: async ({ storage, other }) => {
      const body = '0123456789abcé\u{1f680}'.repeat(textCharsMax / 16);
      assert.equal(body.length, textCharsMax);
      await addRows(storage, 'answer', [{ ...sampleRecords.answer('a'), body }]);
      const detail = [body.slice(4)];
      await addRows(storage, 'anomaly', [{ ...sampleRecords.anomaly('a'), detail }]);
      const door = await other();
      // Compared by hand: the difference of long texts takes an assertion library for ever to print.
      assert.ok((await readRecord(door, 'answer', 'a'))?.body === body, 'the text is another one');
      const kept = (await readRecord(door, 'anomaly', 'a'))?.detail;
      assert.ok(Array.isArray(kept) && kept.length === 1 && kept[0] === detail[0], 'the text in JSON is another one');
    },
  },
  {
    promise: 'S23',
    name: 'keeps the longest texts of several steps that come at once',
    run: async ({ storage, other }) => {
      const texts = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(textCharsMax));
      await Promise.all(
        texts.map((body, at) => addRows(storage, 'answer', [{ ...sampleRecords.answer(`long${at}`), body }])),
      );
      const door = await other();
      for (const [at, text] of texts.entries())
        assert.ok((await readRecord(door, 'answer', `long${at}`))?.body === text, `text ${at} is another one`);
    },
  },
  {
    promise: 'S21',
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
    promise: 'S22',
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
    promise: 'S22',
    name: 'gives odd text in any column of any table back as it was or refuses it',
    run: async ({ storage, other }) => {
      const door = await other();
      for (const table of tables) for (const column of textColumns(table)) await keepsOdd(storage, door, table, column);
    },
  },
  {
    promise: 'S24',
    name: 'keeps the order of the keys of JSON',
    run: async ({ storage, other }) => {
      const detail = { b: 1, a: { z: [{ y: 1, x: 2 }], aa: 3, Z: 4 }, bb: 5, B: 6, '': 7, é: 8 };
      await addRows(storage, 'anomaly', [{ ...sampleRecords.anomaly('a'), detail }]);
      for (const door of [storage, await other()])
        assert.equal(JSON.stringify((await readRecord(door, 'anomaly', 'a'))?.detail), JSON.stringify(detail));
    },
  },
  {
    promise: 'S25',
    name: 'does not take one odd id for another',
    run: async ({ storage }) => {
      await commit(storage, [putSetting('id\ufffd', 'theirs')]);
      const found = await readSetting(storage, 'id\ud83d').catch(() => undefined);
      assert.equal(found, undefined);
    },
  },
];
