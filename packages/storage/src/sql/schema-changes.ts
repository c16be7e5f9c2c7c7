import type { IndexName } from '../indexes.ts';
import type { TableName } from '../tables.ts';

/** A column that a later version added. */
export interface AddedColumn {
  readonly table: TableName;
  readonly field: string;
  /** What rows that are there already get; null where the column may be null. */
  readonly value: number | null;
}

/** What one version of the schema added to the one before. Its content never changes once published. */
export interface SchemaChange {
  readonly tables?: readonly TableName[] | undefined;
  readonly columns?: readonly AddedColumn[] | undefined;
  readonly indexes?: readonly IndexName[] | undefined;
}

/** Columns of one table that may be null. */
const added = (table: TableName, ...fields: readonly string[]): readonly AddedColumn[] =>
  fields.map((field) => ({ table, field, value: null }));

const zero = (table: TableName, field: string): AddedColumn => ({ table, field, value: 0 });

/**
 * Versions 2, 3 and so on. Version 1 has whatever no change names, of `tableColumns` and of `indexes`. A test compares every version
 * with what was published, so that a new column, table or index needs a change here; every dialect renders its migration from it. What
 * a version computes from the rows that are there is in `schemaFills`.
 */
export const schemaChanges: readonly SchemaChange[] = [
  { tables: ['file', 'fileUse', 'pendingBlob'], indexes: ['filesByProject', 'fileUsesByFile'] },
  {
    tables: ['resource', 'resourceUse', 'batchItem'],
    indexes: ['resources', 'resourcesByParent', 'usesByResource', 'itemsByBatch'],
  },
  {
    tables: ['webhook', 'subscriptions', 'outbox', 'delivery', 'trigger', 'occurrence', 'liveSession'],
    indexes: ['webhooksByProject', 'deliveriesByWebhook', 'triggersByProject', 'occurrencesByTrigger'],
  },
  // 5: chunks of documents, which are no records.
  {},
  { tables: ['environmentTree'] },
  // 7: that a resource is in use is checked by time, and forgotten once the operation has ended.
  { columns: added('resourceUse', 'owner', 'dueAtMs') },
  { columns: added('operation', 'usageAtLeast') },
  { columns: [zero('trigger', 'refusals'), ...added('trigger', 'pausedCode')] },
  { columns: added('operation', 'verdict') },
  // 11: what is below a micro-credit.
  { columns: [zero('wallet', 'remainderPicos'), zero('wallet', 'purgedPicos'), zero('operation', 'carriedPicos')] },
  // 12: what each project keeps.
  {
    columns: [...added('file', 'keptBytes'), ...added('resource', 'keptBytes'), ...added('trigger', 'keptBytes')],
    tables: ['projectUsage'],
    indexes: ['keptFiles', 'keptResources', 'keptTriggers'],
  },
  // 13: batches and videos under way are counted.
  {},
  { columns: added('file', 'purpose') },
  { columns: added('operation', 'askedModel', 'tags') },
  // 16: what administrators look up.
  {
    columns: [
      ...added('account', 'metadata', 'closedAtMs'),
      ...added('project', 'metadata', 'closedAtMs'),
      zero('entry', 'balanceMicros'),
      ...added('entry', 'keyId', 'model'),
    ],
    indexes: ['projects', 'deliveries', 'deliveriesByProject', 'deliveriesByOperation', 'triggers'],
  },
  { columns: added('operation', 'trace') },
  { tables: ['payment', 'debt', 'paymentOrder', 'topUp'], indexes: ['payments'] },
  // 19: usage by hour and by day.
  { tables: ['usageLine', 'usageHour', 'usageDay'], indexes: ['usageLines'] },
  { columns: [...added('account', 'plan'), ...added('operation', 'plan')] },
  { tables: ['hostEvent', 'balanceAlert'] },
  // 22: what keys may do, and the spending of those that have a cap.
  {
    columns: [
      ...added('apiKey', 'expiresAtMs', 'models', 'cap', 'limits', 'metadata', 'reference', 'lastUsedAtMs'),
      ...added('operation', 'spends'),
    ],
    tables: ['spend'],
  },
  { tables: ['browserToken'] },
  { columns: added('operation', 'serviceTier', 'servedTier') },
  { columns: [...added('account', 'limits'), ...added('project', 'limits')] },
  { columns: added('liveSession', 'origins') },
  // 27: what steps change of an account while it is copied to another storage.
  { tables: ['moveLog'], indexes: ['moveLogByAccount'] },
];

/** Versions that the database of a storage over the whole kit has had since its version 1. */
const versionsOfKit = 26;

/** The changes since the version that a storage over the whole kit begins with: version 1 of its schema has all those before. */
export const changesOfKit: readonly SchemaChange[] = schemaChanges.slice(versionsOfKit - 1);
