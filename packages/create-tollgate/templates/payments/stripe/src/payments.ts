import { stripePayments, type StripePayments } from '@tollgate/stripe';
import { Stripe } from 'stripe';
import type { Gateway } from 'tollgate';
import { required, type Environment } from './environment.ts';

/** What is sold. `amount` is in the smallest unit of the currency. */
const packs = {
  small: { credits: '10', amount: 1_000, currency: 'usd', name: '10 credits' },
  large: { credits: '110', amount: 10_000, currency: 'usd', name: '110 credits' },
};

/**
 * Sells credits. `handler` is the webhook, POST /stripe. `checkout` opens the page on which a customer pays: call it from a route
 * of yours, for the account of the customer who is signed in.
 */
export const openPayments = (
  gateway: Gateway,
  environment: Environment,
  stripe: Stripe = new Stripe(required(environment, 'STRIPE_SECRET_KEY')),
): StripePayments =>
  stripePayments({
    stripe,
    gateway,
    webhookSecret: required(environment, 'STRIPE_WEBHOOK_SECRET'),
    // Events of test mode are refused in live mode, and the other way round.
    live: required(environment, 'STRIPE_SECRET_KEY').includes('_live_'),
    packs,
    onPaymentProblem: (problem) => console.error('a payment gave no credits', problem),
  });
