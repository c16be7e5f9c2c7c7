import { z } from 'zod';
import { isKeptText } from '../fields/kept-text.ts';
import { parseStrictBody } from '../http/strict-body.ts';

// webhooks:create:events-values
/** The events of a project. */
export const eventTypes = ['request.completed', 'request.failed'] as const;
export type EventType = (typeof eventTypes)[number];

/** The body of POST /webhooks. That the address leads to a public host over HTTPS is more than a schema can check. */
export const WebhookRequestBody = z.strictObject({
  url: z.string().min(1).refine(isKeptText).meta({ format: 'uri', description: 'https, port 443, a public DNS name' }),
  events: z
    .array(z.enum(eventTypes))
    .min(1)
    .max(eventTypes.length)
    .exactOptional()
    .meta({ default: [...eventTypes] }),
});

/** A checked webhook, but for its address. */
export interface WebhookRequest {
  readonly url: string;
  /** Each once. */
  readonly events: readonly EventType[];
}

/** Reads the parsed JSON body of POST /webhooks. Throws nothing but a `GatewayError` whose message names the field. */
export const parseWebhookRequest = (body: unknown): WebhookRequest => {
  const { url, events = eventTypes } = parseStrictBody(WebhookRequestBody, body);
  return { url, events: [...new Set(events)] };
};
