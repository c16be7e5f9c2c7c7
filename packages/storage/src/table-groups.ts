import type { TableName } from './tables.ts';

/** Tables whose rows are only ever added. Their ids are guarded by a declared record, so they need not be declared. */
export const appendOnlyTables = ['entry', 'anomaly'] as const satisfies readonly TableName[];
export type AppendOnlyTable = (typeof appendOnlyTables)[number];

/** Tables whose rows can be due and leased to a worker. */
export const claimableTables = [
  'operation',
  'undelivered',
  'toolContext',
  'file',
  'fileUse',
  'pendingBlob',
  'resource',
  'resourceUse',
  'outbox',
  'delivery',
  'trigger',
  'occurrence',
  'hostEvent',
  'spend',
  'browserToken',
] as const satisfies readonly TableName[];
export type ClaimableTable = (typeof claimableTables)[number];
