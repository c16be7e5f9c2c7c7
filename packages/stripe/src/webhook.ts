import type Stripe from 'stripe';
import type { Desk } from './desk.ts';
import { isUnverified } from './stripe-error.ts';
import { toleranceSecondsDefault } from './stripe-options.ts';
import { handleEvent } from './webhook-event.ts';

/** Stripe's events are some kilobytes. */
export const webhookBytesMax = 1_048_576;

const answer = (status: number, body: Readonly<Record<string, unknown>>): Response => Response.json(body, { status });

const refuse = (status: number, error: string): Response => answer(status, { error });

/** The body as it came, whose bytes are signed; null beyond the limit. */
const readBody = async (request: Request): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (request.body === null) return new Uint8Array();
  const stream: AsyncIterable<Uint8Array> = request.body;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > webhookBytesMax) return null;
    chunks.push(chunk);
  }
  const body = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
};

/** Stripe's library refuses old signatures and accepts any that are of the future. */
const isAhead = (header: string, latestSeconds: number): boolean => {
  const time = /(?:^|,)\s*t=(\d+)/u.exec(header)?.[1];
  return time !== undefined && Number(time) > latestSeconds;
};

type Verified =
  | { readonly kind: 'event'; readonly event: Stripe.Event }
  | { readonly kind: 'refused'; readonly why: string };

const verify = async ({ stripe, options }: Desk, body: Uint8Array, header: string): Promise<Verified> => {
  const { webhookSecret, toleranceSeconds = toleranceSecondsDefault, nowMs = Date.now } = options;
  const receivedAt = nowMs();
  if (isAhead(header, receivedAt / 1_000 + toleranceSeconds))
    return { kind: 'refused', why: 'the time of the signature is ahead' };
  try {
    const event = await stripe.webhooks.constructEventAsync(
      body,
      header,
      webhookSecret,
      toleranceSeconds,
      undefined,
      receivedAt,
    );
    return { kind: 'event', event };
  } catch (error) {
    const why = isUnverified(error) ? 'the signature is not that of the body' : 'the body is no event of this endpoint';
    return { kind: 'refused', why };
  }
};

/**
 * Receives an event of Stripe. It returns 200 after what the event asks for is committed, 4xx for what Stripe did not sign for this
 * endpoint, and throws where the storage or Stripe fails: respond with 5xx then, and Stripe sends the event again.
 */
export const receiveWebhook = async (desk: Desk, request: Request): Promise<Response> => {
  if (request.method !== 'POST') return refuse(405, 'events are sent by POST');
  const header = request.headers.get('stripe-signature');
  if (header === null) return refuse(400, 'the header stripe-signature is missing');
  const body = await readBody(request);
  if (body === null) return refuse(413, `the body is above ${webhookBytesMax} bytes`);
  const verified = await verify(desk, body, header);
  if (verified.kind === 'refused') return refuse(400, verified.why);
  const { event } = verified;
  if (event.livemode !== desk.options.live)
    return refuse(400, event.livemode ? 'the event is of live mode' : 'the event is of test mode');
  const { kind } = await handleEvent(desk, event);
  return answer(200, { received: kind });
};
