import { microsFromCredits, type Payments } from '@tollgate/engine';
import type Stripe from 'stripe';
import type { StripePaymentsOptions } from './stripe-options.ts';

/** What every part of the payments needs. */
export interface Desk {
  readonly stripe: Stripe;
  readonly payments: Payments;
  readonly options: StripePaymentsOptions;
}

/** What was sold, as the terms of an order. */
export interface Terms {
  readonly product: string;
  readonly creditMicros: bigint;
  readonly price: number;
  readonly currency: string;
}

/** The terms of a pack; null where the host sells none of this name. */
export const findTerms = ({ options: { packs } }: Desk, product: string): Terms | null => {
  const pack = Object.hasOwn(packs, product) ? packs[product] : undefined;
  if (pack === undefined) return null;
  return { product, creditMicros: microsFromCredits(pack.credits), price: pack.amount, currency: pack.currency };
};

/** Names of what a gateway keeps of Stripe for an account. */
export const links = { customer: 'stripe.customer', card: 'stripe.card', metered: 'stripe.metered' } as const;

/** Metadata of a payment, by which its events are found again. Only the holder of the secret key can write it. */
export const metadataOf = (account: string, order: string) => ({ tollgate_account: account, tollgate_order: order });

/** The id of what Stripe shows as an id or as the object. */
export const idOf = (shown: string | { readonly id: string } | null | undefined): string | null =>
  typeof shown === 'string' ? shown : (shown?.id ?? null);
