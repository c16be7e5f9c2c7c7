import { keepsAmounts, risingAmounts } from '../table-access.ts';
import { amountMicrosMax, tableColumns, type ColumnKind } from '../table-columns.ts';
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
  /** The places of the columns in which the records differ. */
  changed(before: AnyRecord, after: AnyRecord): readonly number[];
  decode(row: SqlRow): AnyRecord;
}

// Half a surrogate pair would come back as another character, for what is stored is UTF-8.
const encodeText = (value: unknown) => (typeof value === 'string' && value.isWellFormed() ? value : undefined);

const encodeInteger = (value: unknown) =>
  typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0) ? value : undefined;

const encodeAmount = (value: unknown) =>
  typeof value === 'bigint' && value >= -amountMicrosMax && value <= amountMicrosMax ? value : undefined;

/** Half a surrogate pair is escaped within JSON, and so kept. */
const encodeJson = (value: unknown): string | undefined => JSON.stringify(value);

const encoders: Readonly<Record<string, (value: unknown) => SqlValue | undefined>> = {
  text: encodeText,
  integer: encodeInteger,
  amount: encodeAmount,
  json: encodeJson,
};

const decoders: Readonly<Record<string, (value: string) => unknown>> = {
  text: String,
  integer: Number,
  amount: BigInt,
  json: JSON.parse,
};

const anyValues: Readonly<Record<string, SqlValue>> = { text: '', integer: 0, amount: 0n, json: 'null' };

const mayBeNull = (kind: ColumnKind): boolean => kind.endsWith('?');
const typeOf = (kind: ColumnKind): string => kind.replace('?', '');

const isSame = (kind: ColumnKind, before: unknown, after: unknown): boolean =>
  before === after || (kind.startsWith('json') && JSON.stringify(before) === JSON.stringify(after));

const columnsOf = (table: TableName): readonly RecordColumn[] =>
  Object.entries<ColumnKind>(tableColumns[table]).map(([field, kind]) => ({ field, kind, name: columnName(field) }));

const encodeField = (table: TableName, record: AnyRecord, { field, kind }: RecordColumn): SqlValue => {
  const given: unknown = Reflect.get(record, field);
  const value = given === null && mayBeNull(kind) ? null : encoders[typeOf(kind)]?.(given);
  if (value === undefined) throw new Error(`${table}.${field} is not of kind ${kind}`);
  return value;
};

const decodeField = ({ field, kind }: RecordColumn, value: SqlRow[number]): unknown => {
  if (value === null) return null;
  if (typeof value !== 'string') throw new Error(`the database returned bytes for ${field}`);
  return decoders[typeOf(kind)]?.(value);
};

export const createRecordCodec = (table: TableName): RecordCodec => {
  const columns = columnsOf(table);
  const check = (record: AnyRecord): void => {
    if (!keepsAmounts(table, record))
      throw new Error(`a ${table} must keep 0 ≤ ${(risingAmounts[table] ?? []).join(' ≤ ')}`);
  };
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
      columns.map(({ field, kind }) =>
        field === 'id' ? id : mayBeNull(kind) ? null : (anyValues[typeOf(kind)] ?? null),
      ),
    changed: (before, after) => {
      check(after);
      return columns.flatMap(({ field, kind }, at) =>
        isSame(kind, Reflect.get(before, field), Reflect.get(after, field)) ? [] : [at],
      );
    },
    // The columns are the fields of the table's record, each decoded by its own kind.
    decode: (row) =>
      recordOfTable(
        Object.fromEntries(columns.map((column, at) => [column.field, decodeField(column, row[at] ?? null)])),
      ),
  };
};
