import { timingSafeEqual } from 'node:crypto';
import { sign } from './sign.ts';

/** A delivery as it came in. Header values that are absent are null. */
export interface Delivery {
  readonly eventId: string | null;
  readonly timestamp: string | null;
  /** One signature, or several divided by commas while a secret is being rotated. */
  readonly signature: string | null;
  /** The raw body: a body that was parsed and written again has another signature. */
  readonly body: Uint8Array;
}

export type Verdict =
  | { readonly kind: 'valid' }
  | {
      readonly kind: 'invalid';
      readonly reason: 'missing_header' | 'bad_timestamp' | 'stale' | 'wrong_signature' | 'wrong_id';
    };

export interface VerifyOptions {
  /** Unix milliseconds; the clock of the receiver. */
  readonly nowMs: number;
}

// webhooks:verify:tolerance
/** How far a timestamp may be from the receiver's clock, either way. */
export const toleranceSeconds = 300;
/** Signatures of one delivery that are checked. */
const signaturesMax = 4;

const digits = /^[1-9][0-9]{0,15}$/;
const signature = /^v1=[0-9a-f]{64}$/;

const invalid = (reason: Extract<Verdict, { kind: 'invalid' }>['reason']): Verdict => ({ kind: 'invalid', reason });

const equal = (given: string, expected: string): boolean =>
  signature.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

const bodyId = (body: Uint8Array): unknown => {
  try {
    const value: unknown = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
    return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  } catch {
    return undefined;
  }
};

// webhooks:verify:*
/**
 * Judges a delivery: digits only in the timestamp, not older or newer than 300 seconds, a signature that matches in constant
 * time, and the id of the body equal to that of the header. Any of the secrets will do. Never throws.
 */
export const verify = (secrets: readonly string[], delivery: Delivery, { nowMs }: VerifyOptions): Verdict => {
  const { eventId, timestamp, body } = delivery;
  if (eventId === null || timestamp === null || delivery.signature === null) return invalid('missing_header');
  if (!digits.test(timestamp)) return invalid('bad_timestamp');
  if (Math.abs(Math.floor(nowMs / 1_000) - Number(timestamp)) > toleranceSeconds) return invalid('stale');
  const given = delivery.signature.split(',', signaturesMax);
  const matches = secrets.filter((secret) => {
    const expected = sign(secret, { eventId, timestamp, body });
    return given.some((one) => equal(one, expected));
  });
  if (matches.length === 0) return invalid('wrong_signature');
  return bodyId(body) === eventId ? { kind: 'valid' } : invalid('wrong_id');
};
