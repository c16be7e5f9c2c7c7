import { defaultBrand } from '@tollgate/contract';
import { sign } from '@tollgate/signature';
import type { DeliveryRecord, OutboxRecord, WebhookRecord } from '@tollgate/storage';
import { concludeDelivery, purgeDelivery, type ConcludeDeliveryCommand } from '../decisions/delivery.ts';
import type { Engine } from '../engine.ts';
import type { SendOutcome, WebhookSender } from './webhook-sender.ts';
import { openWebhookSecrets } from './webhook-secret.ts';
import { commitOnce } from '../operations/persist.ts';

/** How long the record of an ended delivery is kept (F15). */
const keptMs = 30 * 24 * 3_600_000;
/** How long a delivery waits when its receiver has enough in flight. */
const roomMs = 1_000;

/** The headers of one attempt, signed with a fresh timestamp (webhooks:delivery:same-event-id). */
const signedHeaders = (
  brand: string,
  secrets: readonly string[],
  delivery: Pick<DeliveryRecord, 'eventId' | 'body'>,
  nowMs: number,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const body = Buffer.from(delivery.body);
  const signatures = secrets.map((secret) => sign(secret, { eventId: delivery.eventId, timestamp, body }));
  return {
    'content-type': 'application/json',
    [`x-${brand}-event-id`]: delivery.eventId,
    [`x-${brand}-timestamp`]: timestamp,
    [`x-${brand}-signature`]: signatures.join(','),
  };
};

type Outcome = ConcludeDeliveryCommand['outcome'];

const outcomeOf = (sent: SendOutcome): Outcome => {
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

const conclude = async (engine: Engine, delivery: DeliveryRecord, outcome: Outcome): Promise<void> => {
  // Only the wait after a refusal is spread.
  const [byte = 0] = outcome.kind === 'refused' ? engine.randomBytes(1) : [];
  const command = { deliveryId: delivery.id, claimedBy: delivery.owner, outcome, random: byte / 256, keptMs };
  await commitOnce(engine, concludeDelivery(command));
  engine.host.observe?.({
    kind: 'delivery',
    deliveryId: delivery.id,
    outcome: outcome.kind,
    lagMs: Math.max(0, engine.clock.wallClockMs() - delivery.createdAtMs),
    attempts: delivery.attempts + 1,
  });
};

/** The webhook of a delivery, where it may be sent to now (webhooks:delivery:to-skipped). */
const findEnabled = async (
  { storage }: Pick<Engine, 'storage'>,
  { webhookId }: DeliveryRecord,
): Promise<WebhookRecord | null> => {
  const webhook = (await storage.read([{ table: 'webhook', id: webhookId }])).get('webhook', webhookId);
  return webhook?.status === 'enabled' ? webhook : null;
};

/** Who sends, and under which name. */
export interface DeliveryOptions {
  readonly sender: WebhookSender;
  /** The word in the names of the headers. */
  readonly brand?: string;
}

type Mailer = Required<DeliveryOptions>;

const attempt = async (
  engine: Engine,
  { sender, brand }: Mailer,
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
): Promise<Outcome> => {
  const nowMs = engine.clock.wallClockMs();
  const secrets = openWebhookSecrets(engine, webhook, nowMs);
  // As if its receiver had not answered: the host has the time of all attempts to give the secret that opens it.
  if (secrets === null) return outcomeOf({ kind: 'unreachable' });
  const headers = signedHeaders(brand, secrets, delivery, nowMs);
  return outcomeOf(await sender.send({ url: webhook.url, headers, body: delivery.body }));
};

/** The deliveries under way in this process, bounded in all and by receiver, so that a slow one does not block the others. */
export interface Deliveries {
  /** Sends a claimed delivery; resolves when it has begun or is put off, not when it was sent. */
  take(delivery: DeliveryRecord): Promise<void>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  /** How many are being sent. */
  count(): number;
  /** Takes note of an event that is written out for its receivers now. */
  noteEvent(event: Pick<OutboxRecord, 'createdAtMs'>): void;
  /** How old the last event was when it was written out; null before the first. */
  eventLagMs(): number | null;
}

const inFlightMax = 512;
const inFlightPerWebhookMax = 8;
/** Hosts that many projects share, and projects with many webhooks, leave room for others. */
const inFlightPerHostMax = 64;
const inFlightPerProjectMax = 64;

/** Whose room a delivery takes, and how much each has. */
const roomsOf = ({ id, url, projectId }: WebhookRecord): readonly (readonly [string, number])[] => [
  [`webhook ${id}`, inFlightPerWebhookMax],
  [`host ${new URL(url).hostname}`, inFlightPerHostMax],
  [`project ${projectId}`, inFlightPerProjectMax],
  ['all', inFlightMax],
];

/** Counts what is under way. */
const createRoom = () => {
  const taken = new Map<string, number>();
  return {
    /** Takes room for one, or returns null where there is none; the answer gives it back. */
    take: (webhook: WebhookRecord): (() => void) | null => {
      const rooms = roomsOf(webhook);
      if (rooms.some(([name, most]) => (taken.get(name) ?? 0) >= most)) return null;
      for (const [name] of rooms) taken.set(name, (taken.get(name) ?? 0) + 1);
      return () => {
        for (const [name] of rooms) {
          const left = (taken.get(name) ?? 1) - 1;
          if (left === 0) taken.delete(name);
          else taken.set(name, left);
        }
      };
    },
  };
};

const send = async (
  engine: Engine,
  mailer: Mailer,
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
): Promise<void> => {
  try {
    await conclude(engine, delivery, await attempt(engine, mailer, webhook, delivery));
  } catch (cause) {
    // The claim runs out, and it is sent again: at least once is the promise.
    engine.logger.error('a delivery could not be concluded', { deliveryId: delivery.id, cause });
  }
};

/** The deliveries of one process, by this sender. */
export const createDeliveries = (engine: Engine, { sender, brand = defaultBrand }: DeliveryOptions): Deliveries => {
  const mailer = { sender, brand };
  const room = createRoom();
  const running = new Set<Promise<void>>();
  let eventLagMs: number | null = null;
  return {
    take: async (delivery) => {
      if (delivery.status !== 'pending') {
        await commitOnce(engine, purgeDelivery(delivery));
        return;
      }
      const webhook = await findEnabled(engine, delivery);
      if (webhook === null) return conclude(engine, delivery, { kind: 'skipped' });
      const leave = room.take(webhook);
      if (leave === null) return conclude(engine, delivery, { kind: 'postponed', afterMs: roomMs });
      const one = send(engine, mailer, webhook, delivery).finally(() => {
        leave();
        running.delete(one);
      });
      running.add(one);
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
    count: () => running.size,
    noteEvent: ({ createdAtMs }) => {
      eventLagMs = Math.max(0, engine.clock.wallClockMs() - createdAtMs);
      engine.host.observe?.({ kind: 'event_due', lagMs: eventLagMs });
    },
    eventLagMs: () => eventLagMs,
  };
};
