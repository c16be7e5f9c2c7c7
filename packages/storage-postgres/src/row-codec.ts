import type { TableName, Tables } from '@tollgate/storage';
import {
  createRecordCodec,
  everyColumn,
  type ColumnSet,
  type RecordCodec,
  type RecordColumn,
  type SqlValue,
} from '@tollgate/storage/sql';
import { plainArray, textArray } from './array-literal.ts';
import { copyLine, copyText } from './copy-line.ts';

export type AnyRecord = Tables[TableName];
/** A row as it comes over the wire: every value in PostgreSQL's text form, in the order of the columns. */
export type Row = readonly (string | null)[];

/** The type of a parameter that holds values of a column, and what turns one into the column's type. */
interface SqlType {
  readonly element: 'text' | 'bigint';
  readonly cast: '' | '::json';
}

const typeOf = ({ kind }: RecordColumn): SqlType => {
  if (kind.startsWith('json')) return { element: 'text', cast: '::json' };
  return { element: kind.startsWith('text') ? 'text' : 'bigint', cast: '' };
};

/** How the records of a table become rows and come back, beside what the kit's codec does. Values are in the order of `columns`. */
export interface RowCodec extends Pick<RecordCodec, 'changed' | 'decode'> {
  /** SQL names, the id first. */
  readonly columns: readonly string[];
  /** The type of the parameter that carries a column's values, and the cast of one of them. */
  readonly types: readonly SqlType[];
  /** All columns but the id. */
  readonly every: ColumnSet;
  /** A record as COPY reads it. Throws on a value that PostgreSQL would change silently or could not give back. */
  line(record: AnyRecord): string;
  /** A row of this id that satisfies the schema and means nothing, as COPY reads it. */
  placeholderLine(id: string): string;
  /** What the records hold in the column at this place. Throws as `line` does. */
  values(records: readonly AnyRecord[], at: number): readonly (string | null)[];
  /** Values of the column at this place as one array parameter. */
  array(values: readonly (string | null)[], at: number): string;
}

/** A value in PostgreSQL's text form. */
export const textOf = (value: SqlValue): string | null => (value === null ? null : String(value));

/** Numbers have no character that means something to COPY. */
const copied = (value: SqlValue): string | null => (typeof value === 'string' ? copyText(value) : textOf(value));

export const createRowCodec = (table: TableName): RowCodec => {
  const codec = createRecordCodec(table);
  const types = codec.columns.map(typeOf);
  return {
    columns: codec.columns.map(({ name }) => name),
    types,
    every: everyColumn(codec),
    line: (record) => copyLine(codec.encode(record).map(copied)),
    placeholderLine: (id) => copyLine(codec.placeholder(id).map(copied)),
    changed: (before, after) => codec.changed(before, after),
    values: (records, at) => records.map((record) => textOf(codec.encodeAt(record, at))),
    array: (values, at) => (types[at]?.element === 'text' ? textArray(values) : plainArray(values)),
    decode: (row) => codec.decode(row),
  };
};
