import type { AttemptRecord, Key, OperationRecord, ResourceRecord } from '@tollgate/storage';
import { publicFieldsOf } from './stored-values.ts';
import { dueAfter } from './due-after.ts';
import type { Step } from './step.ts';

export interface CheckpointWorkCommand {
  readonly operationId: string;
  /** Who must still be in charge. */
  readonly owner: string;
  readonly work: unknown;
  /** Members of the public record that change. */
  readonly publicFields: Readonly<Record<string, unknown>>;
  /** Null keeps what is stored. */
  readonly attempts: readonly AttemptRecord[] | null;
  readonly next:
    /** The worker goes on. */
    | { readonly kind: 'lease'; readonly leaseMs: number }
    /** After that long another process takes it up. */
    | { readonly kind: 'later'; readonly afterMs: number }
    /** The resource is usable until then, and its operation stays open: its hold covers the time it is kept. */
    | { readonly kind: 'active'; readonly untilMs: number };
}

export type CheckpointWorkAnswer =
  | { readonly kind: 'kept'; readonly operation: OperationRecord; readonly resource: ResourceRecord }
  | { readonly kind: 'lost' };

const checkpointWorkKeys = ({ operationId }: CheckpointWorkCommand): readonly Key[] => [
  { table: 'operation', id: operationId },
  { table: 'resource', id: operationId },
];

const dueOf = (command: CheckpointWorkCommand, nowMs: number): Pick<OperationRecord, 'owner' | 'dueAtMs'> => {
  switch (command.next.kind) {
    case 'lease':
      return { owner: command.owner, dueAtMs: nowMs + command.next.leaseMs };
    case 'later':
      return { owner: null, dueAtMs: dueAfter(nowMs, command.next.afterMs) };
    case 'active':
      return { owner: null, dueAtMs: command.next.untilMs };
  }
};

/** Makes progress durable while the worker is still in charge; a worker that lost the work must stop. */
export const checkpointWork = (command: CheckpointWorkCommand): Step<CheckpointWorkAnswer> => ({
  keys: checkpointWorkKeys(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.operationId);
    const resource = records.get('resource', command.operationId);
    const open = operation?.state === 'processing' || operation?.state === 'cancelling';
    if (operation === undefined || resource === undefined || !open || operation.owner !== command.owner)
      return { writes: [], answer: { kind: 'lost' } };
    const { next } = command;
    const kept: OperationRecord = {
      ...operation,
      ...dueOf(command, nowMs),
      attempts: command.attempts ?? operation.attempts,
      updatedAtMs: nowMs,
    };
    const record: ResourceRecord = {
      ...resource,
      work: command.work,
      publicFields: { ...publicFieldsOf(resource), ...command.publicFields },
      ...(next.kind === 'active' ? { availability: 'active' as const, expiresAtMs: next.untilMs } : {}),
      updatedAtMs: nowMs,
    };
    return {
      writes: [
        { kind: 'put', table: 'operation', record: kept },
        { kind: 'put', table: 'resource', record },
      ],
      answer: { kind: 'kept', operation: kept, resource: record },
    };
  },
});
