import { checkArguments } from '../administration/argument-check.ts';
import type { Engine } from '../engine.ts';
import { linkAccount, readLink } from './links.ts';
import { collectDebt, listPayments, notePayment, payOrder, readDebt, readPayment } from './note-payments.ts';
import { allowTopUp, beginTopUp, openOrder, readOrder, readOrderById, readTopUp, refuseTopUp } from './orders.ts';
import { paymentChecks } from './payment-checks.ts';

/** What the adapter of a payment service needs of a gateway: orders, payments, automatic payments and the service's ids. */
export type Payments = ReturnType<typeof createPayments>;

const binder =
  (engine: Engine) =>
  <A extends readonly unknown[], R>(
    method: keyof typeof paymentChecks,
    run: (engine: Engine, ...rest: A) => Promise<R>,
  ) =>
  async (...rest: A): Promise<R> => {
    checkArguments(method, paymentChecks[method], rest);
    return run(engine, ...rest);
  };

/** Binds the payments to one engine. A method rejects with a `ConfigurationError` where an argument cannot be meant. */
export const createPayments = (engine: Engine) => {
  const bind = binder(engine);
  return {
    openOrder: bind('openOrder', openOrder),
    readOrder: bind('readOrder', readOrder),
    readOrderById: bind('readOrderById', readOrderById),
    notePayment: bind('notePayment', notePayment),
    payOrder: bind('payOrder', payOrder),
    readPayment: bind('readPayment', readPayment),
    listPayments: bind('listPayments', listPayments),
    collectDebt: bind('collectDebt', collectDebt),
    readDebt: bind('readDebt', readDebt),
    beginTopUp: bind('beginTopUp', beginTopUp),
    refuseTopUp: bind('refuseTopUp', refuseTopUp),
    allowTopUp: bind('allowTopUp', allowTopUp),
    readTopUp: bind('readTopUp', readTopUp),
    linkAccount: bind('linkAccount', linkAccount),
    readLink: bind('readLink', readLink),
  };
};
