import type { Tables } from '@tollgate/storage';

type PaymentTable = 'payment' | 'debt' | 'paymentOrder' | 'topUp';

/** A plain valid record of each table about payments. */
export const samplePayments: { readonly [T in PaymentTable]: (id: string) => Tables[T] } = {
  payment: (id) => ({
    id,
    accountId: 'account',
    creditedMicros: 100n,
    backMicros: 0n,
    takenMicros: 0n,
    version: 0,
    notice: 'event',
    createdAtMs: 1,
  }),
  debt: (id) => ({ id, owedMicros: 100n }),
  paymentOrder: (id) => ({
    id,
    accountId: 'account',
    product: 'small',
    creditMicros: 100n,
    price: 500,
    currency: 'usd',
    paymentId: null,
    createdAtMs: 1,
  }),
  topUp: (id) => ({
    id,
    begun: 1,
    orderId: 'order',
    month: '2026-11',
    monthPrice: 500,
    refusals: 0,
    waitUntilMs: 0,
    stoppedBy: null,
  }),
};
