import { isResourceKind } from '@tollgate/contract';
import type { AttemptRecord, Decide, OperationRecord } from '@tollgate/storage';
import { captureKeys, type CaptureCommand } from '../../../packages/engine/src/decisions/capture.ts';
import { depositKeys, type DepositCommand } from '../../../packages/engine/src/decisions/deposit.ts';
import { doubtKeys, type DoubtCommand } from '../../../packages/engine/src/decisions/doubt.ts';
import { extendKeys, type ExtendCommand } from '../../../packages/engine/src/decisions/extend.ts';
import { failKeys, type FailCommand } from '../../../packages/engine/src/decisions/fail.ts';
import { openKeys } from '../../../packages/engine/src/decisions/open.ts';
import { purgeKeys } from '../../../packages/engine/src/decisions/purge.ts';
import { renewKeys } from '../../../packages/engine/src/decisions/renew.ts';
import { useId } from '../../../packages/engine/src/decisions/resource-draft.ts';
import { settleKeys, type Evidence, type SettleCommand } from '../../../packages/engine/src/decisions/settle.ts';
import { parseTariff, type ModelTariff } from '../../../packages/engine/src/tariff.ts';
import { isEventBody, isWorkBody, type Command, type CommandBody, type MoneyBody } from './command.ts';
import type { Decisions } from './decisions.ts';
import { setAccess } from './access-step.ts';
import type { Memo } from './memo.ts';
import { tell, type ModelStep } from './model-step.ts';
import { noticeOf } from './notice-of.ts';
import { openCommand } from './open-command.ts';
import { answerKeptMs, leaseMs, recordKeptMs, retryMs, type Slot } from './slot.ts';
import { tellCapture, tellDeposit, tellDoubt, tellExtend, tellFail, tellOpen, tellSettle, type Told } from './told.ts';
import { toEventStep } from './to-event-step.ts';
import { closingOf, toWorkStep } from './to-work-step.ts';
import type { Closing } from './work-command.ts';

type Of<K extends CommandBody['kind']> = Extract<CommandBody, { readonly kind: K }>;

const attempts: readonly AttemptRecord[] = [
  { provider: 'p', startedAtMs: 1, durationMs: 1, status: 200, outcome: 'answered' },
];

const evidenceOf = (answered: boolean, closing: Closing | undefined): Evidence => ({
  usage: answered ? [{ unit: 'input_text_tokens', quantity: 1 }] : null,
  attempts,
  answer: answered ? { body: '{"text":"hello"}', bytes: 16 } : null,
  toolContexts: [],
  ...(closing === undefined ? {} : { closing: closingOf(closing) }),
});

type SettleInput = Pick<Of<'settle'>, 'slot' | 'measured' | 'overrun' | 'anomalyId' | 'used'>;

const settleCommand = (
  { slot, measured, overrun, anomalyId, used = [] }: SettleInput,
  evidence: Evidence | null,
): SettleCommand => ({
  operationId: slot.operationId,
  accountId: slot.accountId,
  measuredMicros: BigInt(measured),
  evidence,
  overrun,
  retryMs,
  answerKeptMs,
  anomalyId,
  ...(isResourceKind(slot.kind ?? '') ? { hasResource: true } : {}),
  notice: noticeOf(slot),
  uses: used.map((id) => useId(id, slot.operationId)),
});

const failCommand = ({ slot, anomalyId, owner }: Pick<Of<'fail'>, 'slot' | 'anomalyId' | 'owner'>): FailCommand => ({
  operationId: slot.operationId,
  accountId: slot.accountId,
  errorCode: 'service_unavailable',
  attempts: null,
  recordKeptMs,
  anomalyId,
  notice: noticeOf(slot),
  ...(owner === undefined ? {} : { owner }),
});

/** Nobody settles or doubts what was never started: the record says so to whoever would. */
const onceStarted = ({ operationId }: Slot, { keys, decide }: ModelStep): ModelStep => ({
  keys,
  decide: (records, nowMs) =>
    records.get('operation', operationId)?.state === 'reserved'
      ? { writes: [], answer: { text: 'not_started' } }
      : decide(records, nowMs),
});

const settleStep = (decisions: Decisions, body: Of<'settle'>): ModelStep => {
  const command = settleCommand(body, evidenceOf(body.answered, body.closing));
  const decide = tell(decisions.settle(command), tellSettle);
  return onceStarted(body.slot, { keys: () => settleKeys(command), decide });
};

/** An operator's verdict, as the administration gives it: only on an operation that is uncertain now. */
const resolveStep = (decisions: Decisions, { slot, verdict, measured, anomalyId }: Of<'resolve'>): ModelStep => {
  const keys = () => settleKeys(settleCommand({ slot, measured: 0, overrun: 'pending', anomalyId }, null));
  const decide: Decide<Told> = (records, nowMs) => {
    const operation = records.get('operation', slot.operationId);
    if (operation?.state !== 'uncertain') return { writes: [], answer: { text: 'not_uncertain' } };
    if (verdict === 'failed') return tell(decisions.fail(failCommand({ slot, anomalyId })), tellFail)(records, nowMs);
    const amount = measured === null ? operation.pendingMicros : BigInt(measured);
    if (amount === null) return { writes: [], answer: { text: 'amount_needed' } };
    const command = settleCommand({ slot, measured: 0, overrun: 'pending', anomalyId }, null);
    return tell(decisions.settle({ ...command, measuredMicros: amount }), tellSettle)(records, nowMs);
  };
  return { keys, decide };
};

/** A purge names the operation as a sweep's claim showed it; these are the fields it goes by. */
const claimedRecord = ({ operationId: id, projectId, identity, kind }: Slot, owner: string | null) =>
  ({ id, projectId, identity, kind: kind ?? 'chat_completion', owner }) as OperationRecord;

const depositStep = (decisions: Decisions, body: Of<'deposit' | 'compensate'>): ModelStep => {
  const command: DepositCommand = {
    accountId: body.accountId,
    kind: body.kind === 'deposit' ? 'deposit' : 'compensation',
    amountMicros: BigInt(body.amount),
    reference: body.reference,
    operationId: null,
  };
  return { keys: () => depositKeys(command), decide: tell(decisions.deposit(command), tellDeposit) };
};

const tariff: ModelTariff | undefined = parseTariff({
  version: 't1',
  models: {
    m: { perMillion: { input_text_tokens: '0.150001', cached_input_tokens: '0.015', output_text_tokens: '0.6' } },
  },
}).models.get('m');

const priceStep = (decisions: Decisions, { used, rounding }: Of<'price'>): ModelStep => {
  if (tariff === undefined) throw new Error('the tariff of the histories was not parsed');
  const quantities = [
    { unit: 'input_text_tokens', quantity: used.input },
    { unit: 'cached_input_tokens', quantity: used.cached },
    { unit: 'output_text_tokens', quantity: used.output },
  ] as const;
  const text = String(decisions.price(tariff, quantities, rounding));
  return { keys: () => [], decide: () => ({ writes: [], answer: { text } }) };
};

const extendStep = (decisions: Decisions, { slot, hold }: Of<'extend'>): ModelStep => {
  const { operationId, accountId } = slot;
  const command: ExtendCommand = { operationId, accountId, holdMicros: BigInt(hold) };
  return { keys: () => extendKeys(command), decide: tell(decisions.extend(command), tellExtend) };
};

const captureStep = (decisions: Decisions, { slot, sequence, amount }: Of<'capture'>): ModelStep => {
  const { operationId, accountId } = slot;
  const command: CaptureCommand = { operationId, accountId, sequence, amountMicros: BigInt(amount) };
  return { keys: () => captureKeys(command), decide: tell(decisions.capture(command), tellCapture) };
};

const doubtStep = (decisions: Decisions, { slot, answered, expiredOwner, closing }: Of<'doubt'>): ModelStep => {
  const knows = expiredOwner === null || answered || closing !== undefined;
  const evidence = knows ? evidenceOf(answered, closing) : null;
  const command: DoubtCommand = {
    operationId: slot.operationId,
    evidence,
    answerKeptMs,
    decideAfterMs: null,
    expiredOwner,
  };
  const decide = tell(decisions.doubt(command), tellDoubt);
  return onceStarted(slot, { keys: () => doubtKeys(command), decide });
};

const renewStep = (decisions: Decisions, { leases }: Of<'renew'>): ModelStep => {
  const command = { operations: leases.map(({ slot, owner }) => ({ id: slot.operationId, owner })), leaseMs };
  return {
    keys: () => renewKeys(command),
    decide: tell(decisions.renew(command), ({ lost }) => ({ text: `lost ${lost.join()}` })),
  };
};

const purgeStep = (decisions: Decisions, { slot, owner, parent }: Of<'purge'>): ModelStep => {
  const uncounted = { kind: slot.kind ?? '', parent: parent ?? null };
  const command = { operation: claimedRecord(slot, owner), recordKeptMs, uncounted };
  return { keys: () => purgeKeys(command), decide: tell(decisions.purge(command), (text) => ({ text })) };
};

/** The step of a command about money. */
const toMoneyStep = (decisions: Decisions, body: MoneyBody, repeated: boolean): ModelStep => {
  switch (body.kind) {
    case 'open': {
      const command = openCommand(body, repeated);
      return { keys: () => openKeys(command), decide: tell(decisions.open(command), tellOpen) };
    }
    case 'settle':
      return settleStep(decisions, body);
    case 'fail': {
      const command = failCommand(body);
      return { keys: () => failKeys(command), decide: tell(decisions.fail(command), tellFail) };
    }
    case 'extend':
      return extendStep(decisions, body);
    case 'capture':
      return captureStep(decisions, body);
    case 'doubt':
      return doubtStep(decisions, body);
    case 'resolve':
      return resolveStep(decisions, body);
    case 'deposit':
    case 'compensate':
      return depositStep(decisions, body);
    case 'renew':
      return renewStep(decisions, body);
    case 'purge':
      return purgeStep(decisions, body);
    case 'access':
      return setAccess(body);
    case 'price':
      return priceStep(decisions, body);
  }
};

/** The step of a command; what it goes by is taken from the memo when it is sent. */
export const toStep = (decisions: Decisions, memo: Memo, { body, repeatOf }: Command): ModelStep => {
  if (isWorkBody(body)) return toWorkStep(decisions, memo, body);
  if (isEventBody(body)) return toEventStep(decisions, memo, body);
  return toMoneyStep(decisions, body, repeatOf !== null);
};
