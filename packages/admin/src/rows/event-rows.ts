import { z } from 'zod';
import { adminRoute, json, nothing, reads, type AdminContext, type AdminRoute } from '../admin-route.ts';
import { AdminError, foundOr404 } from '../admin-error.ts';
import { wholeList, wirePage } from '../cursor.ts';
import { requireOfProject, requireOperation, requireProject } from '../own.ts';
import { pageOf, pageParameters } from '../parameters.ts';
import { Id, listOf } from '../records/fields.ts';
import { Delivery, Webhook, WebhookSecret } from '../records/event-records.ts';

const webhook = z.strictObject({ webhook_id: Id });
const delivery = z.strictObject({ delivery_id: Id });

const requireWebhook = async (context: AdminContext, webhookId: string) =>
  requireOfProject(context, await context.admin.readWebhook(webhookId));

interface DeliveryInput {
  readonly project_id?: string;
  readonly webhook_id?: string;
  readonly operation_id?: string;
}

/** An owner names something of its own. */
const requireOwnDeliveries = async (context: AdminContext, query: DeliveryInput): Promise<void> => {
  if (query.project_id !== undefined) await requireProject(context, query.project_id);
  if (query.webhook_id !== undefined) await requireWebhook(context, query.webhook_id);
  if (query.operation_id !== undefined) await requireOperation(context, query.operation_id);
  const isNamed = [query.project_id, query.webhook_id, query.operation_id].some((name) => name !== undefined);
  if (!isNamed && context.caller.role === 'owner')
    throw new AdminError(
      'invalid_request',
      'The query names neither project_id, webhook_id nor operation_id; accepted is one.',
    );
};

/** Webhooks and their deliveries. */
export const eventRows: readonly AdminRoute[] = [
  adminRoute({
    ...reads,
    id: 'listWebhooks',
    path: '/projects/{project_id}/webhooks',
    summary: 'List the newest webhooks of a project',
    role: 'owner',
    covers: ['listWebhooks'],
    pathParameters: z.strictObject({ project_id: Id }),
    queryParameters: nothing,
    success: { status: 200, description: 'Up to a hundred, without their secrets.', schema: listOf(Webhook) },
    run: async (context, { path }) => {
      const { id } = await requireProject(context, path.project_id);
      return json(wholeList(await context.admin.listWebhooks(id)));
    },
  }),
  adminRoute({
    ...reads,
    id: 'readWebhook',
    path: '/webhooks/{webhook_id}',
    summary: 'Read one webhook',
    role: 'owner',
    covers: ['readWebhook'],
    pathParameters: webhook,
    queryParameters: nothing,
    success: { status: 200, description: 'The webhook, without its secret.', schema: Webhook },
    run: async (context, { path }) => json(await requireWebhook(context, path.webhook_id)),
  }),
  adminRoute({
    id: 'sendTestEvent',
    method: 'POST',
    path: '/webhooks/{webhook_id}/test',
    summary: 'Send a test event to a webhook',
    role: 'owner',
    covers: ['sendTestEvent'],
    pathParameters: webhook,
    queryParameters: nothing,
    request: nothing,
    success: { status: 201, description: 'Its delivery. A repeat sends another event.', schema: Delivery },
    run: async (context, { path }) => {
      const { id, projectId } = await requireWebhook(context, path.webhook_id);
      const sent = await context.admin.sendTestEvent({ projectId, webhookId: id });
      if (sent === null) throw new AdminError('conflict', 'The webhook is paused or deleted.');
      return json(sent);
    },
  }),
  adminRoute({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/{webhook_id}/rotate-secret',
    summary: 'Give a webhook a new secret; the one before signs beside it for a while',
    role: 'owner',
    covers: ['rotateWebhookSecret'],
    pathParameters: webhook,
    queryParameters: nothing,
    request: z.strictObject({ overlap_ms: z.int().min(0).exactOptional() }),
    success: {
      status: 200,
      description: 'The secret, which is shown this once. A repeat makes another.',
      schema: WebhookSecret,
    },
    run: async (context, { path, body }) => {
      const { id, projectId } = await requireWebhook(context, path.webhook_id);
      const name = { projectId, webhookId: id };
      return json(foundOr404(await context.admin.rotateWebhookSecret(name, { overlapMs: body.overlap_ms })));
    },
  }),
  adminRoute({
    ...reads,
    id: 'findDeliveries',
    path: '/deliveries',
    summary: 'List deliveries by project, webhook, operation and status',
    role: 'owner',
    covers: ['findDeliveries'],
    pathParameters: nothing,
    queryParameters: z.strictObject({
      ...pageParameters,
      project_id: Id.exactOptional(),
      webhook_id: Id.exactOptional(),
      operation_id: Id.exactOptional(),
      status: z.enum(['pending', 'delivered', 'failed', 'skipped']).exactOptional(),
    }),
    success: { status: 200, description: 'A page, newest first.', schema: listOf(Delivery) },
    run: async (context, { query }) => {
      await requireOwnDeliveries(context, query);
      const { project_id: projectId, webhook_id: webhookId, operation_id: operationId, status } = query;
      const asked = { projectId, webhookId, operationId, status, ...pageOf(query) };
      return json(wirePage(await context.admin.findDeliveries(asked)));
    },
  }),
  adminRoute({
    ...reads,
    id: 'readDelivery',
    path: '/deliveries/{delivery_id}',
    summary: 'Read one delivery',
    role: 'owner',
    covers: ['readDelivery'],
    pathParameters: delivery,
    queryParameters: nothing,
    success: { status: 200, description: 'The delivery, with the event that is sent.', schema: Delivery },
    run: async (context, { path }) =>
      json(await requireOfProject(context, await context.admin.readDelivery(path.delivery_id))),
  }),
  adminRoute({
    id: 'redeliver',
    method: 'POST',
    path: '/deliveries/{delivery_id}/redeliver',
    summary: 'Send an event again',
    role: 'owner',
    covers: ['redeliver'],
    pathParameters: delivery,
    queryParameters: nothing,
    request: nothing,
    success: { status: 200, description: 'The delivery, which is pending again.', schema: Delivery },
    run: async (context, { path }) => {
      const found = await requireOfProject(context, await context.admin.readDelivery(path.delivery_id));
      const sent = await context.admin.redeliver({ webhookId: found.webhookId, deliveryId: found.id });
      if (sent === null) throw new AdminError('conflict', 'Its webhook is paused or deleted.');
      return json(sent);
    },
  }),
];
