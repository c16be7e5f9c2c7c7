import type { PaymentOrderRecord, TopUpRecord } from '@tollgate/storage';
import { refuseWithHostLedger } from '../administration/deposits.ts';
import {
  openOrder as openOrderStep,
  orderIdOf,
  type OrderAnswer,
  type OrderCommand,
} from '../decisions/payment-order.ts';
import {
  allowTopUp as allowTopUpStep,
  beginTopUp as beginTopUpStep,
  refuseTopUp as refuseTopUpStep,
  type BeginTopUpAnswer,
  type TopUpCommand,
  type TopUpRefusal,
  type TopUpRefusalAnswer,
} from '../decisions/top-up.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

/** Writes down what a customer is about to pay for. */
export const openOrder = async (engine: Engine, input: OrderCommand): Promise<OrderAnswer> => {
  refuseWithHostLedger(engine);
  return commitOnce(engine, openOrderStep(input));
};

/** An order by the host's reference: `paymentId` is null until it is paid. Null where there is no such order. */
export const readOrder = async (
  engine: Engine,
  accountId: string,
  reference: string,
): Promise<PaymentOrderRecord | null> => {
  const id = orderIdOf({ accountId, reference });
  return (await engine.storage.read([{ table: 'paymentOrder', id }])).get('paymentOrder', id) ?? null;
};

/** An order by its id, which the payment service gives back. */
export const readOrderById = async (engine: Engine, orderId: string): Promise<PaymentOrderRecord | null> => {
  const records = await engine.storage.read([{ table: 'paymentOrder', id: orderId }]);
  return records.get('paymentOrder', orderId) ?? null;
};

/** How the automatic payments of an account stand; null where none was ever begun. */
export const readTopUp = async (engine: Engine, accountId: string): Promise<TopUpRecord | null> =>
  (await engine.storage.read([{ table: 'topUp', id: accountId }])).get('topUp', accountId) ?? null;

/** Rounds that lose against others before a top-up gives up: each lost round is a top-up that another caller began. */
const roundsMax = 8;

/** Begins a top-up where the balance is below, or returns the one that is under way, or says why there is none. */
export const beginTopUp = async (engine: Engine, input: TopUpCommand): Promise<BeginTopUpAnswer> => {
  refuseWithHostLedger(engine);
  for (let round = 0; round < roundsMax; round += 1) {
    const begun = (await readTopUp(engine, input.accountId))?.begun ?? 0;
    const answer = await commitOnce(engine, beginTopUpStep(input, begun));
    if (answer.kind !== 'again') return answer;
  }
  throw new Error('top-ups of the account are begun faster than they can be read');
};

/** Ends a top-up that was not paid. */
export const refuseTopUp = (engine: Engine, input: TopUpRefusal): Promise<TopUpRefusalAnswer> =>
  commitOnce(engine, refuseTopUpStep(input));

/** Lets an account top up again after refusals, or after a payment that needed its customer. */
export const allowTopUp = (engine: Engine, accountId: string): Promise<TopUpRecord | null> =>
  commitOnce(engine, allowTopUpStep(accountId));
