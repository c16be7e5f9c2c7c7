import type { PaymentRecord, Records, WalletRecord, Write } from '@tollgate/storage';
import { microsMax } from '../ledger/micros.ts';
import { depositId, depositRecord } from './deposit.ts';
import {
  addCredits,
  balanceOf,
  findFunds,
  fundsKeys,
  takeCredits,
  writeFunds,
  type Funds,
  type Line,
} from './funds.ts';
import { balanceEventWrites, hostEventKeys, type HostEvents } from './host-event.ts';
import type { Step } from './step.ts';

/** A payment as its service knows it now: all that was refunded and disputed, whatever notices have arrived. */
export interface PaymentCommand {
  readonly accountId: string;
  /** The service's name for the payment. One payment is credited once, and to one account. */
  readonly reference: string;
  /** The credits that it bought. */
  readonly creditMicros: bigint;
  /** Of these, what refunds and disputes take back in all. */
  readonly backMicros: bigint;
  /**
   * One more than that of the record when the payment was looked up at its service, and 0 where there was none: what was looked up
   * before another change does not undo it.
   */
  readonly version: number;
  /** What told of it: the id of an event, or the name of a job. It is kept with the change. */
  readonly notice: string;
  /** What becomes of credits to be taken back that are spent. */
  readonly shortfall: 'owe' | 'forgive';
}

export type PaymentAnswer =
  | {
      readonly kind: 'done' | 'repeated';
      readonly wallet: WalletRecord;
      readonly payment: PaymentRecord;
      readonly owedMicros: bigint;
      /** Whether this step gave the credits of the payment. */
      readonly credited: boolean;
    }
  /** It is known for another account or for other credits. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'missing' };

interface Move {
  readonly funds: Funds;
  readonly backMicros: bigint;
  readonly takenMicros: bigint;
}

const nothingBack = { backMicros: 0n, takenMicros: 0n };

/** Brings what is taken back to what is due: never more than the payment gave, and never again what the host bore. */
const takeBack = (funds: Funds, command: PaymentCommand, before: Omit<Move, 'funds'>): Move => {
  const { reference, creditMicros, shortfall } = command;
  const backMicros = command.backMicros > creditMicros ? creditMicros : command.backMicros;
  const line = (amountMicros: bigint): Line => ({ kind: 'compensation', amountMicros, operationId: null, reference });
  const { takenMicros } = before;
  const moreMicros = backMicros - before.backMicros;
  if (moreMicros <= 0n) {
    if (takenMicros <= backMicros) return { funds, backMicros, takenMicros };
    return { funds: addCredits(funds, line(takenMicros - backMicros)), backMicros, takenMicros: backMicros };
  }
  const after = takeCredits(funds, line(-moreMicros), shortfall);
  const reallyMicros = shortfall === 'owe' ? moreMicros : balanceOf(funds) - balanceOf(after);
  return { funds: after, backMicros, takenMicros: takenMicros + reallyMicros };
};

const isKnownOtherwise = (records: Records, command: PaymentCommand): boolean => {
  const { accountId, reference, creditMicros } = command;
  const before = records.get('payment', reference);
  const deposited = records.get('deposit', depositId(command))?.amountMicros ?? creditMicros;
  if (deposited !== creditMicros) return true;
  return before !== undefined && (before.accountId !== accountId || before.creditedMicros !== creditMicros);
};

const credit = (funds: Funds, { reference, creditMicros }: PaymentCommand): Funds =>
  addCredits(funds, { kind: 'deposit', amountMicros: creditMicros, operationId: null, reference });

const putDeposit = ({ accountId, reference, creditMicros }: PaymentCommand, funds: Funds): Write => ({
  kind: 'put',
  table: 'deposit',
  record: depositRecord({ accountId, reference, amountMicros: creditMicros }, funds),
});

const putPayment = (record: PaymentRecord): Write => ({ kind: 'put', table: 'payment', record });

/**
 * Credits a payment once and takes back what was refunded or disputed since, whatever the order in which notices of both arrive:
 * the command has the payment as it is, and only what was looked up later changes anything.
 */
export const notePaymentStep = (command: PaymentCommand, hostEvents?: HostEvents): Step<PaymentAnswer> => ({
  keys: [
    ...fundsKeys(command.accountId),
    { table: 'deposit', id: depositId(command) },
    { table: 'payment', id: command.reference },
    ...hostEventKeys(hostEvents, ['low_balance', 'threshold']),
  ],
  decide: (records, nowMs) => {
    const { accountId, reference, creditMicros, version, notice } = command;
    const start = findFunds(records, accountId);
    if (start === undefined) return { writes: [], answer: { kind: 'missing' } };
    if (isKnownOtherwise(records, command)) return { writes: [], answer: { kind: 'conflict' } };
    const before = records.get('payment', reference);
    const { wallet, owedMicros } = start;
    if (before !== undefined && before.version >= version)
      return { writes: [], answer: { kind: 'repeated', wallet, payment: before, owedMicros, credited: false } };
    const credited = records.get('deposit', depositId(command)) === undefined;
    const paid = credited ? credit(start, command) : start;
    const { funds, ...moved } = takeBack(paid, command, before ?? nothingBack);
    if (balanceOf(paid) > microsMax || balanceOf(funds) > microsMax)
      return { writes: [], answer: { kind: 'too_large' } };
    const done = writeFunds(funds, owedMicros, nowMs);
    const createdAtMs = before?.createdAtMs ?? nowMs;
    const payment = { id: reference, accountId, creditedMicros: creditMicros, ...moved, version, notice, createdAtMs };
    return {
      writes: [
        ...done.writes,
        ...(credited ? [putDeposit(command, funds)] : []),
        putPayment(payment),
        ...balanceEventWrites(records, hostEvents, {
          before: wallet,
          after: done.wallet,
          nowMs,
          operation: null,
        }),
      ],
      answer: { kind: 'done', wallet: done.wallet, payment, owedMicros: funds.owedMicros, credited },
    };
  },
});
