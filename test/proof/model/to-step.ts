import type { AttemptRecord, Decide, Key, OperationRecord } from '@tollgate/storage';
import { captureKeys, type CaptureCommand } from '../../../packages/engine/src/decisions/capture.ts';
import { depositKeys, type DepositCommand } from '../../../packages/engine/src/decisions/deposit.ts';
import { doubtKeys, type DoubtCommand } from '../../../packages/engine/src/decisions/doubt.ts';
import { extendKeys, type ExtendCommand } from '../../../packages/engine/src/decisions/extend.ts';
import { failKeys, type FailCommand } from '../../../packages/engine/src/decisions/fail.ts';
import { openKeys, type OpenCommand } from '../../../packages/engine/src/decisions/open.ts';
import { purgeKeys } from '../../../packages/engine/src/decisions/purge.ts';
import { renewKeys } from '../../../packages/engine/src/decisions/renew.ts';
import { settleKeys, type Evidence, type SettleCommand } from '../../../packages/engine/src/decisions/settle.ts';
import { parseTariff, type ModelTariff } from '../../../packages/engine/src/tariff.ts';
import { answerKeptMs, leaseMs, recordKeptMs, retryMs, type Command, type CommandBody, type Slot } from './command.ts';
import type { Decisions } from './decisions.ts';
import { setAccess } from './access-step.ts';
import { tellCapture, tellDeposit, tellDoubt, tellExtend, tellFail, tellOpen, tellSettle, type Told } from './told.ts';

/** A command as one step of a storage. */
export interface ModelStep {
  readonly keys: () => readonly Key[];
  readonly decide: Decide<Told>;
}

type Of<K extends CommandBody['kind']> = Extract<CommandBody, { readonly kind: K }>;

const tell =
  <T>(decide: Decide<T>, say: (answer: T) => Told): Decide<Told> =>
  (records, nowMs) => {
    const { writes, answer } = decide(records, nowMs);
    return { writes, answer: say(answer) };
  };

const attempts: readonly AttemptRecord[] = [
  { provider: 'p', startedAtMs: 1, durationMs: 1, status: 200, outcome: 'answered' },
];

const evidenceOf = (answered: boolean): Evidence => ({
  usage: answered ? [{ unit: 'input_text_tokens', quantity: 1 }] : null,
  attempts,
  answer: answered ? { body: '{"text":"hello"}', bytes: 16 } : null,
  toolContexts: [],
});

const openCommand = (body: Of<'open'>, repeated: boolean): OpenCommand => ({
  operationId: body.slot.operationId,
  keyId: body.slot.keyId,
  projectId: body.slot.projectId,
  accountId: body.slot.accountId,
  kind: 'chat_completion',
  model: 'm',
  identity: body.slot.identity,
  fingerprint: body.fingerprint,
  holdMicros: BigInt(body.hold),
  tariffVersion: 't1',
  answerForm: 'json',
  refusal: body.refused ? 'unsupported_parameter' : null,
  owner: body.owner,
  leaseMs,
  repeated,
});

type SettleInput = Pick<Of<'settle'>, 'slot' | 'measured' | 'overrun' | 'anomalyId'>;

const settleCommand = (
  { slot, measured, overrun, anomalyId }: SettleInput,
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
});

const failCommand = ({ slot, anomalyId }: Pick<Of<'fail'>, 'slot' | 'anomalyId'>): FailCommand => ({
  operationId: slot.operationId,
  accountId: slot.accountId,
  errorCode: 'service_unavailable',
  attempts: null,
  recordKeptMs,
  anomalyId,
});

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
const claimedRecord = (slot: Slot, owner: string | null): OperationRecord =>
  ({ id: slot.operationId, projectId: slot.projectId, identity: slot.identity, owner }) as OperationRecord;

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

const doubtStep = (decisions: Decisions, { slot, answered, expiredOwner }: Of<'doubt'>): ModelStep => {
  const evidence = expiredOwner === null || answered ? evidenceOf(answered) : null;
  const command: DoubtCommand = {
    operationId: slot.operationId,
    evidence,
    answerKeptMs,
    decideAfterMs: null,
    expiredOwner,
  };
  return { keys: () => doubtKeys(command), decide: tell(decisions.doubt(command), tellDoubt) };
};

const renewStep = (decisions: Decisions, { slots, owner }: Of<'renew'>): ModelStep => {
  const command = { operations: slots.map((slot) => ({ id: slot.operationId, owner })), leaseMs };
  return {
    keys: () => renewKeys(command),
    decide: tell(decisions.renew(command), ({ lost }) => ({ text: `lost ${lost.join()}` })),
  };
};

const purgeStep = (decisions: Decisions, { slot, owner }: Of<'purge'>): ModelStep => {
  const command = { operation: claimedRecord(slot, owner), recordKeptMs };
  return { keys: () => purgeKeys(command), decide: tell(decisions.purge(command), (text) => ({ text })) };
};

/** The step of a command. */
export const toStep = (decisions: Decisions, { body, repeatOf }: Command): ModelStep => {
  switch (body.kind) {
    case 'open': {
      const command = openCommand(body, repeatOf !== null);
      return { keys: () => openKeys(command), decide: tell(decisions.open(command), tellOpen) };
    }
    case 'settle': {
      const command = settleCommand(body, evidenceOf(body.answered));
      return { keys: () => settleKeys(command), decide: tell(decisions.settle(command), tellSettle) };
    }
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
