// As much of Stripe as a purchase takes, on the loopback: its wire, its hosted page, and webhooks that it signs.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Stripe } from 'stripe';

export interface FakeStripe {
  readonly origin: string;
  readonly key: string;
  readonly webhookSecret: string;
  /** Where events are sent from now on. */
  readonly sendTo: (url: string) => void;
  readonly close: () => Promise<void>;
}

type Fields = Readonly<Record<string, string>>;

interface Session {
  readonly id: string;
  readonly fields: Fields;
  payment: Payment | null;
}

interface Payment {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly metadata: Fields;
  /** Whether the customer lets the card be kept. */
  readonly keepsCard: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const key = 'sk_test_of_the_shop';
const webhookSecret = 'whsec_of_the_shop';

const json = (body: object, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const missing = json(
  { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'no such object' } },
  404,
);

const formOf = async (request: IncomingMessage): Promise<Fields> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return Object.fromEntries(new URLSearchParams(text));
};

/** The members of a nested field, as Stripe's form encoding writes them: `metadata[order]`. */
const nested = (fields: Fields, name: string): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) =>
      field.startsWith(`${name}[`) ? [[field.slice(name.length + 1, -1), value]] : [],
    ),
  );

const amountOf = ({ fields }: Session): number => Number(fields['line_items[0][price_data][unit_amount]']);
const currencyOf = ({ fields }: Session): string => fields['line_items[0][price_data][currency]'] ?? '';

const paymentIntent = ({ id, amount, currency, customer, metadata, keepsCard }: Payment): object => ({
  id,
  object: 'payment_intent',
  status: 'succeeded',
  amount,
  amount_received: amount,
  currency,
  customer,
  metadata,
  setup_future_usage: keepsCard ? 'off_session' : null,
  payment_method: keepsCard ? `pm_of_${customer}` : null,
  last_payment_error: null,
  latest_charge: { id: `ch_${id}`, object: 'charge', amount_refunded: 0, disputed: false },
});

const checkoutSession = (session: Session, origin: string): object => ({
  id: session.id,
  object: 'checkout.session',
  url: `${origin}/pay/${session.id}`,
  payment_status: session.payment === null ? 'unpaid' : 'paid',
  payment_intent: session.payment?.id ?? null,
  metadata: nested(session.fields, 'metadata'),
});

const payPage = (session: Session): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:," />
<form method="post"><button>Pay ${(amountOf(session) / 100).toFixed(2)} ${currencyOf(session)}</button></form></html>`,
});

/** An event in the bytes and with the signature that Stripe would send. */
const signed = (id: string, type: string, object: object) => {
  const created = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({ id, object: 'event', type, livemode: false, created, data: { object } });
  const signature = new Stripe(key).webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret });
  return { method: 'POST', headers: { 'stripe-signature': signature }, body };
};

/** What the service keeps while it runs. */
const createState = () => {
  let ids = 0;
  const newId = (prefix: string): string => {
    ids += 1;
    return `${prefix}_${String(ids).padStart(6, '0')}`;
  };
  return {
    sessions: new Map<string, Session>(),
    payments: new Map<string, Payment>(),
    answers: new Map<string, Answer>(),
    /** Events of payments without a page, which are sent after the response. */
    telling: new Set<Promise<void>>(),
    newId,
    origin: '',
    receiver: '',
  };
};

type State = ReturnType<typeof createState>;

/** Sends an event twice: a real one may come twice, too. */
const tell = async (state: State, type: string, object: object): Promise<void> => {
  const event = signed(state.newId('evt'), type, object);
  for (let times = 0; times < 2; times += 1) {
    const response = await fetch(state.receiver, event);
    if (!response.ok) throw new Error(`the webhook responded with ${response.status}`);
  }
};

const keep = (state: State, payment: Payment): Payment => {
  state.payments.set(payment.id, payment);
  return payment;
};

const pay = async (state: State, session: Session): Promise<Answer> => {
  session.payment ??= keep(state, {
    id: state.newId('pi'),
    amount: amountOf(session),
    currency: currencyOf(session),
    customer: session.fields['customer'] ?? null,
    metadata: nested(session.fields, 'payment_intent_data[metadata]'),
    keepsCard: session.fields['payment_intent_data[setup_future_usage]'] === 'off_session',
  });
  await tell(state, 'payment_intent.succeeded', paymentIntent(session.payment));
  await tell(state, 'checkout.session.completed', checkoutSession(session, state.origin));
  return { status: 303, headers: { location: session.fields['success_url'] ?? '/' }, body: '' };
};

/** Charges a kept card without its owner. */
const chargeCard = (state: State, fields: Fields): Answer => {
  const { customer = '', payment_method: card, amount, currency = '' } = fields;
  if (card !== `pm_of_${customer}` || fields['off_session'] !== 'true') return missing;
  const id = state.newId('pi');
  const payment = { id, amount: Number(amount), currency, customer, metadata: nested(fields, 'metadata') };
  const intent = paymentIntent(keep(state, { ...payment, keepsCard: false }));
  // Where the shop ends meanwhile, it has the credits by its own look at the payment.
  const told = tell(state, 'payment_intent.succeeded', intent).catch(() => undefined);
  state.telling.add(told);
  void told.then(() => state.telling.delete(told));
  return json(intent);
};

const create = (state: State, path: string, fields: Fields): Answer => {
  if (path === '/v1/customers') return json({ id: state.newId('cus'), object: 'customer' });
  if (path === '/v1/payment_intents') return chargeCard(state, fields);
  if (path !== '/v1/checkout/sessions') return missing;
  const session: Session = { id: state.newId('cs'), fields, payment: null };
  state.sessions.set(session.id, session);
  return json(checkoutSession(session, state.origin));
};

/** What the API answers to Stripe's library. */
const answerApi = async (state: State, path: string, request: IncomingMessage): Promise<Answer> => {
  if (request.headers.authorization !== `Bearer ${key}`)
    return json({ error: { type: 'invalid_request_error', message: 'no such key' } }, 401);
  if (request.method === 'GET') {
    const found = state.payments.get(path.replace('/v1/payment_intents/', ''));
    return found === undefined ? missing : json(paymentIntent(found));
  }
  // The same key gives the first answer again.
  const identity = String(request.headers['idempotency-key']);
  const answer = state.answers.get(identity) ?? create(state, path, await formOf(request));
  state.answers.set(identity, answer);
  return answer;
};

const answer = (state: State, request: IncomingMessage): Promise<Answer> => {
  const { pathname } = new URL(request.url ?? '/', state.origin);
  const session = state.sessions.get(pathname.replace('/pay/', ''));
  if (session === undefined) return answerApi(state, pathname, request);
  return request.method === 'POST' ? pay(state, session) : Promise.resolve(payPage(session));
};

export const startFakeStripe = async (): Promise<FakeStripe> => {
  const state = createState();
  const server = createServer((request, response) => {
    answer(state, request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  state.origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return {
    origin: state.origin,
    key,
    webhookSecret,
    sendTo: (url) => {
      state.receiver = url;
    },
    close: async () => {
      await Promise.all(state.telling);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
