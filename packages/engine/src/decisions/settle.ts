import type { AttemptRecord, Key, OperationRecord, Records, UsageRecord, WalletRecord, Write } from '@tollgate/storage';
import { anomalyKey, anomalyWrites } from './anomaly.ts';
import { carryAmount, exactPicos, measureOfFields, type Carried, type Measure, type MeasureFields } from './carry.ts';
import { closeResourceKeys, closeResourceWrites, type ResourceClosing } from './close-resource.ts';
import {
  hostEventKeys,
  hostEventKinds,
  settledEventWrites,
  uncertainEventWrites,
  type HostEvents,
} from './host-event.ts';
import { moveThrough } from './move.ts';
import { outboxEventKeys, outboxEventWrites, type OutboxEvent } from './outbox-event.ts';
import { spendKeys, spendWrites, type CountedSpends } from './spend.ts';
import type { Step } from './step.ts';
import { underWayKeys, underWayWrites, type CountedUnderWay } from './under-way.ts';
import { endLineKey, endLineWrite } from './usage-line.ts';
import { verdictChange, type VerdictDraft } from './verdict.ts';
import { availableMicros, changeWallet, debitEntry, walletWithEntry } from './wallet.ts';

/** The public body without credits, or where a blob holds it, its size alone. */
export interface EvidenceAnswer {
  readonly body: string | null;
  readonly bytes: number;
  readonly division?: string;
  /** Present where it is what a client was sent before the outcome was lost. */
  readonly partial?: true;
}

/** What a finished execution left behind; stored before or with the debit. */
export interface Evidence {
  readonly usage: readonly UsageRecord[] | null;
  /** What was used at the least, where the whole is unknown. */
  readonly usageAtLeast?: readonly UsageRecord[] | null;
  readonly attempts: readonly AttemptRecord[];
  /** How the upstream says that it served it, where it was asked for a service tier. */
  readonly servedTier?: string | null | undefined;
  /** Null where there is none. */
  readonly answer: EvidenceAnswer | null;
  /** Opaque states of tool calls by the record id they are found under. */
  readonly toolContexts: readonly { readonly id: string; readonly context: string }[];
  /** What becomes of the resource that the operation carries. */
  readonly closing?: ResourceClosing;
}

export interface SettleCommand extends MeasureFields, CountedUnderWay, CountedSpends {
  readonly operationId: string;
  readonly accountId: string;
  /** What the whole operation is measured to cost, parts captured before included. */
  readonly measuredMicros: bigint;
  /** Null keeps what is stored: a settlement tried again, or an operator's verdict. */
  readonly evidence: Evidence | null;
  /** Present where an operator decided it, and no measure. */
  readonly verdict?: VerdictDraft;
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
  readonly outboxEvent?: OutboxEvent;
  /** Tells functions of the host. */
  readonly hostEvents?: HostEvents | undefined;
  /** Under which it is noted that it uses resources: over with it. A note that stays counts for nothing once it has ended. */
  readonly uses?: readonly string[];
}

/** Present where a measure that was just made exceeds what was reserved for it. */
export interface BeyondHold {
  readonly beyondHold?: { readonly holdMicros: bigint };
}

export type SettleAnswer =
  | ({ readonly kind: 'settled'; readonly operation: OperationRecord; readonly walletSeq: number } & BeyondHold)
  /** The answer is stored and the hold kept until free balance suffices. */
  | ({ readonly kind: 'pending'; readonly operation: OperationRecord; readonly walletSeq: number } & BeyondHold)
  /** Decided before: nothing changed, but for a record of evidence that contradicts it. */
  | { readonly kind: 'ended'; readonly operation: OperationRecord }
  | { readonly kind: 'missing' };

const settleKeys = (command: SettleCommand): readonly Key[] => {
  const { operationId, accountId, evidence, uses = [] } = command;
  const keys: Key[] = [
    { table: 'operation', id: operationId },
    { table: 'wallet', id: accountId },
    anomalyKey(command.anomalyId),
    endLineKey(operationId),
  ];
  // Added list by list, most of which are empty: every chat has these keys made.
  keys.push(...outboxEventKeys(operationId, command.outboxEvent));
  if (command.hostEvents !== undefined) keys.push(...hostEventKeys(command.hostEvents, hostEventKinds, accountId));
  keys.push(...underWayKeys(command), ...spendKeys(command));
  if (command.hasResource === true) keys.push(...closeResourceKeys(operationId, evidence?.closing));
  // Fresh, for evidence hardly ever comes twice: where it does, the step is decided again on what is stored.
  if (evidence?.answer) keys.push({ table: 'answer', id: operationId, fresh: true });
  for (const { id } of evidence?.toolContexts ?? []) keys.push({ table: 'toolContext', id });
  for (const id of uses) keys.push({ table: 'resourceUse', id });
  return keys;
};

/** Removes the notes of an operation that has ended, so that a resource that is used for days does not gather them. */
const endUseWrites = (records: Records, { uses = [] }: SettleCommand): readonly Write[] =>
  uses.flatMap((id) =>
    records.get('resourceUse', id) === undefined ? [] : [{ kind: 'delete', table: 'resourceUse', id } as const],
  );

const answerChange = (answer: EvidenceAnswer | null): Partial<OperationRecord> =>
  answer === null ? {} : { answer: answer.partial === true ? 'partial' : 'stored' };

/** The fields and rows by which evidence becomes part of an operation. */
export const storeEvidence = (
  operation: OperationRecord,
  evidence: Evidence | null,
  times: { readonly nowMs: number; readonly answerKeptMs: number },
): { readonly change: Partial<OperationRecord>; readonly writes: readonly Write[] } => {
  if (evidence === null) return { change: {}, writes: [] };
  const writes: Write[] = evidence.toolContexts.map(({ id, context }) => ({
    kind: 'put',
    table: 'toolContext',
    record: { id, context, owner: null, dueAtMs: times.nowMs + times.answerKeptMs },
  }));
  if (evidence.answer !== null) {
    const { body, bytes, division = null } = evidence.answer;
    const record = { id: operation.id, body, bytes, division, createdAtMs: times.nowMs };
    writes.push({ kind: 'put', table: 'answer', record });
  }
  return {
    change: {
      usage: evidence.usage,
      usageAtLeast: evidence.usageAtLeast ?? null,
      attempts: evidence.attempts,
      servedTier: evidence.servedTier ?? operation.servedTier,
      ...answerChange(evidence.answer),
    },
    writes,
  };
};

/** What an ended operation has cost. */
const toldMeasure = ({ chargedMicros, absorbedMicros, carriedPicos }: OperationRecord): Measure => ({
  micros: chargedMicros + absorbedMicros,
  fractionPicos: carriedPicos,
});

const settleEnded = (
  records: Records,
  operation: OperationRecord,
  command: SettleCommand,
  nowMs: number,
): readonly Write[] => {
  // Of two verdicts the first one counts, and the second caller gets the first.
  if (command.verdict !== undefined) return [];
  const measure = measureOfFields(command.measuredMicros, command);
  if (operation.state !== 'failed' && exactPicos(toldMeasure(operation)) === exactPicos(measure)) return [];
  const code = operation.state === 'failed' ? 'late_settle_after_failure' : 'settled_with_another_measure';
  const { micros, fractionPicos } = measure;
  const detail = { measuredMicros: String(micros), ...(fractionPicos === 0 ? {} : { fractionPicos }) };
  const { anomalyId: id, hostEvents } = command;
  return anomalyWrites(records, operation, { id, code, detail, nowMs, hostEvents });
};

/** What is due of the measure, in whole micro-credits with what the account carries. */
const dueOf = (operation: OperationRecord, wallet: WalletRecord, command: SettleCommand): Carried =>
  carryAmount(wallet.remainderPicos, measureOfFields(command.measuredMicros - operation.chargedMicros, command));

/** How much of it is debited now: null where it must wait. */
const debitOf = (
  operation: OperationRecord,
  wallet: WalletRecord,
  due: bigint,
  { overrun }: SettleCommand,
): bigint | null => {
  const payable = operation.holdMicros + availableMicros(wallet);
  if (due <= payable) return due;
  return overrun === 'absorb' ? payable : null;
};

const verdictOf = (operation: OperationRecord, { verdict, evidence }: SettleCommand, nowMs: number) =>
  verdictChange(operation, { draft: verdict, brought: evidence === null ? 'nothing' : 'evidence' }, nowMs);

const settlementPending = (
  operation: OperationRecord,
  command: SettleCommand,
  due: Carried,
  nowMs: number,
): { readonly operation: OperationRecord; readonly writes: readonly Write[] } => {
  const { change, writes } = storeEvidence(operation, command.evidence, { nowMs, ...command });
  const waiting: Partial<OperationRecord> = {
    ...change,
    verdict: verdictOf(operation, command, nowMs),
    pendingMicros: operation.chargedMicros + due.amountMicros,
    carriedPicos: due.carriedPicos,
    errorCode: 'settlement_pending',
    owner: null,
    dueAtMs: nowMs + command.retryMs,
    updatedAtMs: nowMs,
  };
  const pending =
    operation.state === 'uncertain'
      ? { ...operation, ...waiting }
      : moveThrough(operation, [...toSettling(operation), 'uncertain'], waiting);
  const told = uncertainEventWrites(command.hostEvents, operation, pending, nowMs);
  return { operation: pending, writes: [{ kind: 'put', table: 'operation', record: pending }, ...writes, ...told] };
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

const settlementPaid = (
  operation: OperationRecord,
  command: SettleCommand,
  { debit, due }: { readonly debit: bigint; readonly due: Carried },
  nowMs: number,
): { readonly operation: OperationRecord; readonly writes: readonly Write[] } => {
  const verdict = verdictOf(operation, command, nowMs);
  const { change, writes } = storeEvidence(operation, command.evidence, { nowMs, ...command });
  const completed = completeOperation(
    operation,
    {
      ...change,
      ...(verdict === null || verdict.usage === null ? {} : { usage: verdict.usage }),
      verdict,
      chargedMicros: operation.chargedMicros + debit,
      absorbedMicros: due.amountMicros - debit,
      carriedPicos: due.carriedPicos,
      dueAtMs: nowMs + command.answerKeptMs,
    },
    nowMs,
  );
  return { operation: completed, writes: [{ kind: 'put', table: 'operation', record: completed }, ...writes] };
};

const debitWrites = (
  wallet: WalletRecord,
  operation: OperationRecord,
  { debit, carriedPicos }: { readonly debit: bigint; readonly carriedPicos: number },
  nowMs: number,
): { readonly wallet: WalletRecord; readonly writes: readonly Write[] } => {
  const changed = changeWallet(wallet, {
    balanceMicros: -debit,
    reservedMicros: -operation.holdMicros,
    remainderPicos: carriedPicos,
  });
  if (debit === 0n) return { wallet: changed, writes: [{ kind: 'put', table: 'wallet', record: changed }] };
  return walletWithEntry(changed, debitEntry(operation, debit, nowMs));
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

const beyondHold = (
  { holdMicros }: OperationRecord,
  { evidence }: SettleCommand,
  { amountMicros }: Carried,
): BeyondHold => (evidence !== null && amountMicros > holdMicros ? { beyondHold: { holdMicros } } : {});

const closingWrites = (
  records: Records,
  operation: OperationRecord,
  command: SettleCommand,
  nowMs: number,
): readonly Write[] =>
  command.hasResource === true ? closeResourceWrites(records, operation, command.evidence?.closing ?? null, nowMs) : [];

// ledger:overrun:*, ledger:numbers:micro
/**
 * Stores the answer, debits the measured amount, frees the surplus and ends the operation, in one step. What exceeds the
 * hold takes free balance only; where that is short, the operation waits as uncertain with its hold and its answer
 *. What is below a micro-credit is carried by the account. Truth that comes late is taken; truth that comes after the end is kept as an anomaly.
 */
export const settle = (command: SettleCommand): Step<SettleAnswer> => ({
  keys: settleKeys(command),
  decide: (records, nowMs) => {
    const found = findOperation(records, command);
    if (found === null) return { writes: [], answer: { kind: 'missing' } };
    const { operation, wallet } = found;
    if (operation.endedAtMs !== null)
      return { writes: settleEnded(records, operation, command, nowMs), answer: { kind: 'ended', operation } };
    const due = dueOf(operation, wallet, command);
    const { amountMicros, carriedPicos } = due;
    const beyond = beyondHold(operation, command, due);
    const debit = debitOf(operation, wallet, amountMicros, command);
    if (debit === null) {
      const pending = settlementPending(operation, command, due, nowMs);
      return {
        writes: [...pending.writes, ...closingWrites(records, pending.operation, command, nowMs)],
        answer: { kind: 'pending', operation: pending.operation, walletSeq: wallet.seq, ...beyond },
      };
    }
    const paid = settlementPaid(operation, command, { debit, due }, nowMs);
    const decided = { ...operation, verdict: paid.operation.verdict };
    const debited = debitWrites(wallet, decided, { debit, carriedPicos }, nowMs);
    return {
      writes: [
        ...debited.writes,
        ...paid.writes,
        endLineWrite(operation, paid.operation, nowMs),
        ...closingWrites(records, paid.operation, command, nowMs),
        ...outboxEventWrites(records, paid.operation, command.outboxEvent, nowMs),
        ...settledEventWrites(records, command.hostEvents, paid.operation, {
          before: wallet,
          after: debited.wallet,
          nowMs,
        }),
        ...underWayWrites(records, operation, paid.operation),
        ...spendWrites(records, operation, paid.operation),
        ...endUseWrites(records, command),
      ],
      answer: { kind: 'settled', operation: paid.operation, walletSeq: debited.wallet.seq, ...beyond },
    };
  },
});
