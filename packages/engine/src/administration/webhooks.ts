import type { Engine } from '../engine.ts';
import { listWebhooks as listRecords, type WebhookInfo } from '../webhooks/webhooks.ts';

/** The newest webhooks of a project without their secrets, paused ones too, up to a hundred. */
export const listWebhooks = async (engine: Engine, projectId: string): Promise<readonly WebhookInfo[]> =>
  (await listRecords(engine, projectId)).map(({ secret: _secret, previousSecret: _previous, ...info }) => info);

/** A webhook without its secrets, a deleted one too, or null. */
export const readWebhook = async (
  { storage }: Pick<Engine, 'storage'>,
  webhookId: string,
): Promise<WebhookInfo | null> => {
  const webhook = (await storage.read([{ table: 'webhook', id: webhookId }])).get('webhook', webhookId);
  if (webhook === undefined) return null;
  const { secret: _secret, previousSecret: _previous, ...info } = webhook;
  return info;
};
