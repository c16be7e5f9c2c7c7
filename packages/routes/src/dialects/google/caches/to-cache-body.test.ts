import { isGatewayError } from '@tollgate/contract';
import { assert, constantFrom, jsonValue, oneof, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { fromCachedContent, fromCachePatch } from './to-cache-body.ts';

const policy = { googleCompat: true, snakeCase: false };
const contents = [{ parts: [{ text: 'A long book' }] }];
const nowMs = Date.UTC(2026, 10, 20, 12);

const refusalOf = (run: () => unknown): string => {
  try {
    run();
  } catch (cause) {
    if (isGatewayError(cause)) return `${cause.code}: ${cause.message}`;
    throw cause;
  }
  return 'taken';
};

test.each([
  ['ttl', '60s', 60],
  ['ttl', '59.1s', 60],
  ['expireTime', '2026-11-20T12:01:00Z', 60],
  ['expireTime', '2026-11-20T13:00:59.001+01:00', 60],
  ['expire_time', '2026-11-20T12:01:00.000000Z', 60],
])('reads %s %s as %i seconds', (field, value, seconds) => {
  expect(fromCachedContent({ contents, [field]: value }, nowMs, policy).cache.ttlSeconds).toBe(seconds);
  expect(fromCachePatch({ [field]: value }, nowMs)).toBe(seconds);
});

test.each([
  [{ ttl: '0s' }, 'ttl'],
  [{ ttl: '604801s' }, 'ttl'],
  [{ ttl: 60 }, 'ttl'],
  [{ expireTime: '2026-11-20T11:59:59Z' }, 'expireTime'],
  [{ expireTime: '2026-13-20T11:59:59Z' }, 'expireTime'],
  [{ ttl: '60s', expireTime: '2026-11-20T12:01:00Z' }, 'ttl'],
  [{ displayName: 7 }, 'displayName'],
  [{ model: 7 }, 'model'],
  [{ toolConfig: {} }, 'toolConfig'],
  [{ name: 'cachedContents/x' }, 'name'],
])('refuses %j by the name of the field', (more, field) => {
  expect(refusalOf(() => fromCachedContent({ contents, ...more }, nowMs, policy))).toMatch(
    new RegExp(`^(?:invalid_request|unsupported_parameter): The fields? ${field}\\b`),
  );
});

test.each(['systemInstruction', 'system_instruction'])('keeps the pieces of the instruction at %s', (field) => {
  const instruction = { role: 'user', parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] };
  const asked = fromCachedContent({ contents, [field]: instruction }, nowMs, policy);
  expect(asked.systemInstruction).toEqual(['Be kind.', 'Be brief.']);
  expect(fromCachedContent({ contents }, nowMs, policy).systemInstruction).toBeNull();
});

test.each([
  ['Be kind.', 'systemInstruction'],
  [{ parts: [] }, 'systemInstruction.parts'],
  [{ parts: [{ functionCall: { name: 'f', args: {} } }] }, 'systemInstruction.parts[0]'],
  [{ role: 'model', parts: [{ text: 'x' }] }, 'systemInstruction.role'],
])('refuses the instruction %j by the name of the field', (systemInstruction, field) => {
  expect(refusalOf(() => fromCachedContent({ contents, systemInstruction }, nowMs, policy))).toContain(
    `field ${field} `,
  );
});

test('refuses a change that changes nothing', () => {
  expect(refusalOf(() => fromCachePatch({}, nowMs))).toContain('ttl and expireTime');
});

test('throws nothing but gateway errors for any JSON, and for what resembles a cache', () => {
  const odd = jsonValue({ maxDepth: 3 });
  const body = oneof(
    odd,
    record(
      {
        contents: oneof(odd, constantFrom(contents)),
        ttl: oneof(odd, string(), constantFrom('60s', '1e9s', '-1s')),
        expireTime: oneof(odd, constantFrom('2026-11-20T12:01:00Z', '9999-12-31T23:59:59Z')),
        displayName: oneof(odd, string()),
        model: odd,
        systemInstruction: oneof(odd, constantFrom({ parts: [{ text: 'Be kind.' }] })),
      },
      { requiredKeys: ['contents'] },
    ),
  );
  assert(
    property(body, (value) => {
      for (const run of [() => fromCachedContent(value, nowMs, policy), () => fromCachePatch(value, nowMs)])
        expect(refusalOf(run)).toMatch(/^(?:taken|[a-z_]+: [A-Z])/);
    }),
    { seed: 20_261_125, numRuns: 1_000 },
  );
});
