import type { DeliveryRecord, OutboxRecord, Write } from '@tollgate/storage';
import { storedTexts } from './stored-values.ts';
import { dueAfter } from './due-after.ts';
import type { Step } from './step.ts';

export const deliveryId = (eventId: string, webhookId: string): string => `${eventId}:${webhookId}`;

const hookIds = (event: OutboxRecord): readonly string[] => storedTexts(event.hooks);

/** A delivery that is due at once. */
export const pendingDelivery = (
  event: Pick<OutboxRecord, 'id' | 'eventId' | 'projectId' | 'eventType' | 'body'>,
  webhookId: string,
  nowMs: number,
): DeliveryRecord => ({
  id: deliveryId(event.eventId, webhookId),
  webhookId,
  eventId: event.eventId,
  operationId: event.id,
  projectId: event.projectId,
  eventType: event.eventType,
  body: event.body,
  status: 'pending',
  attempts: 0,
  httpStatus: null,
  owner: null,
  dueAtMs: nowMs,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
});

// webhooks:delivery:one-per-webhook
/** Writes one delivery for each webhook that the event is for, once. */
export const fanOut = (claimed: OutboxRecord): Step<number> => ({
  keys: [
    { table: 'outbox', id: claimed.id },
    ...hookIds(claimed).map((hook) => ({ table: 'delivery', id: deliveryId(claimed.eventId, hook) }) as const),
  ],
  decide: (records, nowMs) => {
    const event = records.get('outbox', claimed.id);
    if (event === undefined || event.owner !== claimed.owner) return { writes: [], answer: 0 };
    const deliveries = hookIds(event)
      .filter((hook) => records.get('delivery', deliveryId(event.eventId, hook)) === undefined)
      .map((hook): Write => ({ kind: 'put', table: 'delivery', record: pendingDelivery(event, hook, nowMs) }));
    return {
      writes: [...deliveries, { kind: 'delete', table: 'outbox', id: event.id }],
      answer: deliveries.length,
    };
  },
});

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

// G21
/** Attempts of one delivery at the most, and the waits before the second and all later ones. */
export const attemptsMax = 8;
const waitsMs: readonly number[] = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
/** How far a wait is spread, either way. */
const spread = 0.1;
/** A receiver may ask for a longer wait, up to this. */
const retryAfterMsMax = 10 * hour;

/** How long to wait after so many attempts; `random` is from 0 up to but not including 1. */
export const waitAfter = (attempts: number, retryAfterMs: number | null, random: number): number => {
  const waitMs = waitsMs[attempts - 1] ?? 10 * hour;
  const spreadMs = waitMs * (1 + spread * (2 * random - 1));
  return Math.round(Math.max(spreadMs, Math.min(retryAfterMs ?? 0, retryAfterMsMax)));
};

export interface ConcludeDeliveryCommand {
  readonly deliveryId: string;
  /** The claim under which it was sent. */
  readonly claimedBy: string | null;
  readonly outcome:
    | { readonly kind: 'acknowledged'; readonly httpStatus: number }
    | { readonly kind: 'refused'; readonly httpStatus: number | null; readonly retryAfterMs: number | null }
    /** The webhook is paused or deleted, or its address is not allowed any more. */
    | { readonly kind: 'skipped' }
    /** Not tried: there was no room. */
    | { readonly kind: 'postponed'; readonly afterMs: number };
  readonly random: number;
  /** How long the record of an ended delivery is kept. */
  readonly keptMs: number;
}

const concluded = (delivery: DeliveryRecord, command: ConcludeDeliveryCommand, nowMs: number): DeliveryRecord => {
  const { outcome } = command;
  const free = { owner: null, updatedAtMs: nowMs };
  switch (outcome.kind) {
    case 'postponed':
      return { ...delivery, owner: null, dueAtMs: dueAfter(nowMs, outcome.afterMs) };
    case 'skipped':
      return { ...delivery, ...free, status: 'skipped', dueAtMs: nowMs + command.keptMs };
    case 'acknowledged': {
      const { httpStatus } = outcome;
      const attempts = delivery.attempts + 1;
      return { ...delivery, ...free, status: 'delivered', attempts, httpStatus, dueAtMs: nowMs + command.keptMs };
    }
    case 'refused': {
      const attempts = delivery.attempts + 1;
      const over = attempts >= attemptsMax;
      const waitMs = over ? command.keptMs : waitAfter(attempts, outcome.retryAfterMs, command.random);
      const { httpStatus } = outcome;
      return {
        ...delivery,
        ...free,
        status: over ? 'failed' : 'pending',
        attempts,
        httpStatus,
        dueAtMs: nowMs + waitMs,
      };
    }
  }
};

// webhooks:delivery:to-*
/** Notes what became of an attempt, and when the next one is. Null where it was another's. */
export const concludeDelivery = (command: ConcludeDeliveryCommand): Step<DeliveryRecord | null> => ({
  keys: [{ table: 'delivery', id: command.deliveryId }],
  decide: (records, nowMs) => {
    const delivery = records.get('delivery', command.deliveryId);
    if (delivery === undefined || delivery.status !== 'pending' || delivery.owner !== command.claimedBy)
      return { writes: [], answer: null };
    const record = concluded(delivery, command, nowMs);
    return { writes: [{ kind: 'put', table: 'delivery', record }], answer: record };
  },
});

/** Removes an ended delivery whose time has come. */
export const purgeDelivery = (claimed: DeliveryRecord): Step<boolean> => ({
  keys: [{ table: 'delivery', id: claimed.id }],
  decide: (records) => {
    const delivery = records.get('delivery', claimed.id);
    if (delivery === undefined || delivery.status === 'pending' || delivery.owner !== claimed.owner)
      return { writes: [], answer: false };
    return { writes: [{ kind: 'delete', table: 'delivery', id: claimed.id }], answer: true };
  },
});

export interface RedeliverCommand {
  readonly deliveryId: string;
  readonly webhookId: string;
}

/** Sends an ended delivery again, from its first attempt on; the event keeps its id. */
export const redeliverStep = (command: RedeliverCommand): Step<DeliveryRecord | null> => ({
  keys: [{ table: 'delivery', id: command.deliveryId }],
  decide: (records, nowMs) => {
    const delivery = records.get('delivery', command.deliveryId);
    if (delivery === undefined || delivery.webhookId !== command.webhookId) return { writes: [], answer: null };
    if (delivery.status === 'pending') return { writes: [], answer: delivery };
    const record: DeliveryRecord = {
      ...delivery,
      status: 'pending',
      attempts: 0,
      httpStatus: null,
      owner: null,
      dueAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    return { writes: [{ kind: 'put', table: 'delivery', record }], answer: record };
  },
});
