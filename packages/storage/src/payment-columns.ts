import type { Tables } from './tables.ts';

type PaymentTable = 'payment' | 'debt' | 'paymentOrder' | 'topUp';

/** The fields of the tables about payments. */
export const paymentColumns = {
  payment: {
    id: 'text',
    accountId: 'text',
    creditedMicros: 'amount',
    backMicros: 'amount',
    takenMicros: 'amount',
    version: 'integer',
    notice: 'text',
    createdAtMs: 'integer',
  },
  debt: { id: 'text', owedMicros: 'amount' },
  paymentOrder: {
    id: 'text',
    accountId: 'text',
    product: 'text',
    creditMicros: 'amount',
    price: 'integer',
    currency: 'text',
    paymentId: 'text?',
    createdAtMs: 'integer',
  },
  topUp: {
    id: 'text',
    begun: 'integer',
    orderId: 'text?',
    month: 'text',
    monthPrice: 'integer',
    refusals: 'integer',
    waitUntilMs: 'integer',
    stoppedBy: 'text?',
  },
} as const satisfies { readonly [T in PaymentTable]: Readonly<Record<keyof Tables[T], string>> };
