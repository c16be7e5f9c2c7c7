import { recordOfTable, tableColumns, type ColumnKind, type TableName, type Tables } from '@tollgate/storage';
import { columnName } from './column-name.ts';

export type SqlValue = string | number | bigint | null;
type AnyRecord = Tables[TableName];

interface Column {
  readonly field: string;
  readonly kind: ColumnKind;
}

/** How the records of a table become rows and come back. Values are in the order of `columns`. */
export interface RowCodec {
  /** SQL names, the id first. */
  readonly columns: readonly string[];
  /** All values of a record. Throws on a value that SQLite would change silently or could not give back. */
  encode(record: AnyRecord): SqlValue[];
  /** The value of one column of a record. */
  encodeAt(record: AnyRecord, at: number): SqlValue;
  /** Which columns differ, as bits. JSON that was made anew counts as different, for writing it costs less than comparing. */
  changed(before: AnyRecord, after: AnyRecord): number;
  decode(row: readonly unknown[]): AnyRecord;
}

const encodeText = (value: unknown): SqlValue | undefined =>
  // SQLite stores UTF-8: half a surrogate pair would come back as another character.
  typeof value === 'string' && value.isWellFormed() ? value : undefined;

const encodeInteger = (value: unknown): SqlValue | undefined =>
  // Bound as it is, NaN would become NULL.
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

const encodeAmount = (value: unknown): SqlValue | undefined => (typeof value === 'bigint' ? value : undefined);

const encodeJson = (value: unknown): SqlValue | undefined => JSON.stringify(value);

const orNull =
  (encode: (value: unknown) => SqlValue | undefined) =>
  (value: unknown): SqlValue | undefined =>
    value === null ? null : encode(value);

const encoders: { readonly [K in ColumnKind]: (value: unknown) => SqlValue | undefined } = {
  text: encodeText,
  'text?': orNull(encodeText),
  integer: encodeInteger,
  'integer?': orNull(encodeInteger),
  amount: encodeAmount,
  'amount?': orNull(encodeAmount),
  json: encodeJson,
  'json?': orNull(encodeJson),
};

/** Amounts are within ±10^15 and so come as safe numbers. */
const decodeValue = (kind: ColumnKind, value: unknown): unknown => {
  if (value === null) return null;
  if (typeof value === 'number') return kind === 'amount' || kind === 'amount?' ? BigInt(value) : value;
  if (typeof value === 'string') return kind === 'json' || kind === 'json?' ? (JSON.parse(value) as unknown) : value;
  throw new Error(`SQLite answered a ${typeof value} for a column of ${kind}`);
};

// A record of a table has that table's columns as its fields.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const fieldsOf = (record: AnyRecord) => record as unknown as Readonly<Record<string, unknown>>;

export const createRowCodec = (table: TableName): RowCodec => {
  const columns: readonly Column[] = Object.entries<ColumnKind>(tableColumns[table]).map(([field, kind]) => ({
    field,
    kind,
  }));
  const encodeField = (record: AnyRecord, { field, kind }: Column): SqlValue => {
    const value = encoders[kind](fieldsOf(record)[field]);
    if (value === undefined) throw new Error(`${table}.${field} is not of kind ${kind}`);
    return value;
  };
  return {
    columns: columns.map(({ field }) => columnName(field)),
    encode: (record) => columns.map((column) => encodeField(record, column)),
    encodeAt: (record, at) => {
      const column = columns[at];
      if (column === undefined) throw new Error(`${table} has no column ${at}`);
      return encodeField(record, column);
    },
    changed: (before, after) => {
      const [old, now] = [fieldsOf(before), fieldsOf(after)];
      let bits = 0;
      // Here and below `forEach`, as `entries` makes an object for each column of each row.
      columns.forEach(({ field }, at) => {
        if (old[field] !== now[field]) bits |= 1 << at;
      });
      return bits;
    },
    decode: (row) => {
      const record: Record<string, unknown> = {};
      columns.forEach(({ field, kind }, at) => {
        record[field] = decodeValue(kind, row[at]);
      });
      // The columns are the fields of the table's record, each decoded by its own kind.
      return recordOfTable(record);
    },
  };
};
