import { createHmac } from 'node:crypto';

/** What is signed: the id of an event, when this attempt was made, and the exact bytes of the body. */
export interface SignedParts {
  readonly eventId: string;
  /** Unix seconds. */
  readonly timestamp: string;
  readonly body: Uint8Array;
}

/** The name under which the scheme is written before a signature. */
const schemePrefix = 'v1=';

// webhooks:signature:hmac-sha256, webhooks:signature:key-bytes
/**
 * HMAC-SHA256 over event id, a dot, timestamp, a dot and the raw body, as `v1=` and 64 lowercase hex characters. The key is
 * the UTF-8 bytes of the secret exactly as it is shown.
 */
export const sign = (secret: string, { eventId, timestamp, body }: SignedParts): string =>
  schemePrefix + createHmac('sha256', secret).update(`${eventId}.${timestamp}.`).update(body).digest('hex');
