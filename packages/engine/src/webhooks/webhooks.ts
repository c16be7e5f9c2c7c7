import type { EventType } from '@tollgate/contract';
import { listRowsMax, type DeliveryRecord, type WebhookRecord } from '@tollgate/storage';
import { storedEventTypes } from '../decisions/stored-values.ts';
import {
  changeWebhook,
  createWebhookStep,
  type ChangeWebhookAnswer,
  type ChangeWebhookCommand,
  type CreateWebhookAnswer,
} from '../decisions/webhook.ts';
import { deliveryId, pendingDelivery, redeliverStep } from '../decisions/delivery.ts';
import { jsonBytes } from '../decisions/quotas.ts';
import { envelope, type OutboxOperation } from '../decisions/outbox-event.ts';
import type { Engine } from '../engine.ts';
import { fixedBytesMax, listPage, listWithin } from '../operations/list-within.ts';
import { commit, commitOnce } from '../operations/persist.ts';
import { createWebhookSecret } from './webhook-secret.ts';

export interface WebhookInput {
  readonly projectId: string;
  readonly url: string;
  readonly events: readonly EventType[];
}

/** A webhook as its owner may see it: no secret of it, sealed or not, is in here. */
export type WebhookInfo = Omit<WebhookRecord, 'secret' | 'previousSecret'>;

const infoOf = ({ secret: _secret, previousSecret: _previous, ...info }: WebhookRecord): WebhookInfo => info;

/** A webhook with the secret that signs for it, as its receiver needs it. */
export interface WebhookWithSecret {
  readonly webhook: WebhookInfo;
  readonly secret: string;
}

type CreateWebhookOutcome =
  | ({ readonly kind: 'created' } & WebhookWithSecret)
  | Exclude<CreateWebhookAnswer, { readonly kind: 'created' }>;

/** Registers a webhook; its secret is in the answer, and in no other. */
export const createWebhook = async (engine: Engine, input: WebhookInput): Promise<CreateWebhookOutcome> => {
  const webhookId = engine.newId();
  const { shown, sealed } = createWebhookSecret(engine, webhookId);
  const command = { ...input, webhookId, secret: sealed, quotas: engine.policy.quotas };
  const answer = await commit(engine, createWebhookStep(command));
  return answer.kind === 'created' ? { ...answer, webhook: infoOf(answer.webhook), secret: shown } : answer;
};

const change = (engine: Engine, command: ChangeWebhookCommand): Promise<ChangeWebhookAnswer> =>
  commit(engine, changeWebhook(command));

export type WebhookName = Pick<ChangeWebhookCommand, 'webhookId' | 'projectId'>;

// webhooks:patch:*
/** Pauses, or resumes where the project has not as many enabled ones as it may have. */
export const setWebhookEnabled = (engine: Engine, name: WebhookName, enabled: boolean): Promise<ChangeWebhookAnswer> =>
  change(engine, { ...name, kind: 'set_enabled', enabled });

/** A change that enables nothing is never one too many. */
const foundOrNull = (answer: ChangeWebhookAnswer): WebhookRecord | null => (answer === 'too_many' ? null : answer);

/** Final; the history of its deliveries stays. */
export const deleteWebhook = async (engine: Engine, name: WebhookName): Promise<WebhookRecord | null> =>
  foundOrNull(await change(engine, { ...name, kind: 'disable' }));

const overlapMsDefault = 24 * 3_600_000;

/** Gives a webhook another secret; both sign until the overlap is over, by default a day. The answer holds the new one. */
export const rotateWebhookSecret = async (
  engine: Engine,
  name: WebhookName,
  { overlapMs = overlapMsDefault }: { readonly overlapMs?: number | undefined } = {},
): Promise<WebhookWithSecret | null> => {
  const { shown, sealed } = createWebhookSecret(engine, name.webhookId);
  const webhook = foundOrNull(await change(engine, { ...name, kind: 'rotate', secret: sealed, overlapMs }));
  return webhook === null ? null : { webhook: infoOf(webhook), secret: shown };
};

/** A webhook of the project, a deleted one too, or null. */
export const findWebhook = async (engine: Engine, name: WebhookName): Promise<WebhookRecord | null> => {
  const records = await engine.storage.read([{ table: 'webhook', id: name.webhookId }]);
  const webhook = records.get('webhook', name.webhookId);
  return webhook === undefined || webhook.projectId !== name.projectId ? null : webhook;
};

/** The newest webhooks of a project, paused ones too, as many as a list shows. */
export const listWebhooks = (
  { storage }: Pick<Engine, 'storage'>,
  projectId: string,
): Promise<readonly WebhookRecord[]> =>
  listWithin(
    async (page) => {
      const rows = await storage.list('webhooksByProject', { of: projectId, ...page });
      return listPage(rows, page.limit, rows);
    },
    ({ url }) => jsonBytes(url) + fixedBytesMax,
  );

/** The newest deliveries of a webhook. */
export const listDeliveries = (engine: Engine, webhookId: string): Promise<readonly DeliveryRecord[]> =>
  engine.storage.list('deliveriesByWebhook', { of: webhookId, limit: listRowsMax });

/** Sends an ended delivery again; null where there is none. */
export const redeliver = async (
  engine: Engine,
  command: { readonly webhookId: string; readonly deliveryId: string },
): Promise<DeliveryRecord | null> => {
  const delivery = await commitOnce(engine, redeliverStep(command));
  engine.signals.eventsDue.notify();
  return delivery;
};

const listedTypes = ({ events }: WebhookRecord): readonly EventType[] => storedEventTypes(events);

/** A request that never was, and how it ended: as the webhook subscribes to it. */
const imagined = (webhook: WebhookRecord, id: string): { readonly type: EventType } & OutboxOperation => {
  const { projectId } = webhook;
  const ended = { id, projectId, chargedMicros: 0n };
  return listedTypes(webhook).includes('request.completed')
    ? { ...ended, type: 'request.completed', state: 'completed', errorCode: null }
    : { ...ended, type: 'request.failed', state: 'failed', errorCode: 'request_failed' };
};

/**
 * Sends an event of a request that never was, of a type that the webhook lists, so that a receiver can be tried; null where
 * there is no such webhook.
 */
export const sendTestEvent = async (engine: Engine, name: WebhookName): Promise<DeliveryRecord | null> => {
  const webhook = await findWebhook(engine, name);
  if (webhook === null || webhook.status !== 'enabled') return null;
  const { projectId } = webhook;
  const [eventId, requestId] = [engine.newId(), engine.newId()];
  const { type, ...operation } = imagined(webhook, requestId);
  const outboxEvent = { eventId, projectId, requestUrl: engine.host.requestUrl(requestId) };
  const key = { table: 'delivery', id: deliveryId(eventId, webhook.id), fresh: true } as const;
  const delivery = await commitOnce(engine, {
    // The delivery is stored beside its webhook.
    keys: [{ table: 'webhook', id: webhook.id }, key],
    decide: (_, nowMs) => {
      const body = envelope(operation, outboxEvent, type, nowMs);
      const record = pendingDelivery({ id: requestId, eventId, projectId, eventType: type, body }, webhook.id, nowMs);
      return { writes: [{ kind: 'put', table: 'delivery', record }], answer: record };
    },
  });
  engine.signals.eventsDue.notify();
  return delivery;
};
