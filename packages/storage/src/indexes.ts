import type { TableName, Tables } from './tables.ts';

/** A named order over one table: rows whose `of` column equals the query's value, newest first by `order`, then by id. */
export interface IndexSpec<T extends TableName = TableName> {
  readonly table: T;
  /** The column the query fixes, or null for the whole table. */
  readonly of: keyof Tables[T] | null;
  /** A numeric column; rows come in falling order of it, ties in falling order of id. */
  readonly order: keyof Tables[T];
  /** Only rows in which this column is null. */
  readonly whereNull?: keyof Tables[T];
  /** Only rows in which this column is not null. */
  readonly whereNotNull?: keyof Tables[T];
}

const index = <T extends TableName>(spec: IndexSpec<T>): IndexSpec<T> => spec;

/** The few indexes that every adapter offers. */
export const indexes = {
  accounts: index({ table: 'account', of: null, order: 'createdAtMs' }),
  projects: index({ table: 'project', of: null, order: 'createdAtMs' }),
  projectsByAccount: index({ table: 'project', of: 'accountId', order: 'createdAtMs' }),
  keysByProject: index({ table: 'apiKey', of: 'projectId', order: 'createdAtMs' }),
  operationsByAccount: index({ table: 'operation', of: 'accountId', order: 'createdAtMs' }),
  operationsByProject: index({ table: 'operation', of: 'projectId', order: 'createdAtMs' }),
  operationsByState: index({ table: 'operation', of: 'state', order: 'createdAtMs', whereNull: 'endedAtMs' }),
  pendingOperationsByAccount: index({
    table: 'operation',
    of: 'accountId',
    order: 'createdAtMs',
    whereNotNull: 'pendingMicros',
  }),
  entriesByAccount: index({ table: 'entry', of: 'accountId', order: 'seq' }),
  resources: index({ table: 'resource', of: 'listing', order: 'createdAtMs', whereNull: 'deletedAtMs' }),
  resourcesByParent: index({ table: 'resource', of: 'parent', order: 'createdAtMs', whereNull: 'deletedAtMs' }),
  usesByResource: index({ table: 'resourceUse', of: 'resourceId', order: 'createdAtMs' }),
  itemsByBatch: index({ table: 'batchItem', of: 'batchId', order: 'place' }),
  webhooksByProject: index({ table: 'webhook', of: 'projectId', order: 'createdAtMs', whereNull: 'disabledAtMs' }),
  deliveriesByWebhook: index({ table: 'delivery', of: 'webhookId', order: 'createdAtMs' }),
  deliveries: index({ table: 'delivery', of: null, order: 'createdAtMs' }),
  deliveriesByProject: index({ table: 'delivery', of: 'projectId', order: 'createdAtMs' }),
  deliveriesByOperation: index({ table: 'delivery', of: 'operationId', order: 'createdAtMs' }),
  triggers: index({ table: 'trigger', of: null, order: 'createdAtMs', whereNull: 'disabledAtMs' }),
  triggersByProject: index({ table: 'trigger', of: 'projectId', order: 'createdAtMs', whereNull: 'disabledAtMs' }),
  occurrencesByTrigger: index({ table: 'occurrence', of: 'triggerId', order: 'scheduledForMs' }),
  tariffs: index({ table: 'tariff', of: null, order: 'createdAtMs' }),
  filesByProject: index({ table: 'file', of: 'projectId', order: 'createdAtMs', whereNull: 'deletedAtMs' }),
  fileUsesByFile: index({ table: 'fileUse', of: 'fileId', order: 'createdAtMs' }),
  keptFiles: index({ table: 'file', of: 'projectId', order: 'createdAtMs', whereNotNull: 'keptBytes' }),
  keptResources: index({ table: 'resource', of: 'projectId', order: 'createdAtMs', whereNotNull: 'keptBytes' }),
  keptTriggers: index({ table: 'trigger', of: 'projectId', order: 'createdAtMs', whereNotNull: 'keptBytes' }),
  payments: index({ table: 'payment', of: null, order: 'createdAtMs' }),
  usageLines: index({ table: 'usageLine', of: null, order: 'createdAtMs' }),
  anomalies: index({ table: 'anomaly', of: null, order: 'createdAtMs' }),
  moveLogByAccount: index({ table: 'moveLog', of: 'accountId', order: 'createdAtMs' }),
} as const;

export type IndexName = keyof typeof indexes;

/** An index's spec with plain column names, for code that serves all of them alike. */
export interface AnyIndexSpec {
  readonly table: TableName;
  readonly of: string | null;
  readonly order: string;
  readonly whereNull?: string;
  readonly whereNotNull?: string;
}

/** The spec of an index by its name. */
export const indexSpec = (name: IndexName): AnyIndexSpec => indexes[name];

export type IndexTable<I extends IndexName> = (typeof indexes)[I]['table'];

/** Rows a list or a claim answers at the most. */
export const listRowsMax = 100;

/** A place in an index: rows strictly after it in the index's order are answered. */
export interface IndexCursor {
  readonly order: number;
  readonly id: string;
}

/** Which rows of a table are scanned. */
export interface ScanQuery {
  /** The id of a row: those strictly after it are returned. */
  readonly after?: string | undefined;
  /** Only rows whose column of this name, one of text, has this value. */
  readonly where?: { readonly field: string; readonly value: string } | undefined;
  /** 1 to `listRowsMax`. */
  readonly limit: number;
}

export interface IndexQuery {
  /** The value of the index's `of` column; ignored where that is null. */
  readonly of: string;
  readonly after?: IndexCursor | undefined;
  /** 1 to `listRowsMax`. */
  readonly limit: number;
}
