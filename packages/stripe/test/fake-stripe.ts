import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { Stripe } from 'stripe';
import { fieldOf } from '../src/stripe-error.ts';

type Fields = Readonly<Record<string, string>>;

interface Payment {
  readonly id: string;
  readonly order: number;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly metadata: Fields;
  readonly saves: boolean;
  method: string | null;
  status: string;
  error: string | null;
  refunded: number;
  readonly disputes: Dispute[];
}

interface Dispute {
  readonly id: string;
  readonly amount: number;
  readonly moves: number[];
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** A Stripe on the loopback: its form encoding, its idempotency keys, its errors and real signatures. */
export interface FakeStripe {
  readonly stripe: Stripe;
  readonly origin: string;
  readonly secret: string;
  /** What happens to the next calls of a path: a status instead of the work, or an end of the connection after it. */
  readonly faults: { readonly path: string; readonly kind: 'refuse' | 'lose' }[];
  /** Called when a payment is looked up, before the answer. */
  readonly watch: { lookUp: (() => void) | null };
  readonly calls: {
    readonly method: string;
    readonly path: string;
    readonly fields: Fields;
    readonly key: string | null;
  }[];
  readonly meterEvents: Map<string, { readonly value: string; readonly times: number }>;
  /** The customer pays the page of an order; the id of the payment. */
  readonly paySession: (
    orderId: string,
    change?: { readonly method?: string; readonly amount?: number; readonly status?: string },
  ) => string;
  readonly setStatus: (paymentId: string, status: string, error?: string | null) => void;
  readonly refund: (paymentId: string, amount: number) => void;
  readonly openDispute: (
    paymentId: string,
    amount: number,
  ) => { readonly withdraw: () => void; readonly reinstate: () => void };
  readonly event: (
    type: string,
    object: object,
    change?: { readonly id?: string; readonly livemode?: boolean },
  ) => SentEvent;
  readonly close: () => Promise<void>;
}

/** An event with its signature, as often as it is sent. */
export interface SentEvent {
  readonly body: string;
  readonly sign: (atSeconds?: number) => string;
  readonly request: (atSeconds?: number) => Request;
}

const readText = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

const refused = (status: number, type: string, code: string, more: object = {}): Answer => ({
  status,
  body: { error: { type, code, message: code, ...more } },
});

const nested = (fields: Fields, name: string): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      key.startsWith(`${name}[`) ? [[key.slice(name.length + 1).replace(']', ''), value]] : [],
    ),
  );

const declined: Readonly<Record<string, string>> = {
  pm_declined: 'card_declined',
  pm_owner: 'authentication_required',
};

const createState = () => {
  const payments = new Map<string, Payment>();
  const sessions = new Map<string, { readonly id: string; readonly fields: Fields }>();
  const kept = new Map<string, { readonly fingerprint: string; readonly answer: Answer }>();
  let ids = 0;
  const newId = (prefix: string): string => {
    ids += 1;
    return `${prefix}_${String(ids).padStart(6, '0')}`;
  };
  return { payments, sessions, kept, newId };
};

type State = ReturnType<typeof createState>;

const showDispute = (payment: Payment, dispute: Dispute): object => ({
  id: dispute.id,
  object: 'dispute',
  amount: dispute.amount,
  payment_intent: payment.id,
  // In the currency of the balance, which is another one here.
  balance_transactions: dispute.moves.map((amount) => ({ object: 'balance_transaction', amount, currency: 'eur' })),
});

const showPayment = (payment: Payment, nowMs: number): object => ({
  id: payment.id,
  object: 'payment_intent',
  amount: payment.amount,
  amount_received: payment.status === 'succeeded' ? payment.amount : 0,
  currency: payment.currency,
  customer: payment.customer,
  metadata: payment.metadata,
  status: payment.status,
  created: Math.floor(nowMs / 1_000),
  payment_method: payment.method,
  setup_future_usage: payment.saves ? 'off_session' : null,
  last_payment_error: payment.error === null ? null : { code: payment.error },
  latest_charge:
    payment.status === 'succeeded'
      ? {
          id: `ch_${payment.id}`,
          object: 'charge',
          amount_refunded: payment.refunded,
          disputed: payment.disputes.length > 0,
        }
      : null,
});

const addPayment = (
  state: State,
  change: Partial<Payment> & Pick<Payment, 'amount' | 'currency' | 'metadata'>,
): Payment => {
  const payment: Payment = {
    id: state.newId('pi'),
    order: state.payments.size,
    customer: null,
    saves: false,
    method: null,
    status: 'succeeded',
    error: null,
    refunded: 0,
    disputes: [],
    ...change,
  };
  state.payments.set(payment.id, payment);
  return payment;
};

const createPayment = (state: State, fields: Fields, nowMs: number): Answer => {
  const method = fields['payment_method'] ?? '';
  const error = declined[method] ?? null;
  const payment = addPayment(state, {
    amount: Number(fields['amount']),
    currency: fields['currency'] ?? '',
    customer: fields['customer'] ?? null,
    metadata: nested(fields, 'metadata'),
    method,
    error,
    status: error === null ? (method === 'pm_slow' ? 'processing' : 'succeeded') : 'requires_payment_method',
  });
  const shown = showPayment(payment, nowMs);
  return error === null ? { status: 200, body: shown } : refused(402, 'card_error', error, { payment_intent: shown });
};

const list = (data: readonly object[], url: string): Answer => ({
  status: 200,
  body: { object: 'list', data, has_more: false, url },
});

const answerGet = (state: State, url: URL, nowMs: number): Answer => {
  const all = [...state.payments.values()];
  const disputes = all.flatMap((payment) => payment.disputes.map((dispute) => ({ payment, dispute })));
  if (url.pathname === '/v1/payment_intents') {
    const customer = url.searchParams.get('customer');
    const found = all.filter((payment) => customer === null || payment.customer === customer);
    return list(
      found.map((payment) => showPayment(payment, nowMs)),
      url.pathname,
    );
  }
  if (url.pathname === '/v1/disputes') {
    const wanted = url.searchParams.get('payment_intent');
    const found = disputes.filter(({ payment }) => wanted === null || payment.id === wanted);
    return list(
      found.map(({ payment, dispute }) => showDispute(payment, dispute)),
      url.pathname,
    );
  }
  if (url.pathname === '/v1/refunds') {
    const found = all.filter(({ refunded }) => refunded > 0);
    return list(
      found.map(({ id }) => ({ id: `re_${id}`, payment_intent: id })),
      url.pathname,
    );
  }
  const payment = state.payments.get(url.pathname.split('/').at(-1) ?? '');
  if (payment === undefined) return refused(404, 'invalid_request_error', 'resource_missing');
  return { status: 200, body: showPayment(payment, nowMs) };
};

const answerPost = (state: State, path: string, fields: Fields, nowMs: number): Answer => {
  switch (path) {
    case '/v1/customers':
      return { status: 200, body: { id: state.newId('cus'), object: 'customer' } };
    case '/v1/checkout/sessions': {
      const id = state.newId('cs');
      state.sessions.set(fields['metadata[tollgate_order]'] ?? '', { id, fields });
      return { status: 200, body: { id, object: 'checkout.session', url: `https://checkout.example/${id}` } };
    }
    case '/v1/payment_intents':
      return createPayment(state, fields, nowMs);
    default:
      return refused(404, 'invalid_request_error', 'resource_missing');
  }
};

/** The same key gives the first answer again, and is refused with other parameters. */
const once = (state: State, key: string | null, fingerprint: string, run: () => Answer): Answer => {
  if (key === null) return run();
  const kept = state.kept.get(key);
  if (kept !== undefined)
    return kept.fingerprint === fingerprint ? kept.answer : refused(400, 'idempotency_error', 'idempotency_key_reused');
  const answer = run();
  state.kept.set(key, { fingerprint, answer });
  return answer;
};

const signed = (stripe: Stripe, secret: string, body: string): SentEvent => {
  const sign = (atSeconds?: number): string => {
    const timestamp = atSeconds ?? Math.floor(Date.now() / 1_000);
    return stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  };
  const request = (atSeconds?: number): Request =>
    new Request('https://host.example/stripe', {
      method: 'POST',
      headers: { 'stripe-signature': sign(atSeconds) },
      body,
    });
  return { body, sign, request };
};

const paymentOf = (state: State, id: string): Payment => {
  const payment = state.payments.get(id);
  if (payment === undefined) throw new Error(`there is no payment ${id}`);
  return payment;
};

/** What the world does to payments. */
const moves = (state: State): Pick<FakeStripe, 'paySession' | 'setStatus' | 'refund' | 'openDispute'> => ({
  paySession: (orderId, { method = 'pm_good', amount, status = 'succeeded' } = {}) => {
    const fields = state.sessions.get(orderId)?.fields ?? {};
    const payment = addPayment(state, {
      amount: amount ?? Number(fields['line_items[0][price_data][unit_amount]']),
      currency: fields['line_items[0][price_data][currency]'] ?? '',
      customer: fields['customer'] ?? null,
      metadata: nested(fields, 'payment_intent_data[metadata]'),
      saves: fields['payment_intent_data[setup_future_usage]'] === 'off_session',
      method,
      status,
    });
    return payment.id;
  },
  setStatus: (id, status, error = null) => void Object.assign(paymentOf(state, id), { status, error }),
  refund: (id, amount) => void (paymentOf(state, id).refunded += amount),
  openDispute: (id, amount) => {
    const dispute: Dispute = { id: state.newId('dp'), amount, moves: [] };
    paymentOf(state, id).disputes.push(dispute);
    return {
      withdraw: () => void dispute.moves.push(-amount - 15),
      reinstate: () => void dispute.moves.push(amount + 15),
    };
  },
});

export const startFakeStripe = async (nowMs: () => number = Date.now): Promise<FakeStripe> => {
  const state = createState();
  const faults: FakeStripe['faults'] = [];
  const watch: FakeStripe['watch'] = { lookUp: null };
  const calls: FakeStripe['calls'] = [];
  const meterEvents: FakeStripe['meterEvents'] = new Map();

  const work = (method: string, url: URL, text: string, key: string | null): Answer => {
    if (url.pathname === '/v2/billing/meter_events') {
      const sent: unknown = JSON.parse(text);
      const identifier = String(fieldOf(sent, 'identifier'));
      const value = String(fieldOf(fieldOf(sent, 'payload'), 'value'));
      const times = (meterEvents.get(identifier)?.times ?? 0) + 1;
      meterEvents.set(identifier, { value, times });
      return { status: 200, body: { object: 'v2.billing.meter_event', identifier } };
    }
    if (method === 'GET' && url.pathname.startsWith('/v1/payment_intents/')) watch.lookUp?.();
    if (method === 'GET') return answerGet(state, url, nowMs());
    const fields = Object.fromEntries(new URLSearchParams(text));
    calls.push({ method, path: url.pathname, fields, key });
    const fingerprint = createHash('sha256').update(`${url.pathname} ${text}`).digest('hex');
    return once(state, key, fingerprint, () => answerPost(state, url.pathname, fields, nowMs()));
  };

  const takeFault = (path: string): 'refuse' | 'lose' | null => {
    const at = faults.findIndex((fault) => fault.path === path);
    return at < 0 ? null : (faults.splice(at, 1)[0]?.kind ?? null);
  };

  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const text = await readText(request);
      const fault = takeFault(url.pathname);
      const key = request.headers['idempotency-key'];
      const answer =
        fault === 'refuse'
          ? refused(503, 'api_error', 'unavailable')
          : work(request.method ?? '', url, text, typeof key === 'string' ? key : null);
      if (fault === 'lose') return void request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    };
    void respond();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const secret = 'whsec_of_the_tests';
  const stripe = clientOf(port);

  return {
    stripe,
    origin: `http://127.0.0.1:${port}`,
    secret,
    faults,
    watch,
    calls,
    meterEvents,
    ...moves(state),
    event: (type, object, { id = state.newId('evt'), livemode = false } = {}) => {
      const created = Math.floor(nowMs() / 1_000);
      const body = JSON.stringify({ id, object: 'event', type, livemode, created, data: { object } });
      return signed(stripe, secret, body);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** A client of Stripe's library for a fake on a port. */
export const clientOf = (port: number): Stripe =>
  new Stripe('sk_test_of_the_tests', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
