import { postgresStorage } from '@tollgate/storage-postgres';
import { stripePayments } from '@tollgate/stripe';
import { createGateway, silentLogger, sqliteStorage, type Gateway } from 'tollgate';
import { clientOf } from '../../packages/stripe/test/fake-stripe.ts';

/** Where the receivers of a run work. */
export interface ReceiverPlace {
  readonly kind: 'sqlite' | 'postgres';
  /** Of the file, or of the database. */
  readonly at: string;
  /** Of the fake Stripe. */
  readonly stripePort: number;
  readonly secret: string;
}

const storageOf = ({ kind, at }: ReceiverPlace) =>
  kind === 'sqlite' ? sqliteStorage({ path: at }) : postgresStorage({ connectionString: at });

/** As every process of a run assembles it. */
export const openReceiver = async (place: ReceiverPlace) => {
  const gateway: Gateway = await createGateway({
    storage: await storageOf(place),
    contextSecret: 'the secret of all gateways of the payments',
    webhooks: false,
    logger: silentLogger,
  });
  const payments = stripePayments({
    stripe: clientOf(place.stripePort),
    gateway,
    packs: { small: { credits: '10', amount: 500, currency: 'usd', name: '10 credits' } },
    webhookSecret: place.secret,
    live: false,
  });
  return { gateway, payments };
};
