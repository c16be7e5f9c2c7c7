import {
  amountMicrosMax,
  keepsAmounts,
  recordOfTable,
  risingAmounts,
  tableColumns,
  type ColumnKind,
  type TableName,
  type Tables,
} from '@tollgate/storage';
import { frozenJson } from './frozen-json.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed();

const isInteger = (value: unknown): boolean => Number.isSafeInteger(value) && !Object.is(value, -0);

const isAmount = (value: unknown): boolean =>
  typeof value === 'bigint' && value >= -amountMicrosMax && value <= amountMicrosMax;

const orNull =
  (isValid: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || isValid(value);

/** What a column takes; JSON is checked as it is copied. */
const takes: { readonly [K in ColumnKind]: (value: unknown) => boolean } = {
  text: isText,
  'text?': orNull(isText),
  integer: isInteger,
  'integer?': orNull(isInteger),
  amount: isAmount,
  'amount?': orNull(isAmount),
  json: () => true,
  'json?': () => true,
};

const frozenField = (name: string, kind: ColumnKind, value: unknown): unknown => {
  if (!takes[kind](value)) throw new Error(`${name} is not of kind ${kind}: ${String(value)}`);
  return kind.startsWith('json') ? frozenJson(value) : value;
};

/**
 * A copy of the record that cannot be changed. Throws where a field is missing, has a value that its column cannot hold, or
 * is not a field of the table, and where an amount is greater than one that it may not exceed.
 */
export const frozenRecord = <T extends TableName>(table: T, record: Tables[T]): Tables[T] => {
  const columns: Readonly<Record<string, ColumnKind>> = tableColumns[table];
  const fields = new Map<string, unknown>(Object.entries(record));
  for (const name of fields.keys()) if (!Object.hasOwn(columns, name)) throw new Error(`${table} has no field ${name}`);
  const copy = Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => [name, frozenField(`${table}.${name}`, kind, fields.get(name))]),
  );
  if (!keepsAmounts(table, copy))
    throw new Error(`a ${table} must keep 0 ≤ ${(risingAmounts[table] ?? []).join(' ≤ ')}`);
  // Every field was copied under its own name with a value of its own kind.
  return recordOfTable<T>(Object.freeze(copy));
};
