import { GatewayError } from '@tollgate/contract';
import { deleteWebhook, findWebhook, listDeliveries, listWebhooks, setWebhookEnabled } from '@tollgate/engine';
import type { WebhookRecord } from '@tollgate/storage';
import { pausableQueries } from '../pausable-queries.ts';
import { deliveryBody, webhookBody } from './encode-webhook.ts';

// webhooks:get:record, webhooks:patch:*, webhooks:delete:*
/**
 * A disabled webhook can still be read and is not resumed; what was delivered stays
 * readable.
 */
export const webhookQueries = pausableQueries<WebhookRecord>({
  list: listWebhooks,
  find: (engine, { id, projectId }) => findWebhook(engine, { webhookId: id, projectId }),
  setEnabled: async (engine, { id, projectId }, enabled) => {
    const answer = await setWebhookEnabled(engine, { webhookId: id, projectId }, enabled);
    if (answer === 'too_many')
      throw new GatewayError('invalid_request', { detail: 'The project has as many enabled webhooks as it may have.' });
    return answer;
  },
  disable: (engine, { id, projectId }) => deleteWebhook(engine, { webhookId: id, projectId }),
  bodyOf: webhookBody,
  history: async (engine, id) => (await listDeliveries(engine, id)).map(deliveryBody),
});
