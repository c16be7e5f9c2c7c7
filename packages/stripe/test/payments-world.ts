import { createGateway, microsFromCredits, silentLogger, type Gateway } from 'tollgate';
import { memoryStorage } from '@tollgate/storage-memory';
import { stripePayments, type StripePayments, type StripePaymentsOptions } from '../src/index.ts';
import type { PaymentProblem, TopUpProblem, TopUpRule } from '../src/index.ts';
import { fieldOf } from '../src/stripe-error.ts';
import { startFakeStripe, type FakeStripe } from './fake-stripe.ts';

/** A gateway in memory that sells credits by a fake Stripe. */
export interface PaymentsWorld {
  readonly fake: FakeStripe;
  readonly gateway: Gateway;
  readonly payments: StripePayments;
  readonly account: string;
  /** The balance, in credits as the fake's customer would read it. */
  readonly balance: () => Promise<number>;
  readonly buy: (reference: string, pack?: string, saveCard?: boolean) => Promise<string>;
  /** Sends an event and returns what it did. */
  readonly send: (type: string, object: object) => Promise<unknown>;
  /** Buys with a card that is kept, and sends the event of it. */
  readonly keepCard: (method: string) => Promise<void>;
  readonly problems: readonly PaymentProblem[];
  readonly topUpProblems: readonly TopUpProblem[];
  rule: TopUpRule | null;
  readonly close: () => Promise<void>;
}

const packs = {
  small: { credits: '10', amount: 500, currency: 'usd', name: '10 credits' },
  yen: { credits: '10', amount: 800, currency: 'jpy', name: '10 credits' },
} as const;

export const orderOf = (account: string, reference: string): string => `order:${account}:${reference}`;

export const createPaymentsWorld = async (change: Partial<StripePaymentsOptions> = {}): Promise<PaymentsWorld> => {
  const fake = await startFakeStripe();
  const gateway = await createGateway({ storage: memoryStorage(), logger: silentLogger });
  const problems: PaymentProblem[] = [];
  const topUpProblems: TopUpProblem[] = [];
  const { id: account } = await gateway.admin.createAccount({ name: 'Ada' });
  const payments = stripePayments({
    stripe: fake.stripe,
    gateway,
    packs,
    webhookSecret: fake.secret,
    live: false,
    topUpOf: () => world.rule,
    onPaymentProblem: (problem) => void problems.push(problem),
    onTopUpProblem: (problem) => void topUpProblems.push(problem),
    ...change,
  });
  const buy: PaymentsWorld['buy'] = async (reference, pack = 'small', saveCard = false) => {
    const urls = { successUrl: 'https://host.example/done', cancelUrl: 'https://host.example/back' };
    const opened = await payments.checkout({ account, pack, reference, saveCard, ...urls });
    if (opened.kind !== 'open') throw new Error(`the page is ${opened.kind}`);
    return opened.order.id;
  };
  const send: PaymentsWorld['send'] = async (type, object) => {
    const response = await payments.handler(fake.event(type, object).request());
    const body: unknown = await response.json();
    return fieldOf(body, 'received');
  };
  const world: PaymentsWorld = {
    fake,
    gateway,
    payments,
    account,
    balance: async () => Number((await gateway.admin.readWallet(account))?.balanceMicros ?? 0n) / 1e6,
    buy,
    send,
    keepCard: async (method) => {
      const id = fake.paySession(await buy(`card ${method}`, 'small', true), { method });
      await send('payment_intent.succeeded', { id });
      await gateway.admin.compensate({
        accountId: account,
        amountMicros: microsFromCredits('-10'),
        reference: `spent ${method}`,
      });
    },
    problems,
    topUpProblems,
    rule: null,
    close: async () => {
      await gateway.close({ drainMs: 0 });
      await fake.close();
    },
  };
  return world;
};
