import { isResourceKind } from '@tollgate/contract';
import type { AttemptRecord, Decide, Key, OperationRecord, UsageRecord, Write } from '@tollgate/storage';
import { closeResourceKeys, closeResourceWrites } from './close-resource.ts';
import { moveThrough } from './move.ts';
import { noticeKeys, noticeWrites, type Notice } from './notice.ts';
import {
  identityId,
  openKeys,
  preparedOperation,
  refuseOpen,
  registerWrites,
  type OpenAnswer,
  type OpenCommand,
} from './open.ts';
import { uncountKeys, uncountWrites, type Uncounted } from './parent-count.ts';
import { storeEvidence, type Evidence } from './settle.ts';

/*
 * The moves of an operation whose wallet the host keeps: the same states, one durable step each, with a command to the
 * host's ledger between them. The hold and the charge on the record say what the host's ledger was told.
 */

export type RegisterAnswer =
  | Exclude<OpenAnswer, { readonly kind: 'started' } | { readonly kind: 'insufficient' }>
  | { readonly kind: 'prepared'; readonly operation: OperationRecord };

export const registerKeys = (command: OpenCommand): readonly Key[] =>
  openKeys(command).filter((key) => key.table !== 'wallet');

/** Claims the identity and registers the operation as `preparing`; nothing is reserved yet. */
export const decideRegister =
  (command: OpenCommand): Decide<RegisterAnswer> =>
  (records, nowMs) => {
    const refusal = refuseOpen(records, command, nowMs);
    if (refusal?.kind === 'ours') return { writes: [], answer: answerOurs(refusal.operation) };
    if (refusal !== null) return { writes: [], answer: refusal };
    const operation = preparedOperation(command, nowMs);
    return { writes: registerWrites(records, command, operation, nowMs), answer: { kind: 'prepared', operation } };
  };

const answerOurs = (operation: OperationRecord): RegisterAnswer =>
  operation.state === 'preparing' ? { kind: 'prepared', operation } : { kind: 'known', operationId: operation.id };

/** Takes back a registration that the ledger refused, unless somebody has decided it: nothing stays registered (G48). */
export const decideUnregister =
  (operation: OperationRecord, uncounted: Uncounted | null = null): Decide<'gone' | 'kept'> =>
  (records) => {
    const current = records.get('operation', operation.id);
    if (current === undefined) return { writes: [], answer: 'gone' };
    if (current.state !== 'preparing' || current.owner !== operation.owner) return { writes: [], answer: 'kept' };
    const writes: Write[] = [{ kind: 'delete', table: 'operation', id: operation.id }];
    if (isResourceKind(operation.kind)) writes.push({ kind: 'delete', table: 'resource', id: operation.id });
    if (operation.kind === 'live') writes.push({ kind: 'delete', table: 'liveSession', id: operation.id });
    writes.push(...uncountWrites(records, uncounted));
    if (operation.identity !== null) {
      const id = identityId(operation.projectId, operation.identity);
      if (records.get('identity', id)?.operationId === operation.id)
        writes.push({ kind: 'delete', table: 'identity', id });
    }
    return { writes, answer: 'gone' };
  };

export const unregisterKeys = (operation: OperationRecord, uncounted: Uncounted | null = null): readonly Key[] => [
  ...uncountKeys(uncounted),
  { table: 'operation', id: operation.id },
  ...(isResourceKind(operation.kind) ? [{ table: 'resource', id: operation.id } as const] : []),
  ...(operation.kind === 'live' ? [{ table: 'liveSession', id: operation.id } as const] : []),
  ...(operation.identity === null
    ? []
    : [{ table: 'identity', id: identityId(operation.projectId, operation.identity) } as const]),
];

export interface MoveCommand {
  readonly operationId: string;
  /** Present where the operation carries a resource, which is closed with it. */
  readonly hasResource?: true;
  /** Tells the project's webhooks. */
  readonly notice?: Notice;
  readonly move:
    | {
        readonly kind: 'start';
        readonly holdMicros: bigint;
        readonly owner: string;
        readonly leaseMs: number;
        /** When it is due although somebody else starts it later; null where it was started here. */
        readonly queuedMs: number | null;
      }
    | {
        readonly kind: 'raise';
        readonly holdMicros: bigint;
        /** Null keeps what is stored. */
        readonly usage: readonly UsageRecord[] | null;
      }
    | {
        readonly kind: 'begin_settling';
        readonly pendingMicros: bigint;
        /** The amount that was pending; another one replaces it only if it is still this, which the ledger has refused. */
        readonly refusedMicros: bigint | null;
        readonly evidence: Evidence | null;
        readonly answerKeptMs: number;
        readonly leaseMs: number;
      }
    | { readonly kind: 'complete'; readonly chargedMicros: bigint; readonly answerKeptMs: number }
    | { readonly kind: 'wait'; readonly retryMs: number }
    | {
        readonly kind: 'begin_failing';
        readonly errorCode: string;
        /** Null keeps what is stored. */
        readonly attempts: readonly AttemptRecord[] | null;
        readonly leaseMs: number;
        /** Only if this owner is still in charge; null whoever is. */
        readonly owner: string | null;
      }
    | { readonly kind: 'fail'; readonly errorCode: string; readonly recordKeptMs: number };
}

export type MoveAnswer =
  | { readonly kind: 'moved'; readonly operation: OperationRecord }
  /** The operation is not where this move starts; it is answered as it stands. */
  | { readonly kind: 'refused'; readonly operation: OperationRecord }
  | { readonly kind: 'missing' };

export const moveKeys = (command: MoveCommand): readonly Key[] => {
  const evidence = command.move.kind === 'begin_settling' ? command.move.evidence : null;
  return [
    { table: 'operation', id: command.operationId },
    ...noticeKeys(command.operationId, command.notice),
    ...(command.hasResource === true ? closeResourceKeys(command.operationId, evidence?.closing) : []),
    ...(evidence?.answer ? [{ table: 'answer', id: command.operationId } as const] : []),
    ...(evidence?.toolContexts ?? []).map((context) => ({ table: 'toolContext', id: context.id }) as const),
  ];
};

type Move = MoveCommand['move'];

const start = (
  operation: OperationRecord,
  move: Extract<Move, { kind: 'start' }>,
  nowMs: number,
): OperationRecord | null =>
  operation.state === 'preparing' && operation.owner === move.owner
    ? moveThrough(operation, move.queuedMs === null ? ['reserved', 'processing'] : ['reserved'], {
        holdMicros: move.holdMicros,
        dueAtMs: nowMs + (move.queuedMs ?? move.leaseMs),
        updatedAtMs: nowMs,
      })
    : null;

/** The ledger has set more aside; a hold is never lowered here. */
const raise = (
  operation: OperationRecord,
  move: Extract<Move, { kind: 'raise' }>,
  nowMs: number,
): OperationRecord | null =>
  operation.state === 'processing'
    ? {
        ...operation,
        holdMicros: move.holdMicros > operation.holdMicros ? move.holdMicros : operation.holdMicros,
        usage: move.usage ?? operation.usage,
        updatedAtMs: nowMs,
      }
    : null;

const beginSettling = (
  operation: OperationRecord,
  move: Extract<Move, { kind: 'begin_settling' }>,
  change: Partial<OperationRecord>,
  nowMs: number,
): OperationRecord | null => {
  const refused = operation.state === 'uncertain' && operation.pendingMicros === move.refusedMicros;
  const settling: Partial<OperationRecord> = {
    ...change,
    // The ledger may have been told the first amount already, and then no other one can follow it.
    pendingMicros: refused ? move.pendingMicros : (operation.pendingMicros ?? move.pendingMicros),
    dueAtMs: nowMs + move.leaseMs,
    updatedAtMs: nowMs,
  };
  if (operation.state === 'uncertain') return { ...operation, ...settling };
  return operation.state === 'processing' || operation.state === 'cancelling'
    ? moveThrough(operation, ['settling'], settling)
    : null;
};

const beginFailing = (
  operation: OperationRecord,
  move: Extract<Move, { kind: 'begin_failing' }>,
  nowMs: number,
): OperationRecord | null => {
  const failing = {
    errorCode: move.errorCode,
    attempts: move.attempts ?? operation.attempts,
    dueAtMs: nowMs + move.leaseMs,
    updatedAtMs: nowMs,
  };
  if (move.owner !== null && operation.owner !== move.owner) return null;
  const { state } = operation;
  // Before the ledger is told: nobody may begin what is about to fail.
  if (state === 'reserved') return moveThrough(operation, ['processing', 'settling'], failing);
  return state === 'processing' || state === 'cancelling' ? moveThrough(operation, ['settling'], failing) : null;
};

const complete = (
  operation: OperationRecord,
  move: Extract<Move, { kind: 'complete' }>,
  nowMs: number,
): OperationRecord | null =>
  operation.state === 'settling' || operation.state === 'uncertain'
    ? moveThrough(operation, ['completed'], {
        chargedMicros: move.chargedMicros,
        holdMicros: 0n,
        pendingMicros: null,
        errorCode: null,
        owner: null,
        dueAtMs: nowMs + move.answerKeptMs,
        updatedAtMs: nowMs,
        endedAtMs: nowMs,
      })
    : null;

const wait = (
  operation: OperationRecord,
  move: Extract<Move, { kind: 'wait' }>,
  nowMs: number,
): OperationRecord | null => {
  const waiting = {
    errorCode: 'settlement_pending',
    owner: null,
    dueAtMs: nowMs + move.retryMs,
    updatedAtMs: nowMs,
  };
  if (operation.state === 'uncertain') return { ...operation, ...waiting };
  return operation.state === 'settling' ? moveThrough(operation, ['uncertain'], waiting) : null;
};

const fail = (
  operation: OperationRecord,
  move: Extract<Move, { kind: 'fail' }>,
  nowMs: number,
): OperationRecord | null =>
  operation.endedAtMs === null
    ? moveThrough(operation, ['failed'], {
        holdMicros: 0n,
        pendingMicros: null,
        errorCode: move.errorCode,
        owner: null,
        dueAtMs: operation.createdAtMs + move.recordKeptMs,
        updatedAtMs: nowMs,
        endedAtMs: nowMs,
      })
    : null;

const applyMove = (
  operation: OperationRecord,
  move: Move,
  evidence: Partial<OperationRecord>,
  nowMs: number,
): OperationRecord | null => {
  switch (move.kind) {
    case 'start':
      return start(operation, move, nowMs);
    case 'raise':
      return raise(operation, move, nowMs);
    case 'begin_settling':
      return beginSettling(operation, move, evidence, nowMs);
    case 'begin_failing':
      return beginFailing(operation, move, nowMs);
    case 'complete':
      return complete(operation, move, nowMs);
    case 'wait':
      return wait(operation, move, nowMs);
    case 'fail':
      return fail(operation, move, nowMs);
  }
};

/** Makes one move, or answers the operation as it stands where the move does not start there. */
export const decideMove =
  (command: MoveCommand): Decide<MoveAnswer> =>
  (records, nowMs) => {
    const operation = records.get('operation', command.operationId);
    if (operation === undefined) return { writes: [], answer: { kind: 'missing' } };
    const { move } = command;
    const stored =
      move.kind === 'begin_settling'
        ? storeEvidence(operation, move.evidence, { nowMs, answerKeptMs: move.answerKeptMs })
        : { change: {}, writes: [] };
    const moved = applyMove(operation, move, stored.change, nowMs);
    if (moved === null) return { writes: [], answer: { kind: 'refused', operation } };
    const closing = move.kind === 'begin_settling' ? (move.evidence?.closing ?? null) : null;
    const closed = command.hasResource === true ? closeResourceWrites(records, moved, closing, nowMs) : [];
    return {
      writes: [
        { kind: 'put', table: 'operation', record: moved },
        ...stored.writes,
        ...closed,
        ...noticeWrites(records, moved, command.notice, nowMs),
      ],
      answer: { kind: 'moved', operation: moved },
    };
  };
