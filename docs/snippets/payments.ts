import { createServer } from 'node:http';
import { stripePayments } from '@tollgate/stripe';
import type { Stripe } from 'stripe';
import { fetchListener, microsFromCredits, toNodeListener, type Gateway, type HookOptions } from 'tollgate';

// #region assemble
/** What is sold, and when an account buys by itself. */
export const sellCredits = (gateway: Gateway, stripe: Stripe, webhookSecret: string) =>
  stripePayments({
    stripe,
    gateway,
    webhookSecret,
    live: false,
    packs: {
      small: { credits: '10', amount: 500, currency: 'usd', name: '10 credits' },
      large: { credits: '120', amount: 5_000, currency: 'usd', name: '120 credits' },
    },
    topUpOf: () => ({ below: '2', pack: 'small', monthAmountMax: 10_000 }),
    onTopUpProblem: ({ account, kind }) => console.warn('automatic payment of', account, kind),
    onPaymentProblem: (problem) => console.error('a payment gave no credits', problem),
  });
// #endregion assemble

type Payments = ReturnType<typeof sellCredits>;

// #region buy
/** The page on which a signed-in customer buys a pack; `reference` is the id of your order. */
export const buyPage = async (payments: Payments, account: string, reference: string): Promise<string> => {
  const page = await payments.checkout({
    account,
    pack: 'small',
    reference,
    successUrl: `https://shop.example/orders/${reference}`,
    cancelUrl: 'https://shop.example/credits',
    saveCard: true,
  });
  if (page.kind !== 'open') throw new Error(`no page: ${page.kind}`);
  return page.url;
};

/** What the page after the purchase asks for: the order, not the balance, which other calls change meanwhile. */
export const isPaid = async (gateway: Gateway, account: string, reference: string): Promise<boolean> =>
  ((await gateway.payments.readOrder(account, reference))?.paymentId ?? null) !== null;
// #endregion buy

// #region top-up
/** Hooks of the gateway for which the payments are made: `paymentsOf` returns them once they are there. */
export const topUpHooks = (paymentsOf: () => Pick<Payments, 'topUp'>): HookOptions => ({
  onLowBalance: async ({ accountId }) => {
    await paymentsOf().topUp(accountId);
  },
  lowBalanceMicros: microsFromCredits('2'),
});
// #endregion top-up

// #region webhook
/** The endpoint of the webhook, beside the gateway on one server. Nothing may read or parse its body before. */
export const serveBoth = (gateway: Gateway, payments: Payments) => {
  const api = toNodeListener(gateway.handle);
  // Where the handler fails, the listener responds with 500, and Stripe sends the event again.
  const receive = fetchListener(payments.handler);
  return createServer((incoming, outgoing) => {
    if (incoming.url === '/stripe' && incoming.method === 'POST') receive(incoming, outgoing);
    else api(incoming, outgoing);
  });
};
// #endregion webhook

// #region jobs
/** Daily: what lost events left out. It returns what it found. */
export const reconcileDaily = (payments: Payments) => payments.reconcile({ sinceMs: Date.now() - 3 * 86_400_000 });

/** Hourly, for accounts that pay afterwards: their charges go to a meter of Stripe, in micro-credits. */
export const billAfterwards = (payments: Payments, account: string) =>
  payments.meterUsage({ account, eventName: 'gateway_credits' });
// #endregion jobs
