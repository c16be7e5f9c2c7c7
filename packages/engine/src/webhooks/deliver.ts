import { sign } from '@tollgate/signature';
import type { DeliveryRecord, WebhookRecord } from '@tollgate/storage';
import {
  concludeDeliveryKeys,
  decideConcludeDelivery,
  decidePurgeDelivery,
  type ConcludeDeliveryCommand,
} from '../decisions/delivery.ts';
import type { Engine } from '../engine.ts';
import type { SendOutcome, WebhookSender } from './webhook-sender.ts';

/** How long the record of an ended delivery is kept (F15). */
const keptMs = 30 * 24 * 3_600_000;
/** How long a delivery waits when its receiver has enough in flight. */
const roomMs = 1_000;

/** The headers of one attempt, signed with a fresh timestamp (webhooks:delivery:same-event-id). */
export const signedHeaders = (
  brand: string,
  webhook: Pick<WebhookRecord, 'secret' | 'previousSecret' | 'previousUntilMs'>,
  delivery: Pick<DeliveryRecord, 'eventId' | 'body'>,
  nowMs: number,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const body = Buffer.from(delivery.body);
  const rotating = webhook.previousSecret !== null && (webhook.previousUntilMs ?? 0) > nowMs;
  const secrets =
    rotating && webhook.previousSecret !== null ? [webhook.secret, webhook.previousSecret] : [webhook.secret];
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
  const [byte = 0] = engine.randomBytes(1);
  const command = { deliveryId: delivery.id, claimedBy: delivery.owner, outcome, random: byte / 256, keptMs };
  await engine.storage.transact(concludeDeliveryKeys(command), decideConcludeDelivery(command));
};

const attempt = async (engine: Engine, sender: WebhookSender, delivery: DeliveryRecord): Promise<Outcome> => {
  const records = await engine.storage.read([{ table: 'webhook', id: delivery.webhookId }]);
  const webhook = records.get('webhook', delivery.webhookId);
  if (webhook === undefined || webhook.status !== 'enabled') return { kind: 'skipped' };
  const headers = signedHeaders(engine.brand, webhook, delivery, engine.wallClockMs());
  return outcomeOf(await sender.send({ url: webhook.url, headers, body: delivery.body }));
};

/** The deliveries under way in this process, bounded in all and by receiver, so that a slow one delays nobody else. */
export interface Dispatch {
  /** Takes a claimed delivery on; resolves when that is decided, not when it was sent. */
  take(engine: Engine, sender: WebhookSender, delivery: DeliveryRecord): Promise<void>;
  idle(): Promise<void>;
}

const inFlightMax = 256;
const inFlightPerReceiverMax = 8;

export const createDispatch = (): Dispatch => {
  const byReceiver = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const send = async (engine: Engine, sender: WebhookSender, delivery: DeliveryRecord): Promise<void> => {
    const { webhookId } = delivery;
    byReceiver.set(webhookId, (byReceiver.get(webhookId) ?? 0) + 1);
    try {
      await conclude(engine, delivery, await attempt(engine, sender, delivery));
    } catch (cause) {
      // The claim runs out, and it is sent again: at least once is the promise.
      engine.logger.error('a delivery could not be concluded', { deliveryId: delivery.id, cause });
    } finally {
      const left = (byReceiver.get(webhookId) ?? 1) - 1;
      if (left === 0) byReceiver.delete(webhookId);
      else byReceiver.set(webhookId, left);
    }
  };
  return {
    take: async (engine, sender, delivery) => {
      if (delivery.status !== 'pending') {
        await engine.storage.transact([{ table: 'delivery', id: delivery.id }], decidePurgeDelivery(delivery));
        return;
      }
      const full = (byReceiver.get(delivery.webhookId) ?? 0) >= inFlightPerReceiverMax;
      if (full || running.size >= inFlightMax) {
        await conclude(engine, delivery, { kind: 'postponed', afterMs: roomMs });
        return;
      }
      const one = send(engine, sender, delivery).finally(() => running.delete(one));
      running.add(one);
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
