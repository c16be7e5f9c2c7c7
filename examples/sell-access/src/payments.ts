// The packs of the shop, and how a user buys one.
import { randomUUID } from 'node:crypto';
import { stripePayments, type StripePayments } from '@tollgate/stripe';
import express, { type Router } from 'express';
import { Stripe } from 'stripe';
import type { Gateway } from 'tollgate';
import { lowBalanceCredits } from './books.ts';
import { forUsers, textOf, type Shop } from './user-route.ts';
import type { Settings } from './settings.ts';

/** Stripe's library, for Stripe itself or for the fake one. */
const clientOf = ({ stripeKey, stripeOrigin }: Settings): Stripe => {
  if (stripeOrigin === '') return new Stripe(stripeKey);
  const { hostname, port } = new URL(stripeOrigin);
  return new Stripe(stripeKey, { host: hostname, port, protocol: 'http', telemetry: false });
};

export const openPayments = (settings: Settings, gateway: Gateway): StripePayments =>
  stripePayments({
    stripe: clientOf(settings),
    gateway,
    webhookSecret: settings.stripeWebhookSecret,
    live: settings.stripeKey.startsWith('sk_live_'),
    packs: {
      small: { credits: '10', amount: 1_000, currency: 'usd', name: '10 credits' },
      large: { credits: '110', amount: 10_000, currency: 'usd', name: '110 credits' },
    },
    // It holds for users who let their card be kept: the others have none.
    topUpOf: () => ({ below: lowBalanceCredits, pack: 'small', monthAmountMax: 5_000 }),
    onTopUpProblem: (problem) => console.error('an automatic payment was refused', problem),
    onPaymentProblem: (problem) => console.error('a payment gave no credits', problem),
  });

/** `POST /checkout` begins a purchase; `POST /orders` tells whether it is credited. */
export const buyRoutes = (shop: Shop): Router => {
  const { gateway, payments, origin } = shop;
  const user = forUsers(shop);
  const routes = express.Router();
  routes.post(
    '/checkout',
    user(async (me, request, response) => {
      const reference = randomUUID();
      const page = await payments.checkout({
        account: me.id,
        pack: textOf(request, 'pack') ?? '',
        reference,
        successUrl: `${origin}/?order=${reference}`,
        cancelUrl: `${origin}/`,
        // The user chose to buy again by itself when credits run low.
        saveCard: textOf(request, 'again') === 'yes',
      });
      if (page.kind === 'open') response.json({ url: page.url });
      else response.status(422).json({ error: page.kind });
    }),
  );
  routes.post(
    '/orders',
    user(async (me, request, response) => {
      const order = await gateway.payments.readOrder(me.id, textOf(request, 'order') ?? '');
      response.json({ credited: order !== null && order.paymentId !== null });
    }),
  );
  return routes;
};
