import { tableColumns } from './table-columns.ts';
import type { TableName } from './tables.ts';

const mostlyRead: ReadonlySet<TableName> = new Set<TableName>([
  'account',
  'project',
  'apiKey',
  'tariff',
  'setting',
  'subscriptions',
]);

/**
 * Whether nearly every step reads the table and only administration writes it. Locks of such rows would make all steps wait for one
 * another: an adapter may have all readers share one lock instead, which a writer takes alone.
 */
export const isMostlyRead = (table: TableName): boolean => mostlyRead.has(table);

/**
 * The table that has a row of the same id wherever this one may have a row, if there is one. Nearly every step finds no row in this
 * table: an adapter that cannot share one lock may lock the row of the other table in place of the absent one.
 */
export const standInOf = (table: TableName): TableName | undefined =>
  table === 'subscriptions' ? 'project' : undefined;

const isTable = (name: string): name is TableName => Object.hasOwn(tableColumns, name);

/**
 * All tables, in the order in which every transaction should lock and write them. Wallets are what processes contend for, so they
 * come last: while one waits for a wallet, its other rows are found and locked already.
 */
export const tablesInLockOrder: readonly TableName[] = [
  ...Object.keys(tableColumns).filter((name): name is TableName => isTable(name) && name !== 'wallet'),
  'wallet',
];

/** Amounts of one record, from 0 upwards: none may be greater than the next. The store refuses a record that breaks it. */
export const risingAmounts: { readonly [T in TableName]?: readonly string[] } = {
  wallet: ['reservedMicros', 'balanceMicros'],
};

/** Whether a record keeps `risingAmounts`. */
export const keepsAmounts = (table: TableName, record: object): boolean => {
  let least = 0n;
  for (const field of risingAmounts[table] ?? []) {
    const amount: unknown = Reflect.get(record, field);
    if (typeof amount !== 'bigint' || amount < least) return false;
    least = amount;
  }
  return true;
};
