import type Stripe from 'stripe';
import { idOf, type Desk } from './desk.ts';

/** A payment of an order, as Stripe has it now. */
export interface FoundPayment {
  readonly paymentIntent: string;
  readonly account: string;
  readonly order: string;
  readonly status: Stripe.PaymentIntent['status'];
  readonly paid: number;
  /** What refunds and disputes gave back in all. */
  readonly back: number;
  readonly currency: string;
  /** The card, where the customer let it be kept. */
  readonly savedCard: string | null;
  /** Stripe's word for the last failure. */
  readonly errorCode: string | null;
}

const listMax = 100;

/**
 * What a dispute holds: nothing while it is an inquiry, its amount once the funds were withdrawn, nothing again once they were
 * reinstated. Its balance transactions say which, in the currency of the balance; the sign alone is read.
 */
const withdrawnBy = ({ amount, balance_transactions: moves }: Stripe.Dispute): number =>
  moves.reduce((sum, move) => sum + move.amount, 0) < 0 ? amount : 0;

const disputed = async ({ stripe }: Desk, paymentIntent: string, charge: Stripe.Charge): Promise<number> => {
  if (!charge.disputed) return 0;
  const { data } = await stripe.disputes.list({ payment_intent: paymentIntent, limit: listMax });
  return data.reduce((sum, dispute) => sum + withdrawnBy(dispute), 0);
};

const errorOf = ({ last_payment_error: error }: Stripe.PaymentIntent): string | null =>
  error?.decline_code ?? error?.code ?? null;

/** Looks a payment up with all that went back of it; null where it is none of an order of a gateway. */
export const lookUpPayment = async (desk: Desk, id: string): Promise<FoundPayment | null> => {
  const payment = await desk.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  const { tollgate_account: account, tollgate_order: order } = payment.metadata;
  if (account === undefined || order === undefined) return null;
  const charge = typeof payment.latest_charge === 'string' ? null : payment.latest_charge;
  return {
    paymentIntent: id,
    account,
    order,
    status: payment.status,
    paid: payment.amount_received,
    back: charge === null ? 0 : charge.amount_refunded + (await disputed(desk, id, charge)),
    currency: payment.currency,
    savedCard: payment.setup_future_usage === 'off_session' ? idOf(payment.payment_method) : null,
    errorCode: errorOf(payment),
  };
};
