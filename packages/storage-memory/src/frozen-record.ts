import {
  amountMicrosMax,
  recordOfTable,
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

const isSound = (table: TableName, record: object): boolean =>
  table !== 'wallet' ||
  !('balanceMicros' in record && 'reservedMicros' in record) ||
  (typeof record.balanceMicros === 'bigint' &&
    typeof record.reservedMicros === 'bigint' &&
    record.reservedMicros >= 0n &&
    record.reservedMicros <= record.balanceMicros);

/**
 * A copy of the record that cannot be changed. Throws where a field is missing, has a value that its column cannot hold, or
 * is not a field of the table, and on a wallet that breaks 0 ≤ reserved ≤ balance.
 */
export const frozenRecord = <T extends TableName>(table: T, record: Tables[T]): Tables[T] => {
  const columns: Readonly<Record<string, ColumnKind>> = tableColumns[table];
  const fields = new Map<string, unknown>(Object.entries(record));
  for (const name of fields.keys()) if (!Object.hasOwn(columns, name)) throw new Error(`${table} has no field ${name}`);
  const copy = Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => [name, frozenField(`${table}.${name}`, kind, fields.get(name))]),
  );
  if (!isSound(table, copy)) throw new Error('a wallet must keep 0 ≤ reserved ≤ balance');
  // Every field was copied under its own name with a value of its own kind.
  return recordOfTable<T>(Object.freeze(copy));
};
