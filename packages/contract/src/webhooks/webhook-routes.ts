import { z } from 'zod';
import { limits } from '../limits.ts';
import type { Route } from '../http/route.ts';
import { EnabledPatchBody } from '../http/enabled-patch.ts';
import { CreatedWebhook, Webhook, WebhookDeliveryList, WebhookList } from './webhook-record.ts';
import { WebhookRequestBody } from './webhook-request.ts';

const json = (description: string, schema: z.ZodType): Route['success'] => ({
  description,
  contents: { 'application/json': () => schema },
});

const byId = z.object({ id: z.uuid() });
const all = { errorForm: 'object', charged: false, takesIdentity: false, family: null } as const;
const query = { ...all, method: 'GET', bodyBytesMax: null, request: null } as const;
const change = { ...all, bodyBytesMax: limits.bodyBytesMax.other } as const;

// triggers:routes:statuses
/** Every route of webhooks. None of them costs anything. */
export const webhookRoutes = [
  {
    ...change,
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    summary: 'Receive events of requests that have ended',
    pathParameters: null,
    request: WebhookRequestBody,
    success: json('The webhook with its secret, which is not shown again.', CreatedWebhook),
    statuses: [200, 400, 401, 402, 403, 413, 422, 429, 503],
  },
  {
    ...query,
    id: 'listWebhooks',
    path: '/webhooks',
    summary: 'List the webhooks of the project',
    pathParameters: null,
    success: json('At most 100 webhooks, the newest first, paused ones too.', WebhookList),
    statuses: [200, 401, 402, 403, 429, 503],
  },
  {
    ...query,
    id: 'getWebhook',
    path: '/webhooks/{id}',
    summary: 'Query one webhook',
    pathParameters: byId,
    success: json('The webhook.', Webhook),
    statuses: [200, 401, 402, 403, 404, 429, 503],
  },
  {
    ...change,
    id: 'patchWebhook',
    method: 'PATCH',
    path: '/webhooks/{id}',
    summary: 'Pause or resume one webhook',
    pathParameters: byId,
    request: EnabledPatchBody,
    success: json('The webhook as changed.', Webhook),
    statuses: [200, 400, 401, 402, 403, 404, 413, 422, 429, 503],
  },
  {
    ...query,
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Disable one webhook for good',
    pathParameters: byId,
    success: json('The webhook as disabled.', Webhook),
    statuses: [200, 401, 402, 403, 404, 429, 503],
  },
  {
    ...query,
    id: 'listDeliveries',
    path: '/webhooks/{id}/deliveries',
    summary: 'List what was delivered to one webhook',
    pathParameters: byId,
    success: json('At most 100 deliveries, the newest first.', WebhookDeliveryList),
    statuses: [200, 401, 402, 403, 404, 429, 503],
  },
] as const satisfies readonly Route[];
