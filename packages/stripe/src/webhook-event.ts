import type Stripe from 'stripe';
import type { Desk } from './desk.ts';
import { notePayment, type Noted } from './note-payment.ts';
import { fieldOf } from './stripe-error.ts';
import { endTopUp } from './top-up.ts';

/** What an event did. */
export type Handled = Noted | { readonly kind: 'top_up_ended' } | { readonly kind: 'ignored' };

const ignored: Handled = { kind: 'ignored' };

/** What the object of an event is to its payment. */
const objects: ReadonlyMap<string, 'session' | 'payment' | 'failure' | 'part'> = new Map([
  ['checkout.session.completed', 'session'],
  ['checkout.session.async_payment_succeeded', 'session'],
  ['payment_intent.succeeded', 'payment'],
  ['payment_intent.payment_failed', 'failure'],
  ['payment_intent.canceled', 'failure'],
  ['charge.refunded', 'part'],
  ['refund.created', 'part'],
  ['refund.updated', 'part'],
  ['refund.failed', 'part'],
  ['charge.dispute.funds_withdrawn', 'part'],
  ['charge.dispute.funds_reinstated', 'part'],
  ['charge.dispute.closed', 'part'],
]);

/** A payment that failed is looked up: it may have been paid since. Only an automatic one ends by it. */
const noteFailure = async (desk: Desk, notice: string, paymentIntent: string): Promise<Handled> => {
  const noted = await notePayment(desk, paymentIntent, notice);
  if (noted.kind !== 'unpaid') return noted;
  const { account, order: orderId } = noted.found;
  const topUp = await desk.payments.readTopUp(account);
  if (topUp?.orderId !== orderId) return ignored;
  const order = await desk.payments.readOrderById(orderId);
  if (order === null) return ignored;
  await endTopUp(desk, order, noted.found);
  return { kind: 'top_up_ended' };
};

/** The id of a payment in an object of an event, which has it as an id or as the payment. */
const paymentIn = (object: unknown, name: 'id' | 'payment_intent'): string | null => {
  const value = fieldOf(object, name);
  const id = typeof value === 'string' ? value : fieldOf(value, 'id');
  return typeof id === 'string' ? id : null;
};

/**
 * Does what an event asks for. An event only says which payment is looked up, so that one that comes twice, late or before its
 * deposit does no harm; types that ask for nothing are ignored.
 */
export const handleEvent = async (desk: Desk, { id: notice, type, data }: Stripe.Event): Promise<Handled> => {
  const kind = objects.get(type);
  if (kind === undefined) return ignored;
  const object: unknown = data.object;
  // A session that is completed and waits for a bank is paid by a later event.
  if (kind === 'session' && fieldOf(object, 'payment_status') !== 'paid') return ignored;
  const isPayment = kind === 'payment' || kind === 'failure';
  const paymentIntent = paymentIn(object, isPayment ? 'id' : 'payment_intent');
  if (paymentIntent === null) return ignored;
  return kind === 'failure' ? noteFailure(desk, notice, paymentIntent) : notePayment(desk, paymentIntent, notice);
};
