import type { AccountRecord, PaymentOrderRecord, Records, TopUpRecord, Write } from '@tollgate/storage';
import { findFunds, freeMicros, fundsKeys } from './funds.ts';
import { newOrder, putOrder, type OrderCommand } from './payment-order.ts';
import type { Step } from './step.ts';

const hourMs = 3_600_000;

/** A refused payment keeps the next one back for an hour, and each further refusal for twice as long, up to this. */
export const topUpPauseMsMax = 72 * hourMs;

export interface TopUpCommand extends Omit<OrderCommand, 'reference'> {
  /** The free balance below which credits are bought. */
  readonly belowMicros: bigint;
  /** What may be charged in a month of UTC, in the smallest unit of the currency. */
  readonly monthPriceMax: number;
}

export type BeginTopUpAnswer =
  /** `resumed` is one that was begun before and whose end is not known: its payment is asked for under the same name. */
  | { readonly kind: 'begun' | 'resumed'; readonly order: PaymentOrderRecord }
  /** The balance is not below. */
  | { readonly kind: 'enough'; readonly freeMicros: bigint }
  /** A payment was refused not long ago. */
  | { readonly kind: 'waiting'; readonly untilMs: number }
  | { readonly kind: 'month_full'; readonly monthPrice: number }
  /** A payment needs the customer. */
  | { readonly kind: 'stopped'; readonly paymentId: string }
  /** The account is not let in. */
  | { readonly kind: 'inactive'; readonly status: AccountRecord['status'] }
  | { readonly kind: 'missing' };

/** The id of the order of a top-up, by its number in the account. */
const topUpOrderId = (accountId: string, number: number): string => `topup:${accountId}:${number}`;

const newTopUp = (id: string): TopUpRecord => ({
  id,
  begun: 0,
  orderId: null,
  month: '',
  monthPrice: 0,
  refusals: 0,
  waitUntilMs: 0,
  stoppedBy: null,
});

const put = (record: TopUpRecord): Write => ({ kind: 'put', table: 'topUp', record });

const monthOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 7);

/** The record in this month: what was charged in another is not of this one. */
const inMonth = (topUp: TopUpRecord, month: string): TopUpRecord =>
  topUp.month === month ? topUp : { ...topUp, month, monthPrice: 0 };

const whyNot = (topUp: TopUpRecord, command: TopUpCommand, nowMs: number): BeginTopUpAnswer | null => {
  if (topUp.stoppedBy !== null) return { kind: 'stopped', paymentId: topUp.stoppedBy };
  if (topUp.waitUntilMs > nowMs) return { kind: 'waiting', untilMs: topUp.waitUntilMs };
  if (topUp.monthPrice + command.price > command.monthPriceMax)
    return { kind: 'month_full', monthPrice: topUp.monthPrice };
  return null;
};

const begin = (topUp: TopUpRecord, command: TopUpCommand, nowMs: number) => {
  const begun = topUp.begun + 1;
  const order = newOrder(topUpOrderId(command.accountId, begun), command, nowMs);
  const after = { ...topUp, begun, orderId: order.id, monthPrice: topUp.monthPrice + command.price };
  const answer: BeginTopUpAnswer = { kind: 'begun', order };
  return { writes: [putOrder(order), put(after)], answer };
};

const underWay = (records: Records, accountId: string): PaymentOrderRecord | undefined => {
  const orderId = records.get('topUp', accountId)?.orderId ?? null;
  return orderId === null ? undefined : records.get('paymentOrder', orderId);
};

/**
 * Decides whether an account buys credits by itself now, and writes the order down where it does: at most one is under way.
 * `begun` is how many the account had when it was read, since the next order is named by it: where another began meanwhile, the
 * caller reads again.
 */
export const beginTopUp = (
  command: TopUpCommand,
  begun: number,
): Step<BeginTopUpAnswer | { readonly kind: 'again' }> => {
  const { accountId } = command;
  const orders = [begun, begun + 1].map((number) => topUpOrderId(accountId, number));
  return {
    keys: [
      ...fundsKeys(accountId),
      { table: 'topUp', id: accountId },
      ...orders.map((id) => ({ table: 'paymentOrder', id }) as const),
    ],
    decide: (records, nowMs) => {
      const funds = findFunds(records, accountId);
      if (funds === undefined) return { writes: [], answer: { kind: 'missing' } };
      const topUp = records.get('topUp', accountId) ?? newTopUp(accountId);
      if (topUp.begun !== begun) return { writes: [], answer: { kind: 'again' } };
      const order = underWay(records, accountId);
      if (order !== undefined) return { writes: [], answer: { kind: 'resumed', order } };
      const status = records.get('account', accountId)?.status ?? 'active';
      if (status !== 'active') return { writes: [], answer: { kind: 'inactive', status } };
      const free = freeMicros(funds);
      if (free >= command.belowMicros) return { writes: [], answer: { kind: 'enough', freeMicros: free } };
      const current = inMonth(topUp, monthOf(nowMs));
      const refusal = whyNot(current, command, nowMs);
      return refusal === null ? begin(current, command, nowMs) : { writes: [], answer: refusal };
    },
  };
};

/** How the payment of a top-up went wrong. */
export interface TopUpRefusal {
  readonly accountId: string;
  readonly orderId: string;
  readonly price: number;
  /** The payment that needs the customer; null where it was refused. */
  readonly stoppedBy: string | null;
}

export type TopUpRefusalAnswer =
  | { readonly kind: 'stopped' | 'refused'; readonly topUp: TopUpRecord }
  /** Another end came first. */
  | { readonly kind: 'ended' };

const pauseMs = (refusals: number): number => Math.min(hourMs * 2 ** (refusals - 1), topUpPauseMsMax);

/** Ends a top-up that was not paid: its price is free in the month again, and the next one waits, or waits for the customer. */
export const refuseTopUp = ({ accountId, orderId, price, stoppedBy }: TopUpRefusal): Step<TopUpRefusalAnswer> => ({
  keys: [{ table: 'topUp', id: accountId }],
  decide: (records, nowMs) => {
    const before = records.get('topUp', accountId);
    if (before?.orderId !== orderId) return { writes: [], answer: { kind: 'ended' } };
    const refusals = before.refusals + 1;
    const topUp: TopUpRecord = {
      ...before,
      orderId: null,
      monthPrice: Math.max(0, before.monthPrice - price),
      refusals,
      waitUntilMs: nowMs + pauseMs(refusals),
      stoppedBy,
    };
    return { writes: [put(topUp)], answer: { kind: stoppedBy === null ? 'refused' : 'stopped', topUp } };
  },
});

/** What a paid order changes of the top-up that waited for it. */
export const topUpPaid = (topUp: TopUpRecord | undefined, orderId: string): readonly Write[] =>
  topUp?.orderId === orderId ? [put({ ...topUp, orderId: null, refusals: 0, waitUntilMs: 0, stoppedBy: null })] : [];

/** Lets an account buy again: the customer has a new card, or a card that works again. */
export const allowTopUp = (accountId: string): Step<TopUpRecord | null> => ({
  keys: [{ table: 'topUp', id: accountId }],
  decide: (records) => {
    const before = records.get('topUp', accountId);
    if (before === undefined) return { writes: [], answer: null };
    const topUp = { ...before, refusals: 0, waitUntilMs: 0, stoppedBy: null };
    return { writes: [put(topUp)], answer: topUp };
  },
});
