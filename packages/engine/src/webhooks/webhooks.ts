import type { EventType } from '@tollgate/contract';
import { listRowsMax, type DeliveryRecord, type WebhookRecord } from '@tollgate/storage';
import {
  decideChangeWebhook,
  decideCreateWebhook,
  webhookKeys,
  type ChangeWebhookAnswer,
  type ChangeWebhookCommand,
  type CreateWebhookAnswer,
} from '../decisions/webhook.ts';
import { decideRedeliver, deliveryId, pendingDelivery } from '../decisions/delivery.ts';
import { envelope, type NoticedOperation } from '../decisions/notice.ts';
import type { Engine } from '../engine.ts';
import { patienceOf, persist } from '../persist.ts';

export interface WebhookInput {
  readonly projectId: string;
  readonly url: string;
  readonly events: readonly EventType[];
}

const secretBytes = 32;

const newSecret = (engine: Engine): string =>
  `whsec_${Buffer.from(engine.randomBytes(secretBytes)).toString('base64url')}`;

/** Registers a webhook; its secret is in the answer, and in no other. */
export const createWebhook = (engine: Engine, input: WebhookInput): Promise<CreateWebhookAnswer> => {
  const command = { ...input, webhookId: engine.newId(), secret: newSecret(engine) };
  return persist(patienceOf(engine), () => engine.storage.transact(webhookKeys(command), decideCreateWebhook(command)));
};

const change = (engine: Engine, command: ChangeWebhookCommand): Promise<ChangeWebhookAnswer> =>
  persist(patienceOf(engine), () => engine.storage.transact(webhookKeys(command), decideChangeWebhook(command)));

type WebhookName = Pick<ChangeWebhookCommand, 'webhookId' | 'projectId'>;

/** Pauses, or resumes where the project has not as many enabled ones as it may have (webhooks:patch:*). */
export const setWebhookEnabled = (engine: Engine, name: WebhookName, enabled: boolean): Promise<ChangeWebhookAnswer> =>
  change(engine, { ...name, kind: 'set_enabled', enabled });

/** A change that enables nothing is never one too many. */
const foundOrNull = (answer: ChangeWebhookAnswer): WebhookRecord | null => (answer === 'too_many' ? null : answer);

/** Final; the history of its deliveries stays. */
export const deleteWebhook = async (engine: Engine, name: WebhookName): Promise<WebhookRecord | null> =>
  foundOrNull(await change(engine, { ...name, kind: 'disable' }));

/** Gives a webhook another secret; both sign until the overlap is over. The answer holds the new one. */
export const rotateWebhookSecret = async (
  engine: Engine,
  name: WebhookName,
  { overlapMs = 24 * 3_600_000 }: { readonly overlapMs?: number } = {},
): Promise<WebhookRecord | null> =>
  foundOrNull(await change(engine, { ...name, kind: 'rotate', secret: newSecret(engine), overlapMs }));

/** A webhook of the project, a deleted one too, or null. */
export const findWebhook = async (engine: Engine, name: WebhookName): Promise<WebhookRecord | null> => {
  const records = await engine.storage.read([{ table: 'webhook', id: name.webhookId }]);
  const webhook = records.get('webhook', name.webhookId);
  return webhook === undefined || webhook.projectId !== name.projectId ? null : webhook;
};

/** The newest webhooks of a project, paused ones too. */
export const listWebhooks = (engine: Engine, projectId: string): Promise<readonly WebhookRecord[]> =>
  engine.storage.list('webhooksByProject', { of: projectId, limit: listRowsMax });

/** The newest deliveries of a webhook. */
export const listDeliveries = (engine: Engine, webhookId: string): Promise<readonly DeliveryRecord[]> =>
  engine.storage.list('deliveriesByWebhook', { of: webhookId, limit: listRowsMax });

/** Sends an ended delivery again; null where there is none. */
export const redeliver = async (
  engine: Engine,
  command: { readonly webhookId: string; readonly deliveryId: string },
): Promise<DeliveryRecord | null> => {
  const key = { table: 'delivery', id: command.deliveryId } as const;
  const delivery = await engine.storage.transact([key], decideRedeliver(command));
  engine.wake.wake();
  return delivery;
};

// Records are written by the decisions of webhooks alone, which hold event types.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const listedTypes = ({ events }: WebhookRecord): readonly EventType[] => events as readonly EventType[];

/** A request that never was, and how it ended: as the webhook wants to be told of. */
const imagined = (webhook: WebhookRecord, id: string): { readonly type: EventType } & NoticedOperation => {
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
  const notice = { eventId, projectId, requestUrl: engine.requestUrl(requestId) };
  const key = { table: 'delivery', id: deliveryId(eventId, webhook.id), fresh: true } as const;
  const delivery = await engine.storage.transact([key], (_, nowMs) => {
    const body = envelope(operation, notice, type, nowMs);
    const record = pendingDelivery({ id: requestId, eventId, projectId, eventType: type, body }, webhook.id, nowMs);
    return { writes: [{ kind: 'put', table: 'delivery', record }], answer: record };
  });
  engine.wake.wake();
  return delivery;
};
