import type { Key, OperationRecord } from '@tollgate/storage';
import { closeResourceKeys, closeResourceWrites } from './close-resource.ts';
import { hostEventKeys, uncertainEventWrites, type HostEvents } from './host-event.ts';
import { moveThrough } from './move.ts';
import { storeEvidence, type Evidence } from './settle.ts';
import type { Step } from './step.ts';

export interface MarkUncertainCommand {
  readonly operationId: string;
  /** What is known all the same, such as an answer without a measure. */
  readonly evidence: Evidence | null;
  readonly answerKeptMs: number;
  /** When the host wants the operation decided for it, counted from now; null waits for an operator. */
  readonly decideAfterMs: number | null;
  /** Tells functions of the host. */
  readonly hostEvents?: HostEvents | undefined;
  /** Only if this owner is still in charge: a sweep by its claim, or a turn of deferred work. Null is a running process's own word. */
  readonly expiredOwner: string | null;
}

export type MarkUncertainAnswer =
  | { readonly kind: 'uncertain'; readonly operation: OperationRecord }
  | { readonly kind: 'ended'; readonly operation: OperationRecord }
  /** The owner renewed the lease meanwhile, or the end is under way. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'missing' };

const markUncertainKeys = (command: MarkUncertainCommand): readonly Key[] => [
  { table: 'operation', id: command.operationId },
  ...hostEventKeys(command.hostEvents, ['uncertain']),
  ...(command.evidence?.answer ? [{ table: 'answer', id: command.operationId } as const] : []),
  ...(command.evidence?.toolContexts ?? []).map((context) => ({ table: 'toolContext', id: context.id }) as const),
  ...(command.evidence?.closing === undefined ? [] : closeResourceKeys(command.operationId, command.evidence.closing)),
];

/** Whether the record says as much already: a part of an answer without an upstream request, as a process leaves it that ends. */
const hasMore = ({ answer }: OperationRecord, evidence: Evidence | null): boolean =>
  answer !== 'none' && evidence?.answer?.partial === true && evidence.attempts.length === 0;

// ledger:uncertain:keeps-hold
/** The outcome or the measure is unknown: the operation becomes uncertain and keeps its hold. */
export const markUncertainStep = (command: MarkUncertainCommand): Step<MarkUncertainAnswer> => ({
  keys: markUncertainKeys(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.operationId);
    if (operation === undefined) return { writes: [], answer: { kind: 'missing' } };
    if (operation.endedAtMs !== null) return { writes: [], answer: { kind: 'ended', operation } };
    // A host's ledger may have the amount already: the sweep takes the settlement up where it stands.
    if (operation.state === 'settling') return { writes: [], answer: { kind: 'alive' } };
    if (command.expiredOwner !== null && operation.owner !== command.expiredOwner)
      return {
        writes: [],
        answer: operation.state === 'uncertain' ? { kind: 'uncertain', operation } : { kind: 'alive' },
      };
    const evidence = hasMore(operation, command.evidence) ? null : command.evidence;
    const { change, writes } = storeEvidence(operation, evidence, { nowMs, ...command });
    const markedUncertain: Partial<OperationRecord> = {
      ...change,
      errorCode: 'settlement_pending',
      owner: null,
      dueAtMs: command.decideAfterMs === null ? null : nowMs + command.decideAfterMs,
      updatedAtMs: nowMs,
    };
    const uncertain =
      operation.state === 'uncertain'
        ? { ...operation, ...change, updatedAtMs: nowMs }
        : moveThrough(operation, ['uncertain'], markedUncertain);
    const closing = command.evidence?.closing;
    // A later verdict finds what becomes of its resource.
    const closed = closing === undefined ? [] : closeResourceWrites(records, uncertain, closing, nowMs);
    return {
      writes: [
        { kind: 'put', table: 'operation', record: uncertain },
        ...writes,
        ...closed,
        ...uncertainEventWrites(command.hostEvents, operation, uncertain, nowMs),
      ],
      answer: { kind: 'uncertain', operation: uncertain },
    };
  },
});
