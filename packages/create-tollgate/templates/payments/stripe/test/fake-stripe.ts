import { Stripe } from 'stripe';

const json = (body: object): Response =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });

/** As much of Stripe's API as one purchase takes, behind Stripe's own library. */
export const fakeStripe = () => {
  let order = new URLSearchParams();
  let isPaid = false;
  const sessionOf = () => ({
    id: 'cs_1',
    object: 'checkout.session',
    url: 'https://stripe.example/pay/cs_1',
    payment_status: isPaid ? 'paid' : 'unpaid',
  });
  const paymentOf = () => ({
    id: 'pi_1',
    object: 'payment_intent',
    status: isPaid ? 'succeeded' : 'requires_payment_method',
    amount: Number(order.get('line_items[0][price_data][unit_amount]')),
    amount_received: Number(order.get('line_items[0][price_data][unit_amount]')),
    currency: order.get('line_items[0][price_data][currency]'),
    customer: 'cus_1',
    metadata: Object.fromEntries(
      [...order].flatMap(([name, value]) => {
        const [, key] = /^payment_intent_data\[metadata\]\[(.+)\]$/.exec(name) ?? [];
        return key === undefined ? [] : [[key, value]];
      }),
    ),
    latest_charge: { id: 'ch_1', object: 'charge', amount_refunded: 0, disputed: false },
  });
  const answer: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname === '/v1/customers') return json({ id: 'cus_1', object: 'customer' });
    if (pathname.startsWith('/v1/payment_intents/')) return json(paymentOf());
    order = new URLSearchParams(String(init?.body));
    return json(sessionOf());
  };
  return {
    client: new Stripe('sk_test_x', { httpClient: Stripe.createFetchHttpClient(answer), maxNetworkRetries: 0 }),
    /** The customer pays: returns the id of the payment. */
    pay: (): string => {
      isPaid = true;
      return 'pi_1';
    },
  };
};
