import type { OperationRecord } from '@tollgate/storage';
import type { CaptureCommand } from '../../packages/engine/src/decisions/capture.ts';
import type { DepositCommand } from '../../packages/engine/src/decisions/deposit.ts';
import type { MarkUncertainCommand } from '../../packages/engine/src/decisions/mark-uncertain.ts';
import type { ExtendCommand } from '../../packages/engine/src/decisions/extend.ts';
import { bringsEvidence, isEventBody, isWorkBody, type Command, type CommandBody, type MoneyBody } from './command.ts';
import type { Decisions } from './decisions.ts';
import { setAccess } from './access-step.ts';
import { openCapped, setCap, spendsOf } from './cap-step.ts';
import { evidenceOf, failCommand, settleCommand } from './ending-command.ts';
import type { Memo } from './memo.ts';
import { tell, type ModelStep } from './model-step.ts';
import { openCommand } from './open-command.ts';
import { chargeStep, priceStep, sellStep } from './price-step.ts';
import { answerKeptMs, leaseMs, recordKeptMs, type Slot } from './slot.ts';
import {
  tellCapture,
  tellCollect,
  tellDeposit,
  tellUncertain,
  tellExtend,
  tellFail,
  tellOpen,
  tellPayment,
  tellSettle,
} from './told.ts';
import { toEventStep } from './to-event-step.ts';
import { toWorkStep } from './to-work-step.ts';
import { resolveStep, retryStep } from './verdict-step.ts';

type Of<K extends CommandBody['kind']> = Extract<CommandBody, { readonly kind: K }>;

/** What was never started is not settled or marked uncertain: the record says so. */
const onceStarted = ({ operationId }: Slot, { keys, decide }: ModelStep): ModelStep => ({
  keys,
  decide: (records, nowMs) =>
    records.get('operation', operationId)?.state === 'reserved'
      ? { writes: [], answer: { text: 'not_started' } }
      : decide(records, nowMs),
});

const settleStep = (decisions: Decisions, body: Of<'settle'>): ModelStep => {
  const command = settleCommand(body, evidenceOf(body.answered, body.closing));
  return onceStarted(body.slot, tell(decisions.settle(command), tellSettle));
};

/** A purge names the operation as a sweep's claim showed it; these are the fields it goes by. */
const claimedRecord = ({ operationId: id, projectId, accountId, identity, kind }: Slot, owner: string | null) =>
  // Whatever it carries, its wallet is at hand.
  ({
    id,
    projectId,
    accountId,
    identity,
    kind: kind ?? 'chat_completion',
    carriedPicos: 1,
    owner,
  }) as OperationRecord;

const depositStep = (decisions: Decisions, body: Of<'deposit' | 'compensate'>): ModelStep => {
  const command: DepositCommand = {
    accountId: body.accountId,
    kind: body.kind === 'deposit' ? 'deposit' : 'compensation',
    amountMicros: BigInt(body.amount),
    reference: body.reference,
    operationId: null,
    shortfall: body.shortfall,
  };
  return tell(decisions.deposit(command), tellDeposit);
};

const paymentStep = (decisions: Decisions, body: Of<'pay'>): ModelStep => {
  const { accountId, reference, version, shortfall } = body;
  const amounts = { creditMicros: BigInt(body.amount), backMicros: BigInt(body.back) };
  return tell(decisions.pay({ accountId, reference, version, shortfall, notice: '', ...amounts }), tellPayment);
};

const extendStep = (decisions: Decisions, { slot, hold }: Of<'extend'>): ModelStep => {
  const { operationId, accountId } = slot;
  const command: ExtendCommand = { operationId, accountId, holdMicros: BigInt(hold), spends: spendsOf(slot) };
  return tell(decisions.extend(command), tellExtend);
};

const captureStep = (decisions: Decisions, { slot, sequence, amount }: Of<'capture'>): ModelStep => {
  const { operationId, accountId } = slot;
  const amountMicros = BigInt(amount);
  const command: CaptureCommand = { operationId, accountId, sequence, amountMicros, spends: spendsOf(slot) };
  return tell(decisions.capture(command), tellCapture);
};

const markUncertainStep = (decisions: Decisions, body: Of<'doubt'>): ModelStep => {
  const { slot, answered, expiredOwner, closing, atLeast } = body;
  const evidence = bringsEvidence(body) ? evidenceOf(answered, closing, atLeast) : null;
  const command: MarkUncertainCommand = {
    operationId: slot.operationId,
    evidence,
    answerKeptMs,
    decideAfterMs: null,
    expiredOwner,
  };
  return onceStarted(slot, tell(decisions.doubt(command), tellUncertain));
};

const renewStep = (decisions: Decisions, { leases }: Of<'renew'>): ModelStep => {
  const command = { operations: leases.map(({ slot, owner }) => ({ id: slot.operationId, owner })), leaseMs };
  return tell(decisions.renew(command), ({ lost }) => ({ text: `lost ${lost.join()}` }));
};

const purgeStep = (decisions: Decisions, { slot, owner, parent }: Of<'purge'>): ModelStep => {
  const uncounted = { kind: slot.kind ?? '', parent: parent ?? null };
  const command = { operation: claimedRecord(slot, owner), recordKeptMs, uncounted };
  return tell(decisions.purge(command), (text) => ({ text }));
};

/** The step of a command about money. */
const toMoneyStep = (decisions: Decisions, body: MoneyBody, repeated: boolean): ModelStep => {
  switch (body.kind) {
    case 'open': {
      const command = openCommand(body, repeated);
      return body.slot.capped === true
        ? openCapped(decisions, body.slot, command)
        : tell(decisions.open(command), tellOpen);
    }
    case 'settle':
      return settleStep(decisions, body);
    case 'fail': {
      const command = failCommand(body);
      return tell(decisions.fail(command), tellFail);
    }
    case 'extend':
      return extendStep(decisions, body);
    case 'capture':
      return captureStep(decisions, body);
    case 'doubt':
      return markUncertainStep(decisions, body);
    case 'resolve':
      return resolveStep(decisions, body);
    case 'retry':
      return retryStep(decisions, body);
    case 'deposit':
    case 'compensate':
      return depositStep(decisions, body);
    case 'pay':
      return paymentStep(decisions, body);
    case 'collect':
      return tell(decisions.collect(body.accountId), tellCollect);
    case 'renew':
      return renewStep(decisions, body);
    case 'purge':
      return purgeStep(decisions, body);
    case 'access':
      return setAccess(body);
    case 'cap':
      return setCap(body);
    case 'price':
      return priceStep(decisions, body);
    case 'charge':
      return chargeStep(decisions, body);
    case 'sell':
      return sellStep(decisions, body);
  }
};

/** The step of a command; what it goes by is taken from the memo when it is sent. */
export const toStep = (decisions: Decisions, memo: Memo, { body, repeatOf }: Command): ModelStep => {
  if (isWorkBody(body)) return toWorkStep(decisions, memo, body);
  if (isEventBody(body)) return toEventStep(decisions, memo, body);
  return toMoneyStep(decisions, body, repeatOf !== null);
};
