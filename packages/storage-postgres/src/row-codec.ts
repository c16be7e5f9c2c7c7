import { recordOfTable, tableColumns, type ColumnKind, type TableName, type Tables } from '@tollgate/storage';
import { plainArray, textArray } from './array-literal.ts';
import { columnName } from './column-name.ts';
import { copyLine, copyText } from './copy-line.ts';

export type AnyRecord = Tables[TableName];
/** A row as it comes over the wire: every value in PostgreSQL's text form, in the order of the columns. */
export type Row = readonly (string | null)[];

/** How values of a column kind are kept: the column's SQL type, and the type of a parameter that holds many of them. */
interface SqlType {
  readonly element: 'text' | 'bigint';
  /** Turns an element into the column's type. */
  readonly cast: '' | '::json';
}

const text: SqlType = { element: 'text', cast: '' };
const number: SqlType = { element: 'bigint', cast: '' };
// `json` and not `jsonb`: it gives back the very text, so a record comes back as it was.
const json: SqlType = { element: 'text', cast: '::json' };

const sqlTypes: { readonly [K in ColumnKind]: SqlType } = {
  text,
  'text?': text,
  integer: number,
  'integer?': number,
  amount: number,
  'amount?': number,
  json,
  'json?': json,
};

const encodeText = (value: unknown): string | undefined =>
  // The wire is UTF-8: half a surrogate pair would come back as another character.
  typeof value === 'string' && value.isWellFormed() ? value : undefined;

const encodeInteger = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;

const encodeAmount = (value: unknown): string | undefined => (typeof value === 'bigint' ? String(value) : undefined);

const encodeJson = (value: unknown): string | undefined => JSON.stringify(value);

const orNull =
  (encode: (value: unknown) => string | undefined) =>
  (value: unknown): string | null | undefined =>
    value === null ? null : encode(value);

const encoders: { readonly [K in ColumnKind]: (value: unknown) => string | null | undefined } = {
  text: encodeText,
  'text?': orNull(encodeText),
  integer: encodeInteger,
  'integer?': orNull(encodeInteger),
  amount: encodeAmount,
  'amount?': orNull(encodeAmount),
  json: encodeJson,
  'json?': orNull(encodeJson),
};

const decoders: { readonly [K in ColumnKind]: (value: string) => unknown } = {
  text: String,
  'text?': String,
  integer: Number,
  'integer?': Number,
  amount: BigInt,
  'amount?': BigInt,
  json: JSON.parse,
  'json?': JSON.parse,
};

/** A value of the kind, for a row that is never read. */
const anyValues: { readonly [K in ColumnKind]: string | null } = {
  text: '',
  'text?': null,
  integer: '0',
  'integer?': null,
  amount: '0',
  'amount?': null,
  json: 'null',
  'json?': null,
};

interface Column {
  readonly field: string;
  readonly kind: ColumnKind;
  readonly name: string;
  readonly type: SqlType;
  readonly encode: (value: unknown) => string | null | undefined;
}

/** How the records of a table become rows and come back. Values are in the order of `columns`. */
export interface RowCodec {
  /** SQL names, the id first. */
  readonly columns: readonly string[];
  /** The type of the parameter that carries a column's values, and the cast of one of them. */
  readonly types: readonly SqlType[];
  /** A record as COPY reads it. Throws on a value that PostgreSQL would change silently or could not give back. */
  line(record: AnyRecord): string;
  /** A row of this id that satisfies the schema and means nothing, as COPY reads it. */
  placeholderLine(id: string): string;
  /** The places of the columns in which the records differ. */
  changed(before: AnyRecord, after: AnyRecord): readonly number[];
  /** What the records hold in the column at this place. Throws as `line` does. */
  values(records: readonly AnyRecord[], at: number): readonly (string | null)[];
  /** Values of the column at this place as one array parameter. */
  array(values: readonly (string | null)[], at: number): string;
  decode(row: Row): AnyRecord;
}

const isSame = (kind: ColumnKind, before: unknown, after: unknown): boolean =>
  before === after || (kind.startsWith('json') && JSON.stringify(before) === JSON.stringify(after));

const fieldOf = (record: AnyRecord, field: string): unknown => Reflect.get(record, field);

const columnsOf = (table: TableName): readonly Column[] =>
  Object.entries<ColumnKind>(tableColumns[table]).map(([field, kind]) => ({
    field,
    kind,
    name: columnName(field),
    type: sqlTypes[kind],
    encode: encoders[kind],
  }));

export const createRowCodec = (table: TableName): RowCodec => {
  const columns = columnsOf(table);
  const encodeField = (record: AnyRecord, { field, kind, encode }: Column): string | null => {
    const value = encode(fieldOf(record, field));
    if (value === undefined) throw new Error(`${table}.${field} is not a ${kind}`);
    return value;
  };
  const copied = (record: AnyRecord, column: Column): string | null => {
    const value = encodeField(record, column);
    return value === null || column.type.element === 'bigint' ? value : copyText(value);
  };
  return {
    columns: columns.map(({ name }) => name),
    types: columns.map(({ type }) => type),
    line: (record) => copyLine(columns.map((column) => copied(record, column))),
    placeholderLine: (id) =>
      copyLine(columns.map(({ field, kind }) => (field === 'id' ? copyText(id) : anyValues[kind]))),
    changed: (before, after) => {
      const places: number[] = [];
      for (const [at, { field, kind }] of columns.entries())
        if (!isSame(kind, fieldOf(before, field), fieldOf(after, field))) places.push(at);
      return places;
    },
    values: (records, at) => {
      const column = columns[at];
      if (column === undefined) throw new Error(`${table} has no column ${at}`);
      return records.map((record) => encodeField(record, column));
    },
    array: (values, at) => (columns[at]?.type.element === 'text' ? textArray(values) : plainArray(values)),
    decode: (row) => {
      const record: Record<string, unknown> = {};
      for (const [at, { field, kind }] of columns.entries()) {
        const value = row[at] ?? null;
        record[field] = value === null ? null : decoders[kind](value);
      }
      // The columns are the fields of the table's record, each decoded by its own kind.
      return recordOfTable(record);
    },
  };
};
