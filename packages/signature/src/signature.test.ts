import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sign, toleranceSeconds, verify } from './index.ts';

interface SignVector {
  readonly name: string;
  readonly secret: string;
  readonly event_id: string;
  readonly timestamp: string;
  readonly body_base64: string;
  readonly signature: string;
}
interface VerifyVector extends Omit<SignVector, 'signature'> {
  readonly clock: number;
  readonly accept: boolean | null;
  readonly signature: string | null;
}

// The file lies beside the test and is of this form.
const vectors = JSON.parse(readFileSync(new URL('../test-data/signatures.json', import.meta.url), 'utf8')) as {
  readonly sign: readonly SignVector[];
  readonly verify: readonly VerifyVector[];
};

test.each(vectors.sign)(
  'signs the bytes of "$name" as another implementation does [webhooks:signature:hmac-sha256]',
  (vector) => {
    const body = Buffer.from(vector.body_base64, 'base64');
    expect(sign(vector.secret, { eventId: vector.event_id, timestamp: vector.timestamp, body })).toBe(vector.signature);
  },
);

test.each(vectors.verify.map((vector, at) => ({ ...vector, at })))(
  'gives verdict $at: accept is $accept [webhooks:verify:tolerance] [webhooks:verify:id-match]',
  ({ secret, event_id: eventId, timestamp, body_base64: base64, signature, clock, accept }) => {
    const delivery = { eventId, timestamp, signature, body: Buffer.from(base64, 'base64') };
    const verdict = verify([secret], delivery, { nowMs: clock * 1_000 });
    // A leading zero is left to the implementation: it is refused here, as no sender writes one.
    expect(verdict.kind).toBe(accept === true ? 'valid' : 'invalid');
  },
);

const secret = 'whsec_test';
const eventId = '3f1b0e0a-8d4c-4f9b-9d59-0a2f5b2f1c11';
const body = Buffer.from(JSON.stringify({ id: eventId, type: 'request.completed' }));
const timestamp = '1795147200';
const nowMs = 1_795_147_200_000;
const signed = sign(secret, { eventId, timestamp, body });

test('writes v1= and 64 lowercase hex characters [webhooks:signature:format]', () => {
  expect(signed).toMatch(/^v1=[0-9a-f]{64}$/);
});

test('takes the secret as the bytes that are shown [webhooks:signature:key-bytes]', () => {
  const decoded = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('latin1');
  expect(sign(decoded, { eventId, timestamp, body })).not.toBe(signed);
});

test('accepts either of two secrets while one is being rotated', () => {
  const other = sign('whsec_old', { eventId, timestamp, body });
  const delivery = { eventId, timestamp, signature: `${other},${signed}`, body };
  expect(verify([secret], delivery, { nowMs })).toEqual({ kind: 'valid' });
  expect(verify(['whsec_old'], delivery, { nowMs })).toEqual({ kind: 'valid' });
  expect(verify(['whsec_other'], delivery, { nowMs })).toEqual({ kind: 'invalid', reason: 'wrong_signature' });
});

test.each([
  [{ eventId: null }, 'missing_header'],
  [{ timestamp: null }, 'missing_header'],
  [{ signature: null }, 'missing_header'],
  [{ timestamp: '+1795147200' }, 'bad_timestamp'],
  [{ signature: 'v1=00' }, 'wrong_signature'],
] as const)('says what is wrong with %j', (change, reason) => {
  expect(verify([secret], { eventId, timestamp, signature: signed, body, ...change }, { nowMs })).toEqual({
    kind: 'invalid',
    reason,
  });
});

test('is as strict about the future as about the past [webhooks:verify:tolerance]', () => {
  const delivery = { eventId, timestamp, signature: signed, body };
  for (const seconds of [-toleranceSeconds, toleranceSeconds])
    expect(verify([secret], delivery, { nowMs: nowMs + seconds * 1_000 }).kind).toBe('valid');
  for (const seconds of [-toleranceSeconds - 1, toleranceSeconds + 1])
    expect(verify([secret], delivery, { nowMs: nowMs + seconds * 1_000 })).toEqual({
      kind: 'invalid',
      reason: 'stale',
    });
});

test('refuses a body that was parsed and written again [webhooks:verify:raw-body]', () => {
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8')), null, 1));
  const delivery = { eventId, timestamp, signature: signed, body: rewritten };
  expect(verify([secret], delivery, { nowMs })).toEqual({ kind: 'invalid', reason: 'wrong_signature' });
});

test('does not leave the comparison at the first difference [webhooks:verify:constant-time]', () => {
  const source = readFileSync(new URL('./verify.ts', import.meta.url), 'utf8');
  expect(source).toContain('timingSafeEqual(');
  expect(source).not.toMatch(/===\s*expected/);
});
