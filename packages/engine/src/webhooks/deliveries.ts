import { defaultBrand } from '@tollgate/contract';
import { sign } from '@tollgate/signature';
import type { DeliveryRecord, OutboxRecord, WebhookRecord } from '@tollgate/storage';
import { purgeDelivery } from '../decisions/delivery.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { createDeliveryEndings, type DeliveryEndings, type DeliveryOutcome } from './delivery-endings.ts';
import { createDeliveryLines, type DeliveryLines } from './delivery-lines.ts';
import type { SendOutcome, WebhookSender } from './webhook-sender.ts';
import { openWebhookSecrets } from './webhook-secret.ts';

/** How long a delivery waits when its receiver has enough in flight: in this process under its claim, and then without one. */
const waitMs = 2_000;
const roomMs = 1_000;

interface HeaderNames {
  readonly eventId: string;
  readonly timestamp: string;
  readonly signature: string;
}

const headerNames = (brand: string): HeaderNames => ({
  eventId: `x-${brand}-event-id`,
  timestamp: `x-${brand}-timestamp`,
  signature: `x-${brand}-signature`,
});

// webhooks:delivery:same-event-id
/** The headers of one attempt, signed with a fresh timestamp. */
const signedHeaders = (
  names: HeaderNames,
  secrets: readonly string[],
  { eventId, body }: Pick<DeliveryRecord, 'eventId' | 'body'>,
  nowMs: number,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = { eventId, timestamp, body: Buffer.from(body) };
  return {
    'content-type': 'application/json',
    [names.eventId]: eventId,
    [names.timestamp]: timestamp,
    [names.signature]: secrets.map((secret) => sign(secret, signed)).join(','),
  };
};

const outcomeOf = (sent: SendOutcome): DeliveryOutcome => {
  switch (sent.kind) {
    case 'refused':
      return { kind: 'skipped' };
    case 'unreachable':
      return { kind: 'refused', httpStatus: null, retryAfterMs: null };
    case 'answered': {
      const { status: httpStatus, retryAfterMs } = sent;
      return httpStatus >= 200 && httpStatus < 300
        ? { kind: 'acknowledged', httpStatus }
        : { kind: 'refused', httpStatus, retryAfterMs };
    }
  }
};

/** Who sends, and under which name. */
export interface DeliveryOptions {
  readonly sender: WebhookSender;
  /** The word in the names of the headers. */
  readonly brand?: string;
}

/** The deliveries under way in this process, bounded in all and by receiver, so that a slow one does not block the others. */
export interface Deliveries {
  /** Sends claimed deliveries; resolves when each has begun, waits for room or is put off, not when it was sent. */
  take(claimed: readonly DeliveryRecord[]): Promise<void>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  /** How many are being sent. */
  count(): number;
  /** Takes note of an event that is written out for its receivers now. */
  noteEvent(event: Pick<OutboxRecord, 'createdAtMs'>): void;
  /** How old the last event was when it was written out; null before the first. */
  eventLagMs(): number | null;
}

/** What the deliveries of one process share. */
interface Office {
  readonly engine: Engine;
  readonly sender: WebhookSender;
  readonly names: HeaderNames;
  readonly lines: DeliveryLines;
  readonly endings: DeliveryEndings;
}

const attempt = async (
  { engine, sender, names }: Office,
  { secrets, url }: { readonly secrets: readonly string[] | null; readonly url: string },
  delivery: DeliveryRecord,
): Promise<DeliveryOutcome> => {
  // As if its receiver had not answered: the host has the time of all attempts to give the secret that opens it.
  if (secrets === null) return outcomeOf({ kind: 'unreachable' });
  const headers = signedHeaders(names, secrets, delivery, engine.clock.wallClockMs());
  return outcomeOf(await sender.send({ url, headers, body: delivery.body }));
};

/** How the deliveries of a webhook are sent; its secrets are opened once for all of them. */
const senderTo = (office: Office, webhook: WebhookRecord): ((delivery: DeliveryRecord) => Promise<void>) => {
  const { engine, endings } = office;
  const target = { url: webhook.url, secrets: openWebhookSecrets(engine, webhook, engine.clock.wallClockMs()) };
  return async (delivery) => {
    try {
      endings.add(delivery, await attempt(office, target, delivery));
    } catch (cause) {
      // The claim runs out, and it is sent again.
      engine.logger.error('a delivery could not be sent', { deliveryId: delivery.id, cause });
    }
  };
};

const warnOf = ({ logger }: Engine, deliveries: readonly DeliveryRecord[], cause: unknown): void => {
  // The claims run out, and they are checked again.
  for (const { id } of deliveries) logger.error('a delivery could not be processed', { deliveryId: id, cause });
};

// webhooks:delivery:to-skipped
/** Sends deliveries of one webhook, where they may be sent to it now. */
const sendTo = (office: Office, webhook: WebhookRecord | undefined, deliveries: readonly DeliveryRecord[]): void => {
  const { engine, lines, endings } = office;
  try {
    if (webhook?.status === 'enabled') lines.add({ webhook, send: senderTo(office, webhook) }, deliveries);
    else for (const delivery of deliveries) endings.add(delivery, { kind: 'skipped' });
  } catch (cause) {
    warnOf(engine, deliveries, cause);
  }
};

/** Sends deliveries, whose webhooks are read at once. */
const sendAll = async (office: Office, deliveries: readonly DeliveryRecord[]): Promise<void> => {
  if (deliveries.length === 0) return;
  const byWebhook = Map.groupBy(deliveries, ({ webhookId }) => webhookId);
  try {
    const webhooks = await office.engine.storage.read([...byWebhook.keys()].map((id) => ({ table: 'webhook', id })));
    for (const [id, ofWebhook] of byWebhook) sendTo(office, webhooks.get('webhook', id), ofWebhook);
  } catch (cause) {
    warnOf(office.engine, deliveries, cause);
  }
};

const purge = async (engine: Engine, delivery: DeliveryRecord): Promise<void> => {
  try {
    await commitOnce(engine, purgeDelivery(delivery));
  } catch (cause) {
    warnOf(engine, [delivery], cause);
  }
};

/** The deliveries of one process, by this sender. */
export const createDeliveries = (engine: Engine, { sender, brand = defaultBrand }: DeliveryOptions): Deliveries => {
  const endings = createDeliveryEndings(engine);
  const lines = createDeliveryLines({
    monotonicMs: engine.clock.monotonicMs,
    // Attempts take their time under the same claim.
    waitMs: Math.min(waitMs, engine.limits.leaseMs / 4),
    putOff: (delivery) => endings.add(delivery, { kind: 'postponed', afterMs: roomMs }),
    whenIdle: () => void endings.flush(),
  });
  const office = { engine, sender, names: headerNames(brand), lines, endings };
  let eventLagMs: number | null = null;
  return {
    take: async (claimed) => {
      const ended = claimed.filter(({ status }) => status !== 'pending');
      const pending = claimed.filter(({ status }) => status === 'pending');
      await Promise.all([sendAll(office, pending), ...ended.map((delivery) => purge(engine, delivery))]);
      // What was put off or skipped is recorded before more is claimed.
      await endings.flush();
    },
    idle: async () => {
      await lines.idle();
      await endings.idle();
    },
    count: () => lines.count(),
    noteEvent: ({ createdAtMs }) => {
      eventLagMs = Math.max(0, engine.clock.wallClockMs() - createdAtMs);
      engine.host.observe?.({ kind: 'event_due', lagMs: eventLagMs });
    },
    eventLagMs: () => eventLagMs,
  };
};
