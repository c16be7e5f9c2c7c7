import { microsFromCredits, type BeginTopUpAnswer } from '@tollgate/engine';
import type { PaymentOrderRecord } from '@tollgate/storage';
import { customerOf } from './customer.ts';
import { findTerms, links, metadataOf, type Desk } from './desk.ts';
import { lookUpPayment, type FoundPayment } from './look-up-payment.ts';
import { notePayment } from './note-payment.ts';
import { cardErrorOf, type CardError } from './stripe-error.ts';
import type { TopUpProblem } from './stripe-options.ts';

export type TopUpAnswer =
  | Exclude<BeginTopUpAnswer, { readonly kind: 'begun' | 'resumed' }>
  /** The credits are there. */
  | { readonly kind: 'paid'; readonly order: PaymentOrderRecord }
  /** Stripe waits for the bank, or the end of the call is not known: a later call, or the webhook, ends it. */
  | { readonly kind: 'under_way'; readonly order: PaymentOrderRecord }
  | { readonly kind: 'refused' | 'authentication_required'; readonly problem: TopUpProblem }
  /** The account has no rule, no such pack or no kept card. */
  | { readonly kind: 'off' | 'unknown_pack' | 'no_card' };

/** How far before its order a payment is looked for: clocks differ. */
const lookBackSeconds = 3_600;
const listMax = 100;

interface Charge {
  readonly order: PaymentOrderRecord;
  readonly customer: string;
  readonly card: string;
}

/** Ends a top-up that was not paid, and tells the host. The end is written first, so that a top-up is refused once. */
const refuse = async (desk: Desk, order: PaymentOrderRecord, problem: TopUpProblem): Promise<TopUpAnswer> => {
  const stoppedBy = problem.kind === 'authentication_required' ? (problem.paymentIntent ?? order.id) : null;
  const { accountId, id: orderId, price } = order;
  const ended = await desk.payments.refuseTopUp({ accountId, orderId, price, stoppedBy });
  if (ended.kind !== 'ended') await desk.options.onTopUpProblem?.(problem);
  return { kind: problem.kind, problem };
};

const actions: ReadonlySet<string> = new Set(['requires_action', 'requires_confirmation']);

/** What a payment means that Stripe has, whatever became of the call that asked for it. */
export const endTopUp = async (desk: Desk, order: PaymentOrderRecord, found: FoundPayment): Promise<TopUpAnswer> => {
  const { paymentIntent, status, errorCode } = found;
  if (status === 'succeeded') {
    const noted = await notePayment(desk, paymentIntent, order.id);
    return { kind: noted.kind === 'noted' ? 'paid' : 'under_way', order };
  }
  if (status === 'processing') return { kind: 'under_way', order };
  const mustAct = actions.has(status) || errorCode === 'authentication_required';
  const kind = mustAct ? 'authentication_required' : 'refused';
  return refuse(desk, order, { account: order.accountId, kind, paymentIntent, code: errorCode ?? status });
};

const endById = async (desk: Desk, order: PaymentOrderRecord, id: string): Promise<TopUpAnswer> => {
  const found = await lookUpPayment(desk, id);
  return found === null ? { kind: 'under_way', order } : endTopUp(desk, order, found);
};

type Asked =
  | { readonly kind: 'asked'; readonly id: string }
  | { readonly kind: 'refused'; readonly refusal: CardError };

const ask = async ({ stripe }: Desk, { order, customer, card }: Charge): Promise<Asked> => {
  const { accountId, price: amount, currency, id: idempotencyKey } = order;
  const metadata = metadataOf(accountId, order.id);
  try {
    const { id } = await stripe.paymentIntents.create(
      { amount, currency, customer, payment_method: card, off_session: true, confirm: true, metadata },
      { idempotencyKey },
    );
    return { kind: 'asked', id };
  } catch (error) {
    const refusal = cardErrorOf(error);
    if (refusal === null) throw error;
    return { kind: 'refused', refusal };
  }
};

/**
 * Charges the kept card. The idempotency key is the order, so that of any number of calls one charges. A refusal is counted here:
 * for a payment that Stripe refuses to create, no event comes.
 */
const charge = async (desk: Desk, bill: Charge): Promise<TopUpAnswer> => {
  const asked = await ask(desk, bill);
  const { order } = bill;
  if (asked.kind === 'asked') return endById(desk, order, asked.id);
  const kind = asked.refusal.code === 'authentication_required' ? 'authentication_required' : 'refused';
  return refuse(desk, order, { account: order.accountId, kind, ...asked.refusal });
};

/** The payment of an order that an earlier call asked for, also where that call died and its idempotency key is forgotten. */
const findPayment = async ({ stripe }: Desk, order: PaymentOrderRecord, customer: string): Promise<string | null> => {
  const gte = Math.floor(order.createdAtMs / 1_000) - lookBackSeconds;
  for await (const payment of stripe.paymentIntents.list({ customer, created: { gte }, limit: listMax }))
    if (payment.metadata['tollgate_order'] === order.id) return payment.id;
  return null;
};

/** Buys credits with the kept card where the balance of an account is below its rule: call it as often as you like. */
export const topUp = async (desk: Desk, account: string): Promise<TopUpAnswer> => {
  const rule = (await desk.options.topUpOf?.(account)) ?? null;
  if (rule === null) return { kind: 'off' };
  const terms = findTerms(desk, rule.pack);
  if (terms === null) return { kind: 'unknown_pack' };
  const card = await desk.payments.readLink(account, links.card);
  const customer = card === null ? null : await customerOf(desk, account);
  if (card === null || customer === null) return { kind: 'no_card' };
  const belowMicros = microsFromCredits(rule.below);
  const limits = { belowMicros, monthPriceMax: rule.monthAmountMax };
  const begun = await desk.payments.beginTopUp({ accountId: account, ...terms, ...limits });
  if (!('order' in begun)) return begun;
  const { order } = begun;
  const earlier = begun.kind === 'resumed' ? await findPayment(desk, order, customer) : null;
  return earlier === null ? charge(desk, { order, customer, card }) : endById(desk, order, earlier);
};
