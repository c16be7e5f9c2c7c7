import { isStoredAmount, isStoredInteger, isStoredText } from '../column-values.ts';
import { keepsAmounts, risingAmounts } from '../table-access.ts';
import { tableColumns, type ColumnKind } from '../table-columns.ts';
import type { TableName, Tables } from '../tables.ts';
import { recordOfTable } from '../typed-records.ts';
import { columnName } from './column-name.ts';
import type { SqlRow, SqlValue } from './sql-connection.ts';

type AnyRecord = Tables[TableName];

export interface RecordColumn {
  readonly field: string;
  /** As SQL, not quoted. */
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Columns of a table as one number: the sum of 2 to the power of the place of each. */
export type ColumnSet = number;

/** How the records of a table become rows and come back. Values are in the order of `columns`. */
export interface RecordCodec {
  /** The id is the first one. */
  readonly columns: readonly RecordColumn[];
  /** All values of a record. Throws on a value that a database would change silently or could not give back. */
  encode(record: AnyRecord): readonly SqlValue[];
  /** The value of the column at this place. Throws as `encode` does. */
  encodeAt(record: AnyRecord, at: number): SqlValue;
  /** A row of this id that satisfies the schema and means nothing. */
  placeholder(id: string): readonly SqlValue[];
  /** The columns in which the records differ. Throws where the record after the change breaks a rule of its amounts. */
  changed(before: AnyRecord, after: AnyRecord): ColumnSet;
  decode(row: SqlRow): AnyRecord;
}

export interface RecordCodecOptions {
  /** Whether JSON that was made anew is compared with what it was; else it counts as changed. True by default. */
  readonly comparesJson?: boolean;
}

/** A sum of more powers of two would not be exact. */
const columnsMax = 53;

/** The places of the columns of a set, rising. */
export const placesOf = (columns: ColumnSet): readonly number[] => {
  const places: number[] = [];
  for (let [at, rest] = [0, columns]; rest > 0; at += 1) {
    if (rest % 2 === 1) places.push(at);
    rest = Math.floor(rest / 2);
  }
  return places;
};

/** All columns of a table but its id. */
export const everyColumn = ({ columns }: RecordCodec): ColumnSet => 2 ** columns.length - 2;

type Encode = (value: unknown) => SqlValue | undefined;
type Decode = (cell: SqlRow[number]) => unknown;

const encodeText: Encode = (value) => (isStoredText(value) ? value : undefined);

const encodeInteger: Encode = (value) => (isStoredInteger(value) ? value : undefined);

const encodeAmount: Encode = (value) => (isStoredAmount(value) ? value : undefined);

/** Half a surrogate pair is escaped within JSON, and so kept. */
const encodeJson: Encode = (value): string | undefined => JSON.stringify(value);

const orNull =
  (encode: Encode): Encode =>
  (value) =>
    value === null ? null : encode(value);

const encoders: { readonly [K in ColumnKind]: Encode } = {
  text: encodeText,
  'text?': orNull(encodeText),
  integer: encodeInteger,
  'integer?': orNull(encodeInteger),
  amount: encodeAmount,
  'amount?': orNull(encodeAmount),
  json: encodeJson,
  'json?': orNull(encodeJson),
};

const refused = (cell: SqlRow[number]): never => {
  throw new Error(`the database returned a ${cell === null ? 'null' : typeof cell} that the column cannot hold`);
};

const decodeText: Decode = (cell) => (typeof cell === 'string' ? cell : refused(cell));

const decodeInteger: Decode = (cell) =>
  typeof cell === 'number' ? cell : typeof cell === 'string' ? Number(cell) : refused(cell);

const decodeAmount: Decode = (cell) =>
  typeof cell === 'number' || typeof cell === 'string' ? BigInt(cell) : refused(cell);

const decodeJson: Decode = (cell): unknown => (typeof cell === 'string' ? JSON.parse(cell) : refused(cell));

/** The kind without its `?`. */
type PlainKind = 'text' | 'integer' | 'amount' | 'json';

const plainKinds: { readonly [K in ColumnKind]: PlainKind } = {
  text: 'text',
  'text?': 'text',
  integer: 'integer',
  'integer?': 'integer',
  amount: 'amount',
  'amount?': 'amount',
  json: 'json',
  'json?': 'json',
};

const decoders: { readonly [K in PlainKind]: Decode } = {
  text: decodeText,
  integer: decodeInteger,
  amount: decodeAmount,
  json: decodeJson,
};

const anyValues: { readonly [K in PlainKind]: SqlValue } = { text: '', integer: 0, amount: 0n, json: 'null' };

/** Whether the column may be null. */
export const mayBeNull = (kind: ColumnKind): boolean => kind.endsWith('?');

export const plainKindOf = (kind: ColumnKind): PlainKind => plainKinds[kind];

interface Coded extends RecordColumn {
  readonly encode: Encode;
  readonly decode: Decode;
  readonly isJson: boolean;
  /** 2 to the power of its place. */
  readonly power: number;
}

const codedColumns = (table: TableName): readonly Coded[] =>
  Object.entries<ColumnKind>(tableColumns[table]).map(([field, kind], at) => ({
    field,
    kind,
    name: columnName(field),
    encode: encoders[kind],
    decode: decoders[plainKinds[kind]],
    isJson: plainKinds[kind] === 'json',
    power: 2 ** at,
  }));

/** Whether two values that are not one and the same may still be written alike: what is written costs the most of comparing them. */
const mayBeAlike = (before: unknown, after: unknown): boolean =>
  typeof before === 'object' && typeof after === 'object' && before !== null && after !== null
    ? !Array.isArray(before) || !Array.isArray(after) || before.length === after.length
    : false;

const isSameJson = (before: unknown, after: unknown): boolean =>
  mayBeAlike(before, after) && JSON.stringify(before) === JSON.stringify(after);

// A record of a table has that table's columns as its fields.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const fieldsOf = (record: AnyRecord) => record as unknown as Readonly<Record<string, unknown>>;

const encodeField = (table: TableName, record: AnyRecord, { field, kind, encode }: Coded): SqlValue => {
  const value = encode(fieldsOf(record)[field]);
  if (value === undefined) throw new Error(`${table}.${field} is not of kind ${kind}`);
  return value;
};

/** Throws where a record breaks the rule of its amounts. */
const amountsCheck = (table: TableName): ((record: AnyRecord) => void) => {
  const rising = risingAmounts[table];
  if (rising === undefined) return () => undefined;
  return (record) => {
    if (!keepsAmounts(table, record)) throw new Error(`a ${table} must keep 0 ≤ ${rising.join(' ≤ ')}`);
  };
};

const changedColumns = (columns: readonly Coded[], comparesJson: boolean) => {
  const isSame = (isJson: boolean, before: unknown, after: unknown): boolean =>
    before === after || (comparesJson && isJson && isSameJson(before, after));
  return (before: AnyRecord, after: AnyRecord): ColumnSet => {
    const [old, now] = [fieldsOf(before), fieldsOf(after)];
    let changed: ColumnSet = 0;
    // Here and below `forEach`, as an iterator makes an object for each column of each row.
    columns.forEach(({ field, isJson, power }) => {
      if (!isSame(isJson, old[field], now[field])) changed += power;
    });
    return changed;
  };
};

const decodeRow = (columns: readonly Coded[], row: SqlRow): AnyRecord => {
  const record: Record<string, unknown> = {};
  columns.forEach(({ field, decode }, at) => {
    const cell = row[at] ?? null;
    record[field] = cell === null ? null : decode(cell);
  });
  // The columns are the fields of the table's record, each decoded by its own kind.
  return recordOfTable(record);
};

export const createRecordCodec = (table: TableName, { comparesJson = true }: RecordCodecOptions = {}): RecordCodec => {
  const columns = codedColumns(table);
  if (columns.length > columnsMax) throw new Error(`${table} has more than ${columnsMax} columns`);
  const check = amountsCheck(table);
  const changed = changedColumns(columns, comparesJson);
  return {
    columns,
    encode: (record) => {
      check(record);
      return columns.map((column) => encodeField(table, record, column));
    },
    encodeAt: (record, at) => {
      const column = columns[at];
      if (column === undefined) throw new Error(`${table} has no column ${at}`);
      return encodeField(table, record, column);
    },
    placeholder: (id) =>
      columns.map(({ field, kind }) => (field === 'id' ? id : mayBeNull(kind) ? null : anyValues[plainKinds[kind]])),
    changed: (before, after) => {
      check(after);
      return changed(before, after);
    },
    decode: (row) => decodeRow(columns, row),
  };
};
