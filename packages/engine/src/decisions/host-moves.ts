import { failedDueAtMs } from './fail.ts';
import type { AttemptRecord, Key, OperationRecord, Records, UsageRecord, WalletRecord, Write } from '@tollgate/storage';
import { carryAmount, measureOfFields, type MeasureFields } from './carry.ts';
import { closeResourceKeys, closeResourceWrites } from './close-resource.ts';
import {
  hostEventKeys,
  hostEventWrites,
  uncertainEventWrites,
  type HostEventKind,
  type HostEvents,
} from './host-event.ts';
import { moveThrough } from './move.ts';
import { outboxEventKeys, outboxEventWrites, type OutboxEvent } from './outbox-event.ts';
import { storeEvidence, type Evidence } from './settle.ts';
import { spendKeys, spendWrites, type CountedSpends } from './spend.ts';
import type { Step } from './step.ts';
import { underWayKeys, underWayWrites, type CountedUnderWay } from './under-way.ts';
import { endLineKey, endLineWrite } from './usage-line.ts';
import { verdictChange, type VerdictDraft } from './verdict.ts';
import { carriedWrites } from './carried-writes.ts';
import { emptyWallet } from './wallet.ts';

/*
 * The moves of an operation whose wallet the host keeps: the same states, one durable step each, with a command to the
 * host's ledger between them. The hold and the charge on the record are what the host's ledger received.
 */

export interface MoveCommand extends CountedUnderWay, CountedSpends {
  readonly operationId: string;
  /** Its wallet has no credits here, and carries what is below a micro-credit. */
  readonly accountId: string;
  /** Present where the operation carries a resource, which is closed with it. */
  readonly hasResource?: true;
  /** Tells the project's webhooks. */
  readonly outboxEvent?: OutboxEvent | undefined;
  /** Tells functions of the host. */
  readonly hostEvents?: HostEvents | undefined;
  readonly move:
    | {
        readonly kind: 'start';
        readonly holdMicros: bigint;
        readonly owner: string;
        readonly leaseMs: number;
        /** When it is due although another caller starts it later; null where it was started here. */
        readonly queuedMs: number | null;
      }
    | {
        readonly kind: 'raise';
        readonly holdMicros: bigint;
        /** Null keeps what is stored. */
        readonly usage: readonly UsageRecord[] | null;
      }
    | ({
        readonly kind: 'begin_settling';
        readonly pendingMicros: bigint;
        /** The amount that was pending; another one replaces it only if it is still this, which the ledger has refused. */
        readonly refusedMicros: bigint | null;
        readonly evidence: Evidence | null;
        /** Present where an operator decided it, and no measure. */
        readonly verdict?: VerdictDraft | undefined;
        readonly answerKeptMs: number;
        readonly leaseMs: number;
      } & MeasureFields)
    | { readonly kind: 'complete'; readonly chargedMicros: bigint; readonly answerKeptMs: number }
    | { readonly kind: 'wait'; readonly retryMs: number }
    | {
        readonly kind: 'begin_failing';
        readonly errorCode: string;
        /** Null keeps what is stored. */
        readonly attempts: readonly AttemptRecord[] | null;
        readonly leaseMs: number;
        /** Only if this owner still has the lease; null for any owner. */
        readonly owner: string | null;
      }
    | {
        readonly kind: 'fail';
        readonly errorCode: string;
        readonly recordKeptMs: number;
        /** Present where an operator decided it, and no provider reported it. */
        readonly verdict?: VerdictDraft | undefined;
      };
}

export type MoveAnswer =
  | { readonly kind: 'moved'; readonly operation: OperationRecord }
  /** The operation is not where this move starts; it is answered as it stands. */
  | { readonly kind: 'refused'; readonly operation: OperationRecord }
  | { readonly kind: 'missing' };

/** Moves that reckon with what the account carries. */
const carries = ({ move }: MoveCommand): boolean => move.kind === 'begin_settling' || move.kind === 'fail';

/** Moves that end an operation. */
const ends = ({ move }: MoveCommand): boolean => move.kind === 'complete' || move.kind === 'fail';

/** What a move may report to functions of the host. Of a wallet that the host keeps, nothing is known. */
const eventsOf = ({ move }: MoveCommand): readonly HostEventKind[] => {
  if (move.kind === 'complete') return ['settled'];
  return move.kind === 'wait' ? ['uncertain'] : [];
};

const movedEventWrites = (
  { hostEvents, move }: MoveCommand,
  before: OperationRecord,
  after: OperationRecord,
  nowMs: number,
): readonly Write[] => {
  if (move.kind === 'wait') return uncertainEventWrites(hostEvents, before, after, nowMs);
  if (move.kind !== 'complete') return [];
  const { accountId } = after;
  return hostEventWrites(hostEvents, { kind: 'settled', accountId, operation: after, balanceMicros: null, nowMs });
};

/** Moves that change the hold or the charge. */
const counts = (command: MoveCommand): boolean => command.move.kind === 'raise' || ends(command);

const moveKeys = (command: MoveCommand): readonly Key[] => {
  const evidence = command.move.kind === 'begin_settling' ? command.move.evidence : null;
  return [
    { table: 'operation', id: command.operationId },
    ...(carries(command) ? [{ table: 'wallet', id: command.accountId } as const] : []),
    ...outboxEventKeys(command.operationId, command.outboxEvent),
    ...hostEventKeys(command.hostEvents, eventsOf(command)),
    ...(ends(command) ? underWayKeys(command) : []),
    ...(command.move.kind === 'complete' ? [endLineKey(command.operationId)] : []),
    ...(counts(command) ? spendKeys(command) : []),
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
  found: { readonly change: Partial<OperationRecord>; readonly remainderPicos: number },
  nowMs: number,
): OperationRecord | null => {
  const refused = operation.state === 'uncertain' && operation.pendingMicros === move.refusedMicros;
  const { amountMicros, carriedPicos } = carryAmount(found.remainderPicos, measureOfFields(move.pendingMicros, move));
  // The ledger may have the first amount already, and then no other one can follow it.
  const isTaken = refused || operation.pendingMicros === null || operation.pendingMicros === move.pendingMicros;
  const brought = move.evidence === null ? 'nothing' : 'evidence';
  const settling: Partial<OperationRecord> = {
    ...found.change,
    ...(isTaken ? { verdict: verdictChange(operation, { draft: move.verdict, brought }, nowMs) } : {}),
    ...(refused || operation.pendingMicros === null ? { pendingMicros: amountMicros, carriedPicos } : {}),
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
  // Before the ledger's command: no worker may begin what is about to fail.
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
        usage: operation.verdict?.usage ?? operation.usage,
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
        carriedPicos: 0,
        verdict: move.verdict === undefined ? null : { ...move.verdict, decidedAtMs: nowMs },
        errorCode: move.errorCode,
        owner: null,
        dueAtMs: failedDueAtMs(operation, move.recordKeptMs, nowMs),
        updatedAtMs: nowMs,
        endedAtMs: nowMs,
      })
    : null;

const applyMove = (
  operation: OperationRecord,
  move: Move,
  found: { readonly change: Partial<OperationRecord>; readonly remainderPicos: number },
  nowMs: number,
): OperationRecord | null => {
  switch (move.kind) {
    case 'start':
      return start(operation, move, nowMs);
    case 'raise':
      return raise(operation, move, nowMs);
    case 'begin_settling':
      return beginSettling(operation, move, found, nowMs);
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

const walletOf = (records: Records, command: MoveCommand): WalletRecord =>
  (carries(command) ? records.get('wallet', command.accountId) : undefined) ?? emptyWallet(command.accountId);

/** Makes one move, or returns the operation as it stands where the move does not start there. */
export const makeMove = (command: MoveCommand): Step<MoveAnswer> => ({
  keys: moveKeys(command),
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.operationId);
    if (operation === undefined) return { writes: [], answer: { kind: 'missing' } };
    const { move } = command;
    const stored =
      move.kind === 'begin_settling'
        ? storeEvidence(operation, move.evidence, { nowMs, answerKeptMs: move.answerKeptMs })
        : { change: {}, writes: [] };
    const wallet = walletOf(records, command);
    const { change } = stored;
    const moved = applyMove(operation, move, { change, remainderPicos: wallet.remainderPicos }, nowMs);
    if (moved === null) return { writes: [], answer: { kind: 'refused', operation } };
    const closing = move.kind === 'begin_settling' ? (move.evidence?.closing ?? null) : null;
    const closed = command.hasResource === true ? closeResourceWrites(records, moved, closing, nowMs) : [];
    return {
      writes: [
        { kind: 'put', table: 'operation', record: moved },
        ...carriedWrites(wallet, operation, moved),
        ...stored.writes,
        ...closed,
        ...outboxEventWrites(records, moved, command.outboxEvent, nowMs),
        ...movedEventWrites(command, operation, moved, nowMs),
        ...underWayWrites(records, operation, moved),
        ...(move.kind === 'complete' ? [endLineWrite(operation, moved, nowMs)] : []),
        ...spendWrites(records, operation, moved),
      ],
      answer: { kind: 'moved', operation: moved },
    };
  },
});
