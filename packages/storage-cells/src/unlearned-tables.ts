import type { TableName } from '@tollgate/storage';

/** Tables of which nothing is asked by id alone, or only beside its account: their ids are not remembered. */
export const unlearnedTables: ReadonlySet<TableName> = new Set<TableName>([
  'account',
  'wallet',
  'debt',
  'topUp',
  'balanceAlert',
  'entry',
  'deposit',
  'identity',
  'toolContext',
  'undelivered',
  'spend',
  'usageLine',
  'usageHour',
  'usageDay',
  'batchItem',
  'fileUse',
  'resourceUse',
  'anomaly',
  'moveLog',
]);
