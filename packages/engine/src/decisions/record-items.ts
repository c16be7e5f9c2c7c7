import type { BatchItemRecord, Key, OperationRecord, Records, ResourceRecord, Write } from '@tollgate/storage';
import { publicFieldsOf } from './stored-values.ts';
import { guardWrites } from './guard-blobs.ts';
import type { Step } from './step.ts';

/** What became of one item. */
export interface ItemEnd {
  readonly id: string;
  readonly state: 'completed' | 'failed' | 'cancelled' | 'unknown' | 'waiting';
  readonly usage: BatchItemRecord['usage'];
  readonly attempts: BatchItemRecord['attempts'];
  readonly errorCode: string | null;
  /** Its answer, or where a blob holds it, its size alone. */
  readonly answer: string | null;
  readonly answerBytes: number;
  /** The blob that holds its answer. */
  readonly blobKey: string | null;
}

export interface RecordItemsCommand {
  readonly batchId: string;
  /** Who must be in charge for anything to begin. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly ends: readonly ItemEnd[];
  /** The ends are this owner's own word, and not of the worker that ran the items: they count only while the batch is its own. */
  readonly isOwnWord?: true;
  /** Items to be handed over once this step is durable. */
  readonly start: readonly string[];
  /** How long the blobs of answers are guarded. */
  readonly answerBlobMs: number;
}

export type RecordItemsAnswer =
  | {
      readonly kind: 'going';
      /** These are marked, and may be handed over, each once. */
      readonly started: readonly string[];
      /** The client has asked to cancel: nothing begins any more. */
      readonly cancelling: boolean;
    }
  /** Another worker has the batch, or it was decided: nothing may be handed over. What ended was noted all the same. */
  | { readonly kind: 'lost' };

const recordItemsKeys = (command: RecordItemsCommand): readonly Key[] => [
  { table: 'operation', id: command.batchId },
  { table: 'resource', id: command.batchId },
  ...[...new Set([...command.ends.map(({ id }) => id), ...command.start])].map(
    (id) => ({ table: 'batchItem', id }) as const,
  ),
  ...blobKeysOf(command.ends).map((id) => ({ table: 'pendingBlob', id }) as const),
];

const blobKeysOf = (ends: readonly ItemEnd[]): readonly string[] =>
  ends.flatMap(({ blobKey }) => (blobKey === null ? [] : [blobKey]));

/** Whether the end of an item is known in its state: what has ended stays as it ended. */
const canEnd = (item: BatchItemRecord, end: ItemEnd, isOurs: boolean): boolean => {
  switch (item.state) {
    case 'waiting':
      // An upstream that carries out the whole batch tells how each of its items ended.
      return isOurs && end.state !== 'waiting';
    case 'running':
      return isOurs || end.state === 'completed' || end.state === 'failed';
    case 'unknown':
      // Truth that comes late is truth.
      return end.state === 'completed' || end.state === 'failed';
    case 'completed':
    case 'failed':
    case 'cancelled':
      return false;
  }
};

const ended = (item: BatchItemRecord, end: ItemEnd, nowMs: number): BatchItemRecord => ({
  ...item,
  state: end.state,
  usage: end.usage,
  attempts: end.attempts,
  errorCode: end.errorCode,
  answer: end.answer,
  answerBytes: end.answerBytes,
  updatedAtMs: nowMs,
});

interface Changed {
  readonly items: readonly BatchItemRecord[];
  readonly completed: number;
  readonly failed: number;
}

const endItems = (
  records: Records,
  { ends, isOwnWord }: RecordItemsCommand,
  isOurs: boolean,
  nowMs: number,
): Changed => {
  const items = ends.flatMap((end) => {
    const item = records.get('batchItem', end.id);
    const counts = isOurs || isOwnWord !== true;
    return item !== undefined && counts && canEnd(item, end, isOurs) ? [ended(item, end, nowMs)] : [];
  });
  const count = (state: BatchItemRecord['state']): number => items.filter((item) => item.state === state).length;
  return { items, completed: count('completed'), failed: count('failed') };
};

/** Marks items before they are handed over, or as cancelled. One that is marked already was so by this very step. */
const startItems = (
  records: Records,
  { start }: RecordItemsCommand,
  state: 'running' | 'cancelled',
  nowMs: number,
): readonly BatchItemRecord[] =>
  start.flatMap((id) => {
    const item = records.get('batchItem', id);
    return item?.state === 'waiting' || item?.state === 'running' ? [{ ...item, state, updatedAtMs: nowMs }] : [];
  });

const counted = (resource: ResourceRecord, { completed, failed }: Changed, nowMs: number): ResourceRecord => {
  const shown = publicFieldsOf(resource);
  return {
    ...resource,
    publicFields: {
      ...shown,
      completed_count: Number(shown['completed_count']) + completed,
      failed_count: Number(shown['failed_count']) + failed,
    },
    updatedAtMs: nowMs,
  };
};

const itemWrites = (items: readonly BatchItemRecord[]): readonly Write[] =>
  items.map((record) => ({ kind: 'put', table: 'batchItem', record }));

/** Only blobs that still lie there: what the sweep has begun to delete is lost. */
const guardable = (records: Records, { ends }: RecordItemsCommand): readonly string[] =>
  blobKeysOf(ends).filter((id) => records.get('pendingBlob', id)?.owner === null);

// batches:tariff:per-item
/**
 * Notes how items ended and marks those that are to begin, all in one step: an item is marked before it is handed over, so that
 * a worker that finds the mark of a dead worker knows that it may have run, and never runs it again.
 */
export const recordItems = (command: RecordItemsCommand): Step<RecordItemsAnswer> => ({
  keys: recordItemsKeys(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.batchId);
    const resource = records.get('resource', command.batchId);
    if (operation === undefined || resource === undefined || operation.endedAtMs !== null)
      return { writes: [], answer: { kind: 'lost' } };
    const isOpen = operation.state === 'processing' || operation.state === 'cancelling';
    const isOurs = isOpen && operation.owner === command.owner;
    const cancelling = operation.state === 'cancelling';
    const changed = endItems(records, command, isOurs, nowMs);
    const begun = isOurs ? startItems(records, command, cancelling ? 'cancelled' : 'running', nowMs) : [];
    const lease: OperationRecord = { ...operation, dueAtMs: nowMs + command.leaseMs, updatedAtMs: nowMs };
    const guard = { blobKeys: guardable(records, command), keptMs: command.answerBlobMs };
    const writes: readonly Write[] = [
      ...(isOurs ? [{ kind: 'put', table: 'operation', record: lease } as const] : []),
      { kind: 'put', table: 'resource', record: counted(resource, changed, nowMs) },
      ...itemWrites([...changed.items, ...begun]),
      ...guardWrites(guard, nowMs),
    ];
    return {
      writes,
      answer: isOurs
        ? { kind: 'going', started: cancelling ? [] : begun.map(({ id }) => id), cancelling }
        : { kind: 'lost' },
    };
  },
});
