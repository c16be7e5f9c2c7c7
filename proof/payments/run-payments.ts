import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startFakeStripe, type FakeStripe, type SentEvent } from '../../packages/stripe/test/fake-stripe.ts';
import { seededRandom, type Random } from '../model/random.ts';
import { killProcess, startProcess } from '../worker-process.ts';
import { openReceiver, type ReceiverPlace } from './receiver-place.ts';

export interface PaymentsOptions {
  readonly kind: ReceiverPlace['kind'];
  /** Of an empty file or database. */
  readonly at: string;
  readonly payments: number;
  readonly seed: number;
}

/** What a run found. `findings` must be empty. */
export interface PaymentsReport {
  readonly payments: number;
  readonly deliveries: number;
  /** Deliveries that got no 2xx and were made again. */
  readonly repeated: number;
  readonly kills: number;
  /** Kills between the receipt of an event and its commit. */
  readonly killsInside: number;
  readonly findings: readonly string[];
}

/** What a payment bought, and what of its price went back: what Stripe knows. */
interface Expected {
  readonly id: string;
  readonly back: number;
}

const price = 500;
const microsOfPrice = 10_000_000;
const atOnce = 8;
const retryMs = 50;
/** Every so many look-ups, the process that asked is killed. */
const killEvery = 25;

interface Receiver {
  readonly child: ChildProcess;
  readonly port: number;
}

const start = async (place: ReceiverPlace): Promise<Receiver> => {
  const words = [place.kind, place.at, String(place.stripePort), place.secret];
  const { child, message } = await startProcess(path.join(import.meta.dirname, 'receiver.ts'), words);
  return { child, port: Number(message) };
};

const paymentEvents = (fake: FakeStripe, id: string, back: number): readonly SentEvent[] => {
  const session = { payment_status: 'paid', payment_intent: id };
  const paid = [
    fake.event('payment_intent.succeeded', { id }),
    fake.event('checkout.session.completed', session),
    fake.event('checkout.session.async_payment_succeeded', session),
  ];
  return back === 0 ? paid : [...paid, fake.event('charge.refunded', { payment_intent: id })];
};

/** All events twice, in an order of chance. */
const shuffled = <T>(items: readonly T[], random: Random): readonly T[] =>
  items
    .flatMap((item) => [item, item])
    .map((item) => ({ item, place: random.int(1 << 30) }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item);

const judge = async (
  place: ReceiverPlace,
  account: string,
  expected: readonly Expected[],
): Promise<readonly string[]> => {
  const { gateway } = await openReceiver(place);
  const findings: string[] = [];
  let sum = 0n;
  for (const { id, back } of expected) {
    const payment = await gateway.payments.readPayment(id);
    const backMicros = BigInt((microsOfPrice / price) * back);
    if (payment?.creditedMicros !== BigInt(microsOfPrice)) findings.push(`${id} was not credited`);
    if (payment?.takenMicros !== backMicros) findings.push(`${id} took ${payment?.takenMicros} of ${backMicros}`);
    sum += BigInt(microsOfPrice) - backMicros;
  }
  const wallet = await gateway.admin.readWallet(account);
  if (wallet?.balanceMicros !== sum) findings.push(`the balance is ${wallet?.balanceMicros} and not ${sum}`);
  const { violations } = await gateway.admin.audit();
  findings.push(...violations.map((violation) => JSON.stringify(violation, (_, value) => String(value))));
  await gateway.close({ drainMs: 0 });
  return findings;
};

/** Opens an account and its orders, and has Stripe take the payments, some of which it gives back in part. */
const sell = async (fake: FakeStripe, place: ReceiverPlace, { payments: count }: PaymentsOptions, random: Random) => {
  const { gateway, payments } = await openReceiver(place);
  const { id: account } = await gateway.admin.createAccount({ name: 'Payments' });
  const urls = { successUrl: 'https://host.example/', cancelUrl: 'https://host.example/' };
  const expected: Expected[] = [];
  for (let at = 0; at < count; at += 1) {
    const page = await payments.checkout({ account, pack: 'small', reference: `o${at}`, ...urls });
    if (page.kind !== 'open') throw new Error(`a page is ${page.kind}`);
    const back = random.int(3) === 0 ? 50 * (1 + random.int(10)) : 0;
    const id = fake.paySession(page.order.id);
    if (back > 0) fake.refund(id, back);
    expected.push({ id, back });
  }
  await gateway.close({ drainMs: 0 });
  return { account, expected };
};

const createDeaths = (fake: FakeStripe, place: ReceiverPlace, first: Receiver) => {
  let receiver = Promise.resolve(first);
  let current = first;
  let kills = 0;
  let killsInside = 0;
  let lookUps = 0;
  const replace = async (): Promise<Receiver> => {
    const next = await start(place);
    current = next;
    return next;
  };
  fake.watch.lookUp = () => {
    lookUps += 1;
    if (lookUps % killEvery !== 0 || current.child.killed) return;
    current.child.kill('SIGKILL');
    kills += 1;
    killsInside += 1;
    receiver = replace();
  };
  return {
    receiver: () => receiver,
    counts: () => ({ kills, killsInside }),
    stop: async () => {
      fake.watch.lookUp = null;
      const { child } = await receiver;
      await killProcess(child);
    },
  };
};

/** Sends every event until a receiver returns 2xx, while receivers are killed as they look payments up. */
const deliver = async (events: readonly SentEvent[], receiver: () => Promise<Receiver>): Promise<number> => {
  const waiting = [...events];
  let repeated = 0;
  const send = async (event: SentEvent): Promise<void> => {
    for (;;) {
      const { port } = await receiver();
      const headers = { 'stripe-signature': event.sign() };
      const status = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: event.body })
        .then((response) => response.status)
        .catch(() => 0);
      if (status === 200) return;
      if (status >= 400 && status < 500) throw new Error(`an event was refused with ${status}`);
      repeated += 1;
      await delay(retryMs);
    }
  };
  const lane = async (): Promise<void> => {
    for (let event = waiting.pop(); event !== undefined; event = waiting.pop()) await send(event);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return repeated;
};

/** Sells, delivers every event twice in disorder while receivers die, and compares the ledger with what Stripe knows. */
export const runPayments = async (options: PaymentsOptions): Promise<PaymentsReport> => {
  const random = seededRandom(options.seed);
  const fake = await startFakeStripe();
  const stripePort = Number(new URL(fake.origin).port);
  const place: ReceiverPlace = { kind: options.kind, at: options.at, stripePort, secret: fake.secret };
  const { account, expected } = await sell(fake, place, options, random);
  const events = shuffled(
    expected.flatMap(({ id, back }) => paymentEvents(fake, id, back)),
    random,
  );
  const deaths = createDeaths(fake, place, await start(place));
  const repeated = await deliver(events, deaths.receiver);
  await deaths.stop();
  const findings = await judge(place, account, expected);
  await fake.close();
  return { payments: expected.length, deliveries: events.length, repeated, ...deaths.counts(), findings };
};
