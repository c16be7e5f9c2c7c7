import {
  isStoredAmount,
  isStoredInteger,
  isStoredText,
  keepsAmounts,
  recordOfTable,
  risingAmounts,
  tableColumns,
  type ColumnKind,
  type TableName,
  type Tables,
} from '@tollgate/storage';
import { frozenJson } from './frozen-json.ts';

const orNull =
  (isValid: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || isValid(value);

/** What a column takes; JSON is checked as it is copied. */
const takes: { readonly [K in ColumnKind]: (value: unknown) => boolean } = {
  text: isStoredText,
  'text?': orNull(isStoredText),
  integer: isStoredInteger,
  'integer?': orNull(isStoredInteger),
  amount: isStoredAmount,
  'amount?': orNull(isStoredAmount),
  json: () => true,
  'json?': () => true,
};

interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isJson: boolean;
}

const columnOf = ([name, kind]: [string, ColumnKind]): Column => ({ name, kind, isJson: kind.startsWith('json') });

/** The columns of each table, looked up once: every commit asks for those of several tables. */
const columnsOfTables: ReadonlyMap<string, readonly Column[]> = new Map(
  Object.entries(tableColumns).map(([table, columns]) => [table, Object.entries(columns).map(columnOf)]),
);

const unknownField = (table: TableName, record: object): Error => {
  const name = Object.keys(record).find((field) => !Object.hasOwn(tableColumns[table], field));
  return new Error(`${table} has no field ${name}`);
};

/**
 * A copy of the record that cannot be changed. Throws where a field is missing, has a value that its column cannot hold, or
 * is not a field of the table, and where an amount is greater than one that it may not exceed. `before` is the record in whose
 * place it is written, if there is one: what both have was checked and copied then.
 */
export const frozenRecord = <T extends TableName>(table: T, record: Tables[T], before?: Tables[T]): Tables[T] => {
  const columns = columnsOfTables.get(table) ?? [];
  const copy: Record<string, unknown> = { ...record };
  for (const { name, kind, isJson } of columns) {
    const value = copy[name];
    if (before !== undefined && Object.is(value, Reflect.get(before, name))) continue;
    if (!takes[kind](value)) throw new Error(`${table}.${name} is not of kind ${kind}: ${String(value)}`);
    if (isJson) copy[name] = frozenJson(value);
  }
  if (Object.keys(copy).length !== columns.length) throw unknownField(table, copy);
  if (!keepsAmounts(table, copy))
    throw new Error(`a ${table} must keep 0 ≤ ${(risingAmounts[table] ?? []).join(' ≤ ')}`);
  // Every field was copied under its own name with a value of its own kind.
  return recordOfTable<T>(Object.freeze(copy));
};
