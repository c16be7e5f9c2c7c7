import { links, type Desk } from './desk.ts';

/**
 * The customer at Stripe of an account, created once: callers at the same time send the same idempotency key, and the gateway keeps
 * the first id. Null where there is no such account.
 */
export const customerOf = async ({ stripe, payments }: Desk, account: string): Promise<string | null> => {
  const known = await payments.readLink(account, links.customer);
  if (known !== null) return known;
  const { id } = await stripe.customers.create(
    { metadata: { tollgate_account: account } },
    { idempotencyKey: `customer:${account}` },
  );
  return payments.linkAccount({ accountId: account, name: links.customer, value: id });
};
