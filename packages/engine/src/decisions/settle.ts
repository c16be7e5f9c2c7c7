import type {
  AnomalyRecord,
  AttemptRecord,
  Decide,
  Key,
  OperationRecord,
  Records,
  UsageRecord,
  WalletRecord,
  Write,
} from '@tollgate/storage';
import { closeResourceKeys, closeResourceWrites, type ResourceClosing } from './close-resource.ts';
import { moveThrough } from './move.ts';
import { noticeKeys, noticeWrites, type Notice } from './notice.ts';
import { availableMicros, changeWallet, walletWithEntry } from './wallet.ts';

/** What a finished execution left behind; stored before or with the debit. */
export interface Evidence {
  readonly usage: readonly UsageRecord[] | null;
  readonly attempts: readonly AttemptRecord[];
  /** The public body without credits, or where a blob holds it, its size alone; null where there is none. */
  readonly answer: { readonly body: string | null; readonly bytes: number } | null;
  /** Opaque states of tool calls by the record id they are found under. */
  readonly toolContexts: readonly { readonly id: string; readonly context: string }[];
  /** What becomes of the resource that the operation carries. */
  readonly closing?: ResourceClosing;
}

export interface SettleCommand {
  readonly operationId: string;
  readonly accountId: string;
  /** What the whole operation is measured to cost, parts captured before included. */
  readonly measuredMicros: bigint;
  /** Null keeps what is stored: a settlement tried again, or an operator's verdict. */
  readonly evidence: Evidence | null;
  /** What to do with the part of an overrun that free balance does not cover. */
  readonly overrun: 'pending' | 'absorb';
  /** When a pending settlement is tried again at the latest. */
  readonly retryMs: number;
  /** How long the answer and the states of its tool calls are kept. */
  readonly answerKeptMs: number;
  /** The id of the anomaly, should there be one. */
  readonly anomalyId: string;
  /** Present where the operation carries a resource, which is closed with it. */
  readonly hasResource?: true;
  /** Tells the project's webhooks. */
  readonly notice?: Notice;
  /** Under which it is noted that it uses resources: over with it. A note that stays counts for nothing once it has ended. */
  readonly uses?: readonly string[];
}

export type SettleAnswer =
  | { readonly kind: 'settled'; readonly operation: OperationRecord; readonly walletSeq: number }
  /** The answer is stored and the hold kept until free balance suffices. */
  | { readonly kind: 'pending'; readonly operation: OperationRecord; readonly walletSeq: number }
  /** Decided before: nothing changed, but for a record of evidence that contradicts it. */
  | { readonly kind: 'ended'; readonly operation: OperationRecord }
  | { readonly kind: 'missing' };

export const settleKeys = (command: SettleCommand): readonly Key[] => [
  { table: 'operation', id: command.operationId },
  { table: 'wallet', id: command.accountId },
  anomalyKey(command.anomalyId),
  ...noticeKeys(command.operationId, command.notice),
  ...(command.hasResource === true ? closeResourceKeys(command.operationId, command.evidence?.closing) : []),
  ...(command.evidence?.answer ? [{ table: 'answer', id: command.operationId } as const] : []),
  ...(command.evidence?.toolContexts ?? []).map((context) => ({ table: 'toolContext', id: context.id }) as const),
  ...(command.uses ?? []).map((id) => ({ table: 'resourceUse', id }) as const),
];

/** Removes the notes of an operation that has ended, so that a resource that is used for days does not gather them. */
const endUseWrites = (records: Records, { uses = [] }: SettleCommand): readonly Write[] =>
  uses.flatMap((id) =>
    records.get('resourceUse', id) === undefined ? [] : [{ kind: 'delete', table: 'resourceUse', id } as const],
  );

/** The fields and rows by which evidence becomes part of an operation. */
export const storeEvidence = (
  operation: OperationRecord,
  evidence: Evidence | null,
  keep: { readonly nowMs: number; readonly answerKeptMs: number },
): { readonly change: Partial<OperationRecord>; readonly writes: readonly Write[] } => {
  if (evidence === null) return { change: {}, writes: [] };
  const writes: Write[] = evidence.toolContexts.map(({ id, context }) => ({
    kind: 'put',
    table: 'toolContext',
    record: { id, context, owner: null, dueAtMs: keep.nowMs + keep.answerKeptMs },
  }));
  if (evidence.answer !== null)
    writes.push({
      kind: 'put',
      table: 'answer',
      record: { id: operation.id, createdAtMs: keep.nowMs, ...evidence.answer },
    });
  return {
    change: {
      usage: evidence.usage,
      attempts: evidence.attempts,
      ...(evidence.answer === null ? {} : { answer: 'stored' as const }),
    },
    writes,
  };
};

/** Declared although it is only appended: a step sent again after an unconfirmed commit must find what it wrote. */
export const anomalyKey = (id: string): Key => ({ table: 'anomaly', id, fresh: true });

/** Evidence that came after the decision and says otherwise; written once, however often it comes. */
export const anomalyWrites = (
  records: Records,
  operation: OperationRecord,
  input: { readonly id: string; readonly code: string; readonly detail: unknown; readonly nowMs: number },
): readonly Write[] => {
  if (records.get('anomaly', input.id) !== undefined) return [];
  const record: AnomalyRecord = {
    id: input.id,
    operationId: operation.id,
    accountId: operation.accountId,
    code: input.code,
    detail: input.detail,
    createdAtMs: input.nowMs,
  };
  return [{ kind: 'append', table: 'anomaly', record }];
};

const settleEnded = (
  records: Records,
  operation: OperationRecord,
  command: SettleCommand,
  nowMs: number,
): readonly Write[] => {
  const told = operation.state === 'failed' ? null : operation.chargedMicros + operation.absorbedMicros;
  if (told === command.measuredMicros) return [];
  const code = operation.state === 'failed' ? 'late_settle_after_failure' : 'settled_with_another_measure';
  const detail = { measuredMicros: String(command.measuredMicros) };
  return anomalyWrites(records, operation, { id: command.anomalyId, code, detail, nowMs });
};

/** How much of the measure is debited now: null where it must wait. */
const debitOf = (operation: OperationRecord, wallet: WalletRecord, command: SettleCommand): bigint | null => {
  const due = command.measuredMicros - operation.chargedMicros;
  const payable = operation.holdMicros + availableMicros(wallet);
  if (due <= payable) return due > 0n ? due : 0n;
  return command.overrun === 'absorb' ? payable : null;
};

const settlementPending = (
  operation: OperationRecord,
  command: SettleCommand,
  nowMs: number,
): { readonly operation: OperationRecord; readonly writes: readonly Write[] } => {
  const { change, writes } = storeEvidence(operation, command.evidence, { nowMs, ...command });
  const waiting: Partial<OperationRecord> = {
    ...change,
    pendingMicros: command.measuredMicros,
    errorCode: 'settlement_pending',
    owner: null,
    dueAtMs: nowMs + command.retryMs,
    updatedAtMs: nowMs,
  };
  const pending =
    operation.state === 'uncertain'
      ? { ...operation, ...waiting }
      : moveThrough(operation, [...toSettling(operation), 'uncertain'], waiting);
  return { operation: pending, writes: [{ kind: 'put', table: 'operation', record: pending }, ...writes] };
};

const toSettling = (operation: OperationRecord): readonly ['settling'] | readonly [] =>
  operation.state === 'settling' ? [] : ['settling'];

const completeOperation = (
  operation: OperationRecord,
  change: Partial<OperationRecord>,
  nowMs: number,
): OperationRecord =>
  moveThrough(operation, operation.state === 'uncertain' ? ['completed'] : [...toSettling(operation), 'completed'], {
    ...change,
    holdMicros: 0n,
    pendingMicros: null,
    errorCode: null,
    owner: null,
    updatedAtMs: nowMs,
    endedAtMs: nowMs,
  });

const debitWrites = (
  wallet: WalletRecord,
  operation: OperationRecord,
  debit: bigint,
  nowMs: number,
): { readonly wallet: WalletRecord; readonly writes: readonly Write[] } => {
  const changed = changeWallet(wallet, { balanceMicros: -debit, reservedMicros: -operation.holdMicros });
  if (debit === 0n) return { wallet: changed, writes: [{ kind: 'put', table: 'wallet', record: changed }] };
  return walletWithEntry(changed, {
    kind: 'debit',
    amountMicros: -debit,
    operationId: operation.id,
    tariffVersion: operation.tariffVersion,
    reference: null,
    createdAtMs: nowMs,
  });
};

/** The operation and wallet of a command; without a wallet, or of another account, it is as good as missing. */
export const findOperation = (
  records: Records,
  command: { readonly operationId: string; readonly accountId: string },
): { readonly operation: OperationRecord; readonly wallet: WalletRecord } | null => {
  const operation = records.get('operation', command.operationId);
  const wallet = records.get('wallet', command.accountId);
  if (operation === undefined || wallet === undefined) return null;
  return operation.accountId === command.accountId ? { operation, wallet } : null;
};

const closingWrites = (
  records: Records,
  operation: OperationRecord,
  command: SettleCommand,
  nowMs: number,
): readonly Write[] =>
  command.hasResource === true ? closeResourceWrites(records, operation, command.evidence?.closing ?? null, nowMs) : [];

/**
 * Stores the answer, debits the measured amount, frees the surplus and ends the operation, in one step. What exceeds the
 * hold takes free balance only; where that is short, the operation waits as uncertain with its hold and its answer
 * (ledger:overrun:*). Truth that comes late is taken; truth that comes after the end is kept as an anomaly.
 */
export const decideSettle =
  (command: SettleCommand): Decide<SettleAnswer> =>
  (records, nowMs) => {
    const found = findOperation(records, command);
    if (found === null) return { writes: [], answer: { kind: 'missing' } };
    const { operation, wallet } = found;
    if (operation.endedAtMs !== null)
      return { writes: settleEnded(records, operation, command, nowMs), answer: { kind: 'ended', operation } };
    const debit = debitOf(operation, wallet, command);
    if (debit === null) {
      const pending = settlementPending(operation, command, nowMs);
      return {
        writes: [...pending.writes, ...closingWrites(records, pending.operation, command, nowMs)],
        answer: { kind: 'pending', operation: pending.operation, walletSeq: wallet.seq },
      };
    }
    const paid = debitWrites(wallet, operation, debit, nowMs);
    const { change, writes } = storeEvidence(operation, command.evidence, { nowMs, ...command });
    const due = command.measuredMicros - operation.chargedMicros;
    const completed = completeOperation(
      operation,
      {
        ...change,
        chargedMicros: operation.chargedMicros + debit,
        absorbedMicros: due > debit ? due - debit : 0n,
        dueAtMs: nowMs + command.answerKeptMs,
      },
      nowMs,
    );
    return {
      writes: [
        ...paid.writes,
        { kind: 'put', table: 'operation', record: completed },
        ...writes,
        ...closingWrites(records, completed, command, nowMs),
        ...noticeWrites(records, completed, command.notice, nowMs),
        ...endUseWrites(records, command),
      ],
      answer: { kind: 'settled', operation: completed, walletSeq: paid.wallet.seq },
    };
  };
