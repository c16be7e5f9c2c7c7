import type {
  BatchItemRecord,
  DeliveryRecord,
  Key,
  LiveSessionRecord,
  OccurrenceRecord,
  OutboxRecord,
  PendingBlobRecord,
  ResourceRecord,
  SubscriptionsRecord,
  TableName,
  TriggerRecord,
  WebhookRecord,
} from '@tollgate/storage';
import type { Model, ModelResource } from './model.ts';
import type { ObservedStep } from './observed-step.ts';
import type { RecordMap } from './record-map.ts';
import { closingOf } from './to-work-step.ts';
import { found, type Found } from './violation.ts';

const workText = ({ mark, waiting, endedAt }: ModelResource): string => {
  if (waiting !== null) return JSON.stringify({ closing: closingOf(waiting) });
  if (mark === null) return 'null';
  return JSON.stringify(endedAt === null ? { mark } : { mark, endedAtMs: endedAt });
};

interface ShownCounts {
  readonly completed_count: number;
  readonly failed_count: number;
  readonly document_count: number;
}

const resourceOfRecord = (record: ResourceRecord): string => {
  // Drafts of histories begin with these counts.
  const counts = record.publicFields as ShownCounts;
  const { availability, uses, expiresAtMs, owner, dueAtMs } = record;
  const shown = [counts.completed_count, counts.failed_count, counts.document_count];
  return [
    availability,
    uses,
    expiresAtMs,
    owner,
    dueAtMs,
    record.deletedAtMs !== null,
    ...shown,
    JSON.stringify(record.work),
  ].join();
};

const resourceOfModel = (resource: ModelResource): string => {
  const { availability, uses, expires, owner, due, deleted, completedItems, failedItems, documents } = resource;
  return [
    availability,
    uses,
    expires,
    owner,
    due,
    deleted,
    completedItems,
    failedItems,
    documents,
    workText(resource),
  ].join();
};

/** Rows of the proof model, by id. */
interface ModelRows<T> {
  readonly size: number;
  entries(): Iterable<[string, T]>;
}

/** One table as the engine has it beside what the model says, each row as a text. */
interface Comparison {
  readonly table: TableName;
  readonly size: (model: Model) => number;
  /** Texts by the ids of their records. */
  readonly texts: (model: Model) => Iterable<readonly [string, string]>;
  /** A record of the table. */
  readonly ofRecord: (record: never) => string;
}

interface ComparisonInput<T> {
  readonly rows: (model: Model) => ModelRows<T>;
  readonly ofRecord: (record: never) => string;
  readonly ofModel: (row: T) => string;
  readonly idOf?: (id: string) => string;
}

const compare = <T>(
  table: TableName,
  { rows, ofRecord, ofModel, idOf = (id) => id }: ComparisonInput<T>,
): Comparison => ({
  table,
  size: (model) => rows(model).size,
  texts: (model) => [...rows(model).entries()].map(([id, row]) => [idOf(id), ofModel(row)] as const),
  ofRecord,
});

/** Places of items are padded in their ids. */
const itemIdOf = (id: string): string => {
  const at = id.lastIndexOf(':');
  return `${id.slice(0, at)}:${id.slice(at + 1).padStart(4, '0')}`;
};

const comparisons: readonly Comparison[] = [
  compare('resource', { rows: ({ resources }) => resources, ofRecord: resourceOfRecord, ofModel: resourceOfModel }),
  compare('resourceUse', { rows: ({ uses }) => uses, ofRecord: () => '', ofModel: () => '' }),
  compare('batchItem', {
    rows: ({ items }) => items,
    ofRecord: ({ state }: BatchItemRecord) => state,
    ofModel: (state) => state,
    idOf: itemIdOf,
  }),
  compare('pendingBlob', {
    rows: ({ blobs }) => blobs,
    ofRecord: ({ owner, dueAtMs }: PendingBlobRecord) => [owner, dueAtMs].join(),
    ofModel: ({ owner, due }) => [owner, due].join(),
  }),
  compare('liveSession', {
    rows: ({ sessions }) => sessions,
    ofRecord: ({ accessUntilMs, openedAtMs }: LiveSessionRecord) => [accessUntilMs, openedAtMs !== null].join(),
    ofModel: ({ until, opened }) => [until, opened].join(),
  }),
  compare('webhook', {
    rows: ({ hooks }) => hooks,
    ofRecord: ({ status, secret, previousSecret }: WebhookRecord) => [status, secret, previousSecret].join(),
    ofModel: ({ status, secret, previous }) => [status, secret, previous].join(),
  }),
  compare('subscriptions', {
    rows: ({ subscriptions }) => subscriptions,
    // Written by the decisions of webhooks alone, which hold a list of hooks.
    ofRecord: ({ hooks }: SubscriptionsRecord) =>
      (hooks as readonly { readonly id: string }[]).map(({ id }) => id).join(),
    ofModel: (hooks) => hooks.join(),
  }),
  compare('outbox', {
    rows: ({ outbox }) => outbox,
    // Written by the decision of outbox events alone, which holds ids.
    ofRecord: ({ eventType, hooks, owner, dueAtMs }: OutboxRecord) =>
      [eventType, ...(hooks as readonly string[]), owner, dueAtMs].join(),
    ofModel: ({ type, hooks, owner, due }) => [type, ...hooks, owner, due].join(),
  }),
  compare('delivery', {
    rows: ({ deliveries }) => deliveries,
    ofRecord: ({ status, attempts, owner, dueAtMs }: DeliveryRecord) => [status, attempts, owner, dueAtMs].join(),
    ofModel: ({ status, attempts, owner, due }) => [status, attempts, owner, due].join(),
  }),
  compare('trigger', {
    rows: ({ triggers }) => triggers,
    ofRecord: ({ status, nextRunAtMs, lastRunAtMs, refusals, owner, dueAtMs }: TriggerRecord) =>
      [status, nextRunAtMs, lastRunAtMs, refusals, owner, dueAtMs].join(),
    ofModel: ({ status, next, last, refusals, owner, due }) => [status, next, last, refusals, owner, due].join(),
  }),
  compare('occurrence', {
    rows: ({ occurrences }) => occurrences,
    ofRecord: ({ status, operationId, owner, dueAtMs }: OccurrenceRecord) =>
      [status, operationId, owner, dueAtMs].join(),
    ofModel: ({ status, operationId, owner, due }) => [status, operationId, owner, due].join(),
  }),
];

/** Each comparison is given records of its own table. */
const textOf = ({ ofRecord }: Comparison, record: unknown): string =>
  record === undefined ? 'nothing' : ofRecord(record as never);

const differing = (map: RecordMap, model: Model, comparison: Comparison): string | null => {
  const { table, size, texts } = comparison;
  const rows = map.tables.get(table);
  const expected = size(model);
  if ((rows?.size ?? 0) !== expected) return `${table}: ${rows?.size} rows for ${expected}`;
  if (expected === 0) return null;
  for (const [id, text] of texts(model)) {
    const own = textOf(comparison, rows?.get(id));
    if (own !== text) return `${table} ${id}: ${own} for ${text}`;
  }
  return null;
};

/** What a storage holds otherwise than the model says of resources, webhooks and schedules. */
export const differingRow = async (model: Model, read: (key: Key) => Promise<unknown>): Promise<string | null> => {
  for (const comparison of comparisons)
    for (const [id, text] of comparison.texts(model)) {
      const own = textOf(comparison, await read({ table: comparison.table, id }));
      if (own !== text) return `${comparison.table} ${id}: ${own} for ${text}`;
    }
  return null;
};

/** Compares everything about resources, webhooks and schedules with the reference model. */
export const checkTables = ({ map }: ObservedStep, model: Model): Found => {
  for (const comparison of comparisons) {
    const difference = differing(map, model, comparison);
    if (difference !== null) return found('records_as_the_model', difference);
  }
  return null;
};
