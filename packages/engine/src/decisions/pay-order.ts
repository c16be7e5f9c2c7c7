import type { Key, PaymentOrderRecord, Records, Write } from '@tollgate/storage';
import type { HostEvents } from './host-event.ts';
import { notePaymentStep, type PaymentAnswer, type PaymentCommand } from './payment.ts';
import { putOrder } from './payment-order.ts';
import type { Step } from './step.ts';
import { topUpPaid } from './top-up.ts';

/** A payment of an order, as its service knows it now. */
export interface OrderPaymentCommand extends Pick<PaymentCommand, 'accountId' | 'version' | 'notice' | 'shortfall'> {
  readonly orderId: string;
  readonly paymentId: string;
  /** What was received, and what of it went back by refunds and disputes, in the smallest unit of the currency. */
  readonly paid: number;
  readonly back: number;
  readonly currency: string;
}

export type OrderPaymentAnswer =
  | PaymentAnswer
  /** Another amount, or another currency, was paid than was ordered: nothing is credited. */
  | { readonly kind: 'mismatch'; readonly order: PaymentOrderRecord }
  | { readonly kind: 'unknown_order' };

/** The credits that go back with a part of the price: in proportion, rounded to the nearest micro-credit, half up. */
export const creditsBack = (order: Pick<PaymentOrderRecord, 'creditMicros' | 'price'>, back: number): bigint => {
  const price = BigInt(order.price);
  const part = BigInt(Math.min(back, order.price));
  return (2n * order.creditMicros * part + price) / (2n * price);
};

const isAsOrdered = (order: PaymentOrderRecord, { paid, currency, accountId }: OrderPaymentCommand): boolean =>
  order.price === paid && order.currency === currency && order.accountId === accountId;

const asPayment = (
  order: PaymentOrderRecord,
  command: OrderPaymentCommand,
  hostEvents: HostEvents | undefined,
): Step<PaymentAnswer> => {
  const { accountId, paymentId, version, notice, shortfall, back } = command;
  const backMicros = creditsBack(order, back);
  const { creditMicros } = order;
  const payment = { accountId, reference: paymentId, creditMicros, backMicros, version, notice, shortfall };
  return notePaymentStep(payment, hostEvents);
};

const orderKeys = ({ accountId, orderId }: OrderPaymentCommand): readonly Key[] => [
  { table: 'paymentOrder', id: orderId },
  { table: 'topUp', id: accountId },
];

/** An order has its first payment, and a top-up that waited for it is over. */
const closing = (records: Records, order: PaymentOrderRecord, paymentId: string): readonly Write[] => [
  ...(order.paymentId === null ? [putOrder({ ...order, paymentId })] : []),
  ...topUpPaid(records.get('topUp', order.accountId), order.id),
];

/** Credits what an order says, for a payment of just its price; refunds and disputes take back in proportion. */
export const payOrder = (command: OrderPaymentCommand, hostEvents?: HostEvents): Step<OrderPaymentAnswer> => {
  const { accountId, paymentId, orderId, version, notice, shortfall } = command;
  const nothing = { creditMicros: 0n, backMicros: 0n, version, notice, shortfall };
  const { keys } = notePaymentStep({ accountId, reference: paymentId, ...nothing }, hostEvents);
  return {
    keys: [...keys, ...orderKeys(command)],
    decide: (records, nowMs) => {
      const order = records.get('paymentOrder', orderId);
      if (order === undefined) return { writes: [], answer: { kind: 'unknown_order' } };
      if (!isAsOrdered(order, command)) return { writes: [], answer: { kind: 'mismatch', order } };
      const { writes, answer } = asPayment(order, command, hostEvents).decide(records, nowMs);
      if (answer.kind !== 'done') return { writes, answer };
      return { writes: [...writes, ...closing(records, order, paymentId)], answer };
    },
  };
};
