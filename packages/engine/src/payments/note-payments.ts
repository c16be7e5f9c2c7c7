import { listRowsMax, type IndexCursor, type PaymentRecord } from '@tollgate/storage';
import { refuseWithHostLedger, settlePending } from '../administration/deposits.ts';
import { collectDebt as collectDebtStep, type CollectAnswer } from '../decisions/deposit.ts';
import { payOrder as payOrderStep, type OrderPaymentAnswer, type OrderPaymentCommand } from '../decisions/pay-order.ts';
import { notePaymentStep, type PaymentAnswer, type PaymentCommand } from '../decisions/payment.ts';
import type { Engine } from '../engine.ts';
import { hostEventsOf } from '../operations/conclude.ts';
import { commitOnce } from '../operations/persist.ts';

/**
 * Credits a payment once, and takes back what was refunded or disputed of it. The input says how the payment stands at its service,
 * so that notices may come twice, late and in any order. Pending settlements of the account are tried at once.
 */
export const notePayment = async (engine: Engine, input: PaymentCommand): Promise<PaymentAnswer> => {
  refuseWithHostLedger(engine);
  const answer = await commitOnce(engine, notePaymentStep(input, hostEventsOf(engine)));
  if (answer.kind === 'done') await settlePending(engine, input.accountId);
  return answer;
};

/** As `notePayment`, for a payment of an order: the credits are those of the order, and the payment must be of just its price. */
export const payOrder = async (engine: Engine, input: OrderPaymentCommand): Promise<OrderPaymentAnswer> => {
  refuseWithHostLedger(engine);
  const answer = await commitOnce(engine, payOrderStep(input, hostEventsOf(engine)));
  if (answer.kind === 'done') await settlePending(engine, input.accountId);
  return answer;
};

/** A payment that became credits, or null. */
export const readPayment = async (engine: Engine, paymentId: string): Promise<PaymentRecord | null> => {
  const records = await engine.storage.read([{ table: 'payment', id: paymentId }]);
  return records.get('payment', paymentId) ?? null;
};

/** Payments that became credits, newest first, a hundred at a time; `after` pages on. */
export const listPayments = (engine: Engine, after?: IndexCursor): Promise<readonly PaymentRecord[]> => {
  const first = { of: '', limit: listRowsMax };
  return engine.storage.list('payments', after === undefined ? first : { ...first, after });
};

/** Pays what an account owes out of credits that came free since. */
export const collectDebt = async (engine: Engine, accountId: string): Promise<CollectAnswer> => {
  refuseWithHostLedger(engine);
  return commitOnce(engine, collectDebtStep(accountId, hostEventsOf(engine)));
};

/** What an account owes, in micro-credits: 0 where it owes nothing. */
export const readDebt = async (engine: Engine, accountId: string): Promise<bigint> => {
  const records = await engine.storage.read([{ table: 'debt', id: accountId }]);
  return records.get('debt', accountId)?.owedMicros ?? 0n;
};
