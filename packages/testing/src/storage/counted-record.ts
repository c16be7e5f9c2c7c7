import {
  appendOnlyTables,
  tableColumns,
  type ColumnKind,
  type Key,
  type TableName,
  type Tables,
} from '@tollgate/storage';
import type { Storage, Write } from '@tollgate/storage';
import { sampleWith, writeOf } from './sample-records.ts';

/** All tables. */
export const tables = Object.keys(tableColumns).filter((name): name is TableName => Object.hasOwn(tableColumns, name));

/** The tables whose rows can be changed and deleted. */
export const changeableTables = tables.filter((table) => !appendOnlyTables.some((name) => name === table));

/** Columns whose values a database may restrict to a list or to a rule, left as the samples have them. */
export const restrictedColumns: ReadonlySet<string> = new Set([
  'id',
  'status',
  'state',
  'kind',
  'answerForm',
  'answer',
  'balanceMicros',
  'reservedMicros',
]);

interface Counter {
  readonly read: (value: unknown) => number;
  readonly write: (count: number) => unknown;
}

const whole: Counter = { read: Number, write: (count) => count };
const amount: Counter = { read: Number, write: BigInt };
const text: Counter = { read: Number, write: String };
const json: Counter = { read: (value) => Number(Array.isArray(value) ? value[0] : 0), write: (count) => [count] };

/** What can count, the plainest first. */
const counters: ReadonlyMap<ColumnKind, Counter> = new Map([
  ['integer', whole],
  ['amount', amount],
  ['json', json],
  ['text', text],
  ['json?', json],
  ['amount?', amount],
  ['text?', text],
  ['integer?', whole],
]);

/** The column of a table that counts in these records. */
const counterOf = (table: TableName): Counter & { readonly column: string } => {
  const columns = Object.entries<ColumnKind>(tableColumns[table]).filter(([name]) => !restrictedColumns.has(name));
  for (const [kind, counter] of counters) {
    const found = columns.find((column) => column[1] === kind);
    if (found !== undefined) return { ...counter, column: found[0] };
  }
  throw new Error(`no column of ${table} can count`);
};

/** A record of any table that holds a number. */
export const countedRecord = (table: TableName, id: string, count: number): Tables[TableName] => {
  const { column, write } = counterOf(table);
  return sampleWith(table, id, { [column]: write(count) });
};

/** The number that a record holds; 0 where there is none. */
export const countOf = (table: TableName, record: Tables[TableName] | undefined): number => {
  const { column, read } = counterOf(table);
  return record === undefined ? 0 : read(Reflect.get(record, column));
};

export const putCount = ({ table, id }: Key, count: number): Write => writeOf(table, countedRecord(table, id, count));

/** Adds one to the number of a record; returns the new number. */
export const bump = (door: Storage, key: Key): Promise<number> =>
  door.transact([key], (records) => {
    const count = countOf(key.table, records.get(key.table, key.id)) + 1;
    return { writes: [putCount(key, count)], answer: count };
  });

/** Adds one to the number of the first record, and gives all of them the result; returns it. */
export const bumpAll = (door: Storage, keys: readonly Key[]): Promise<number> =>
  door.transact(keys, (records) => {
    const [first] = keys;
    const count = first === undefined ? 1 : countOf(first.table, records.get(first.table, first.id)) + 1;
    return { writes: keys.map((key) => putCount(key, count)), answer: count };
  });

/** The numbers that a step sees of these keys, in their order. */
export const countsInStep = (door: Storage, keys: readonly Key[]): Promise<readonly number[]> =>
  door.transact(keys, (records) => ({
    writes: [],
    answer: keys.map(({ table, id }) => countOf(table, records.get(table, id))),
  }));

/** The numbers that a read shows of these keys, in their order. */
export const countsRead = async (door: Storage, keys: readonly Key[]): Promise<readonly number[]> => {
  const records = await door.read(keys);
  return keys.map(({ table, id }) => countOf(table, records.get(table, id)));
};

/** Lets a door read the keys in both ways, so that it has whatever it keeps of them. */
export const warm = async (door: Storage, keys: readonly Key[]): Promise<void> => {
  await countsRead(door, keys);
  await countsInStep(door, keys);
};
