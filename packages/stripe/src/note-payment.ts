import type { OrderPaymentAnswer } from '@tollgate/engine';
import { links, type Desk } from './desk.ts';
import { lookUpPayment, type FoundPayment } from './look-up-payment.ts';
import type { PaymentProblem } from './stripe-options.ts';

export type Noted =
  /** The credits are as the payment says. */
  | { readonly kind: 'noted'; readonly found: FoundPayment; readonly credited: boolean }
  /** It is not paid: nothing is credited. */
  | { readonly kind: 'unpaid'; readonly found: FoundPayment }
  | { readonly kind: 'problem'; readonly problem: PaymentProblem }
  /** It is no payment of a gateway. */
  | { readonly kind: 'foreign' };

/** Looks of one turn: each that was overtaken by another change is made again. */
const looksMax = 32;

const problems = {
  mismatch: 'mismatch',
  unknown_order: 'unknown_order',
  missing: 'missing_account',
  conflict: 'conflict',
  too_large: 'too_large',
} as const satisfies Partial<Record<OrderPaymentAnswer['kind'], PaymentProblem['kind']>>;

/** Keeps the card of a customer who let it be kept, and lets automatic payments begin again. */
const keepCard = async ({ payments }: Desk, { account, savedCard }: FoundPayment): Promise<void> => {
  if (savedCard === null) return;
  const kept = await payments.readLink(account, links.card);
  if (kept === savedCard) return;
  await payments.linkAccount({ accountId: account, name: links.card, value: savedCard, replaces: kept ?? undefined });
  await payments.allowTopUp(account);
};

/** A payment that stopped the automatic ones, and that its customer finished. */
const allowAfter = async ({ payments }: Desk, { account, paymentIntent }: FoundPayment): Promise<void> => {
  const topUp = await payments.readTopUp(account);
  if (topUp?.stoppedBy === paymentIntent) await payments.allowTopUp(account);
};

const pay = async ({ payments, options }: Desk, found: FoundPayment, version: number, notice: string) =>
  payments.payOrder({
    accountId: found.account,
    orderId: found.order,
    paymentId: found.paymentIntent,
    paid: found.paid,
    back: found.back,
    currency: found.currency,
    version,
    notice,
    shortfall: options.spentRefunds ?? 'owe',
  });

const report = async ({ options }: Desk, problem: PaymentProblem): Promise<Noted> => {
  await options.onPaymentProblem?.(problem);
  return { kind: 'problem', problem };
};

/**
 * Brings the credits of a payment to what Stripe says of it now. It is safe in any order and any number of times: the record is read
 * before the payment is looked up, and a look that another change overtook is made again.
 */
export const notePayment = async (desk: Desk, paymentIntent: string, notice: string): Promise<Noted> => {
  for (let look = 0; look < looksMax; look += 1) {
    const record = await desk.payments.readPayment(paymentIntent);
    const found = await lookUpPayment(desk, paymentIntent);
    if (found === null) return { kind: 'foreign' };
    if (found.status !== 'succeeded') return { kind: 'unpaid', found };
    const answer = await pay(desk, found, record === null ? 0 : record.version + 1, notice);
    if (answer.kind === 'repeated') continue;
    if (answer.kind !== 'done') {
      const { order } = found;
      return report(desk, { kind: problems[answer.kind], paymentIntent, order });
    }
    await keepCard(desk, found);
    await allowAfter(desk, found);
    return { kind: 'noted', found, credited: answer.credited };
  }
  throw new Error('the payment changes faster than it can be looked up');
};
