import type { PaymentOrderRecord } from '@tollgate/storage';
import type Stripe from 'stripe';
import { customerOf } from './customer.ts';
import { findTerms, metadataOf, type Desk } from './desk.ts';

export interface CheckoutInput {
  readonly account: string;
  /** One of the host's packs. */
  readonly pack: string;
  /** The host's name of the order: the same again is the same page, and is paid once. */
  readonly reference: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Keeps the card for automatic payments. */
  readonly saveCard?: boolean;
}

export type CheckoutAnswer =
  /** The page of Stripe to which the customer goes. */
  | { readonly kind: 'open'; readonly url: string; readonly sessionId: string; readonly order: PaymentOrderRecord }
  | { readonly kind: 'paid'; readonly order: PaymentOrderRecord }
  /** The reference was used for another pack. */
  | { readonly kind: 'conflict'; readonly order: PaymentOrderRecord }
  | { readonly kind: 'unknown_pack' }
  | { readonly kind: 'missing_account' };

const paymentOf = (order: PaymentOrderRecord, { account, saveCard }: CheckoutInput) => {
  const metadata = metadataOf(account, order.id);
  return saveCard === true ? { metadata, setup_future_usage: 'off_session' as const } : { metadata };
};

const sessionOf = (
  { options: { packs } }: Desk,
  order: PaymentOrderRecord,
  input: CheckoutInput,
  customer: string,
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  customer,
  client_reference_id: input.account,
  success_url: input.successUrl,
  cancel_url: input.cancelUrl,
  metadata: metadataOf(input.account, order.id),
  payment_intent_data: paymentOf(order, input),
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: order.currency,
        unit_amount: order.price,
        product_data: { name: packs[order.product]?.name ?? order.product },
      },
    },
  ],
});

/** Writes the order down, then opens a page of Stripe on which it is paid. */
export const checkout = async (desk: Desk, input: CheckoutInput): Promise<CheckoutAnswer> => {
  const terms = findTerms(desk, input.pack);
  if (terms === null) return { kind: 'unknown_pack' };
  const opened = await desk.payments.openOrder({ accountId: input.account, reference: input.reference, ...terms });
  if (opened.kind === 'missing') return { kind: 'missing_account' };
  const { order } = opened;
  if (opened.kind === 'conflict') return { kind: 'conflict', order };
  if (order.paymentId !== null) return { kind: 'paid', order };
  const customer = await customerOf(desk, input.account);
  if (customer === null) return { kind: 'missing_account' };
  const session = await desk.stripe.checkout.sessions.create(sessionOf(desk, order, input, customer), {
    idempotencyKey: `checkout:${order.id}`,
  });
  if (session.url === null) throw new Error('Stripe opened a session without a page');
  return { kind: 'open', url: session.url, sessionId: session.id, order };
};
