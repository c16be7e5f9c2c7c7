import { isGatewayError } from '@tollgate/contract';
import { assert, jsonValue, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { fromAuthToken, fromLiveSetup } from './to-live-setup.ts';

const nowMs = Date.UTC(2026, 10, 20, 12);
const setup = { model: 'models/m', generationConfig: { responseModalities: ['TEXT'] } };

const refusalOf = (run: () => unknown): string => {
  try {
    run();
  } catch (cause) {
    if (isGatewayError(cause)) return `${cause.code}: ${cause.message}`;
    throw cause;
  }
  return 'taken';
};

test('reads the model beside the settings of the contract', () => {
  const config = { generationConfig: setup.generationConfig };
  expect(fromLiveSetup(setup)).toEqual({ model: 'm', config });
  expect(fromLiveSetup({ ...setup, sessionResumption: {} })).toEqual({ model: 'm', config });
  expect(fromLiveSetup({})).toEqual({ model: undefined, config: {} });
});

test.each([
  [{ sessionResumption: { handle: 'x' } }, 'sessionResumption.handle'],
  [{ safetySettings: [] }, 'safetySettings'],
  [{ tools: [{ googleSearch: {} }] }, 'googleSearch'],
  [{ model: 7 }, 'model'],
  [{ generationConfig: { temperature: 9 } }, 'temperature'],
])('refuses %j by the name of the field', (more, field) => {
  expect(refusalOf(() => fromLiveSetup({ ...setup, ...more }))).toContain(field);
});

test('reads a token with the times that it is good for', () => {
  const body = {
    uses: 1,
    expireTime: '2026-11-20T12:10:00Z',
    newSessionExpireTime: '2026-11-20T12:02:00Z',
    bidiGenerateContentSetup: setup,
  };
  const asked = { model: 'm', config: { generationConfig: setup.generationConfig } };
  expect(fromAuthToken(body, nowMs)).toEqual({ ...asked, validMs: 120_000, untilMs: nowMs + 600_000 });
  const bare = fromAuthToken({ bidiGenerateContentSetup: setup }, nowMs);
  expect(bare).toEqual({ ...asked, validMs: undefined, untilMs: nowMs + 1_800_000 });
});

test.each([
  [{ uses: 0 }, 'uses'],
  [{ uses: 2 }, 'uses'],
  [{ fieldMask: 'temperature' }, 'fieldMask'],
  [{ expireTime: '2026-11-20T11:59:00Z' }, 'expireTime'],
  [{ expireTime: '2026-11-21T09:00:00Z' }, 'expireTime'],
  [{ newSessionExpireTime: '2026-11-20T12:31:00Z' }, 'newSessionExpireTime'],
  [{ newSessionExpireTime: 'soon' }, 'newSessionExpireTime'],
  [{ bidiGenerateContentSetup: undefined }, 'bidiGenerateContentSetup'],
  [{ name: 'auth_tokens/x' }, 'name'],
])('refuses a token with %j by the name of the field', (more, field) => {
  expect(refusalOf(() => fromAuthToken({ bidiGenerateContentSetup: setup, ...more }, nowMs))).toContain(
    `The field ${field} `,
  );
});

test('throws nothing but gateway errors for any JSON, and for what resembles a token', () => {
  const odd = jsonValue({ maxDepth: 3 });
  const token = record({ uses: odd, expireTime: odd, bidiGenerateContentSetup: odd }, { requiredKeys: [] });
  assert(
    property(oneof(odd, token), (value) => {
      for (const run of [() => fromLiveSetup(value), () => fromAuthToken(value, nowMs)])
        expect(refusalOf(run)).toMatch(/^(?:taken|[a-z_]+: [A-Z])/);
    }),
    { seed: 20_261_125, numRuns: 1_000 },
  );
});

test('a session that is to be taken up again is refused, and a question how it is, is none', () => {
  for (const sessionResumption of [undefined, {}, { handle: null }])
    expect(() => fromLiveSetup({ sessionResumption })).not.toThrow();
  expect(() => fromLiveSetup({ sessionResumption: { handle: 'h' } })).toThrow('sessionResumption.handle');
});
