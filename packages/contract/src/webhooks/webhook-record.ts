import { z } from 'zod';
import { eventTypes } from './webhook-request.ts';

// webhooks:get:record
/** A webhook as every route but its creation returns it. */
export const Webhook = z.looseObject({
  id: z.uuid(),
  project_id: z.uuid(),
  url: z.url(),
  events: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
});
export type Webhook = Readonly<z.infer<typeof Webhook>>;

// webhooks:create:secret-once
/** A webhook as its creation returns it: with its secret, which is shown this once. */
export const CreatedWebhook = z.looseObject({
  ...Webhook.shape,
  signing_secret: z.string().meta({ description: 'Signs every delivery. It is not shown again.' }),
});

export const WebhookList = z.looseObject({ object: z.literal('list'), data: z.array(Webhook) });

// webhooks:deliveries:list
/** What became of one event for one webhook. */
export const WebhookDelivery = z.looseObject({
  id: z.string(),
  request_id: z.string(),
  event_type: z.enum(eventTypes),
  status: z.enum(['pending', 'delivered', 'failed', 'skipped']),
  attempts: z.int().min(0),
  http_status: z.int().nullable().meta({ description: 'Of the last attempt; null where no response came.' }),
  created_at: z.iso.datetime(),
});
export type WebhookDelivery = Readonly<z.infer<typeof WebhookDelivery>>;

export const WebhookDeliveryList = z.looseObject({ object: z.literal('list'), data: z.array(WebhookDelivery) });
