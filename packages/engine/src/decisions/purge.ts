import { isResourceKind, limits } from '@tollgate/contract';
import type {
  AnswerRecord,
  Key,
  OperationRecord,
  Records,
  ResourceRecord,
  ToolContextRecord,
  Write,
} from '@tollgate/storage';
import { identityId } from './open.ts';
import { isKeptUntilDeleted, uncountKeys, uncountWrites, type Uncounted } from './parent-count.ts';
import { isKeepingKind, usageChange, usageKey, usageOfResource, usageWrites } from './quotas.ts';
import { batchItemId } from './resource-draft.ts';
import type { Step } from './step.ts';

/** What retention does with an ended operation whose time has come. */
/** Where an operation's answer lies that is too large for its row. */
export const answerBlobKey = (operationId: string): string => `answers/${operationId}`;

export interface PurgeCommand {
  readonly operation: OperationRecord;
  /** How long record and identity are kept, counted from creation; null keeps them for ever. */
  readonly recordKeptMs: number | null;
  /** A resource that failed and counts until its record is gone. */
  readonly uncounted?: Uncounted | undefined;
}

export type PurgeAnswer = 'answer_purged' | 'record_removed' | 'kept';

/** Items of a batch hold answers, too: they go with the first look. */
const itemKeys = ({ id, kind }: OperationRecord): readonly Key[] =>
  kind === 'batch'
    ? Array.from({ length: limits.batch.requestsMax }, (_, place) => ({
        table: 'batchItem',
        id: batchItemId(id, place),
      }))
    : [];

const itemWrites = (records: Records, operation: OperationRecord): readonly Write[] =>
  itemKeys(operation).flatMap(({ id }) =>
    records.get('batchItem', id) === undefined ? [] : [{ kind: 'delete', table: 'batchItem', id } as const],
  );

/** A session's settings go with the first look. */
const isLive = ({ kind }: OperationRecord): boolean => kind === 'live';

const purgeKeys = ({ operation, uncounted }: PurgeCommand): readonly Key[] => [
  ...uncountKeys(uncounted ?? null),
  { table: 'operation', id: operation.id },
  { table: 'answer', id: operation.id },
  // What it carries stays with the account.
  ...(operation.carriedPicos === 0 ? [] : [{ table: 'wallet', id: operation.accountId } as const]),
  { table: 'pendingBlob', id: answerBlobKey(operation.id) },
  ...(isResourceKind(operation.kind) ? [{ table: 'resource', id: operation.id } as const] : []),
  ...(isKeepingKind(operation.kind) ? [usageKey(operation.projectId)] : []),
  ...(isLive(operation) ? [{ table: 'liveSession', id: operation.id } as const] : []),
  ...itemKeys(operation),
  ...(operation.identity === null
    ? []
    : [{ table: 'identity', id: identityId(operation.projectId, operation.identity) } as const]),
];

/** A large answer lies in a blob, which has no owner from this step on: should it not be deleted now, the sweep does it. */
const purgeAnswerWrites = (answer: AnswerRecord | undefined, nowMs: number): readonly Write[] => {
  if (answer === undefined) return [];
  const row: Write = { kind: 'delete', table: 'answer', id: answer.id };
  if (answer.body !== null) return [row];
  const blob = { id: answerBlobKey(answer.id), owner: null, dueAtMs: nowMs };
  return [row, { kind: 'put', table: 'pendingBlob', record: blob }];
};

// idempotency:replay:purged
/**
 * First the stored answer goes, later record and identity together: an identity never outlives the operation it stands for,
 * so a purged answer never re-opens execution. Entries stay for ever.
 */
export const purge = (command: PurgeCommand): Step<PurgeAnswer> => ({
  keys: purgeKeys(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.operation.id);
    if (operation === undefined || operation.endedAtMs === null || operation.owner !== command.operation.owner)
      return { writes: [], answer: 'kept' };
    const resource = isResourceKind(operation.kind) ? records.get('resource', operation.id) : undefined;
    const usable = resource?.availability === 'active' && operation.state === 'completed';
    if (resource !== undefined && operation.state === 'completed' && isKeptUntilDeleted(resource))
      return { writes: [keepWrite(operation)], answer: 'kept' };
    const agesAtMs = command.recordKeptMs === null ? null : operation.createdAtMs + command.recordKeptMs;
    // The record of a usable resource is kept as long as it is: its end gives the operation a due time again.
    const removeAtMs = usable ? null : agesAtMs;
    const writes: Write[] = [];
    if (isLive(operation)) writes.push({ kind: 'delete', table: 'liveSession', id: operation.id });
    writes.push(...itemWrites(records, operation));
    writes.push(...purgeAnswerWrites(records.get('answer', operation.id), nowMs));
    if (removeAtMs !== null && removeAtMs <= nowMs)
      return {
        writes: [
          ...removeWrites(operation, resource, writes),
          ...carriedWrites(records, operation),
          ...uncountRemoved(records, command, resource),
        ],
        answer: 'record_removed',
      };
    const answer = operation.answer === 'none' ? 'none' : 'purged';
    writes.push({
      kind: 'put',
      table: 'operation',
      record: { ...operation, answer, owner: null, dueAtMs: removeAtMs },
    });
    return { writes, answer: 'answer_purged' };
  },
});

/** The account goes on carrying what the operation did; nothing of the wallet that is reported changes. */
const carriedWrites = (records: Records, { accountId, carriedPicos }: OperationRecord): readonly Write[] => {
  const wallet = carriedPicos === 0 ? undefined : records.get('wallet', accountId);
  if (wallet === undefined) return [];
  return [{ kind: 'put', table: 'wallet', record: { ...wallet, purgedPicos: wallet.purgedPicos + carriedPicos } }];
};

/** Nothing of it is due until it is deleted. */
const keepWrite = (operation: OperationRecord): Write => ({
  kind: 'put',
  table: 'operation',
  record: { ...operation, owner: null, dueAtMs: null },
});

/** One that was deleted is out of the count of its parent already. */
const uncountRemoved = (
  records: Records,
  { uncounted }: PurgeCommand,
  resource: ResourceRecord | undefined,
): readonly Write[] =>
  resource === undefined
    ? []
    : [
        ...usageWrites(records, resource.projectId, usageChange(usageOfResource(resource), {})),
        ...(resource.availability === 'deleted' ? [] : uncountWrites(records, uncounted ?? null)),
      ];

const removeWrites = (
  operation: OperationRecord,
  resource: ResourceRecord | undefined,
  writes: readonly Write[],
): readonly Write[] => [
  ...writes,
  ...(resource === undefined ? [] : [{ kind: 'delete', table: 'resource', id: resource.id } as const]),
  { kind: 'delete', table: 'operation', id: operation.id },
  ...(operation.identity === null
    ? []
    : [{ kind: 'delete', table: 'identity', id: identityId(operation.projectId, operation.identity) } as const]),
];

/** Removes an outlived tool context. */
export const purgeToolContext = (claimed: ToolContextRecord): Step<boolean> => ({
  keys: [{ table: 'toolContext', id: claimed.id }],
  decide: (records) => {
    const current = records.get('toolContext', claimed.id);
    if (current === undefined || current.owner !== claimed.owner) return { writes: [], answer: false };
    return { writes: [{ kind: 'delete', table: 'toolContext', id: claimed.id }], answer: true };
  },
});
