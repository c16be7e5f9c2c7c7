import type { PaymentOrderRecord, Write } from '@tollgate/storage';
import type { Step } from './step.ts';

export interface OrderCommand {
  readonly accountId: string;
  /** The host's name of the order, unique in the account: the same again is the same order. */
  readonly reference: string;
  readonly product: string;
  readonly creditMicros: bigint;
  /** In the smallest unit of the currency. */
  readonly price: number;
  readonly currency: string;
}

export type OrderAnswer =
  /** A repeated order is as it was first: also where the product costs something else since. */
  | { readonly kind: 'opened' | 'repeated'; readonly order: PaymentOrderRecord }
  /** The reference was used for another product. */
  | { readonly kind: 'conflict'; readonly order: PaymentOrderRecord }
  | { readonly kind: 'missing' };

/** The id of an order that a customer made, which the payment service gives back. */
export const orderIdOf = ({ accountId, reference }: Pick<OrderCommand, 'accountId' | 'reference'>): string =>
  `order:${accountId}:${reference}`;

export const newOrder = (
  id: string,
  command: Omit<OrderCommand, 'reference'>,
  createdAtMs: number,
): PaymentOrderRecord => {
  const { accountId, product, creditMicros, price, currency } = command;
  return { id, accountId, product, creditMicros, price, currency, paymentId: null, createdAtMs };
};

export const putOrder = (record: PaymentOrderRecord): Write => ({ kind: 'put', table: 'paymentOrder', record });

/** Writes down what is sold before the payment service is asked for a payment: credits come from this record only. */
export const openOrder = (command: OrderCommand): Step<OrderAnswer> => {
  const id = orderIdOf(command);
  return {
    keys: [
      { table: 'account', id: command.accountId },
      { table: 'paymentOrder', id },
    ],
    decide: (records, nowMs) => {
      if (records.get('account', command.accountId) === undefined) return { writes: [], answer: { kind: 'missing' } };
      const known = records.get('paymentOrder', id);
      if (known !== undefined) {
        const kind = known.product === command.product ? 'repeated' : 'conflict';
        return { writes: [], answer: { kind, order: known } };
      }
      const order = newOrder(id, command, nowMs);
      return { writes: [putOrder(order)], answer: { kind: 'opened', order } };
    },
  };
};
