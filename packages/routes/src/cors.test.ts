import { expect, test } from 'vitest';
import { silentLogger } from '@tollgate/engine';
import { corsCheck, withCors, type CorsOptions } from './cors.ts';
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts';

const app = 'https://app.example.com';

const requestOf = (method: string, headers: Readonly<Record<string, string>>): GatewayRequest => ({
  method,
  path: '/api/v1/ai/models',
  query: '',
  header: (name) => headers[name] ?? null,
  readBody: () => Promise.resolve({ kind: 'incomplete' }),
  readBodyChunks: () => {
    throw new Error('nobody reads it');
  },
  isGone: () => false,
  onGone: () => () => {},
});

const plain: GatewayResponse = { status: 200, headers: { 'x-request-id': 'an-id' }, body: '{}' };

const asked = (options: CorsOptions, method: string, headers: Readonly<Record<string, string>>) =>
  withCors(() => Promise.resolve(plain), options, { logger: silentLogger, newId: () => 'r1' })(
    requestOf(method, headers),
  );

const preflight = (options: CorsOptions, headers: Readonly<Record<string, string>> = {}) =>
  asked(options, 'OPTIONS', { origin: app, 'access-control-request-method': 'POST', ...headers });

test('lets a named origin in, and tells caches that the answer depends on it', async () => {
  const { headers } = await asked({ origins: [app] }, 'GET', { origin: app });
  expect(headers).toMatchObject({ 'x-request-id': 'an-id', 'access-control-allow-origin': app, vary: 'Origin' });
  for (const name of ['X-Request-Id', 'Idempotency-Replayed', 'Retry-After', 'X-Should-Retry'])
    expect(headers['access-control-expose-headers']?.split(', ')).toContain(name);
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

test.each([
  'https://app.example.com.evil.example',
  'http://app.example.com',
  'https://app.example.com:8443',
  'null',
  '',
])('lets %j not in, and responds to it all the same', async (origin) => {
  const answer = await asked({ origins: [app] }, 'GET', { origin });
  expect(answer).toEqual({ ...plain, headers: { ...plain.headers, vary: 'Origin' } });
  const refused = await asked({ origins: [app] }, 'OPTIONS', { origin, 'access-control-request-method': 'GET' });
  expect(Object.keys(refused.headers)).toEqual(['vary']);
});

test('leaves requests that come from no page as they are', async () => {
  const answer = await asked({ origins: '*' }, 'GET', {});
  expect(answer).toEqual({ ...plain, headers: { ...plain.headers, vary: 'Origin' } });
  const options = await asked({ origins: '*' }, 'OPTIONS', { origin: app });
  expect(options.status).toBe(200);
});

test('responds to a preflight with what the page asked for, and for how long', async () => {
  const answer = await preflight(
    { origins: '*' },
    { 'access-control-request-headers': 'authorization,x-stainless-lang' },
  );
  expect(answer).toEqual({
    status: 200,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'HEAD, GET, POST, DELETE, PATCH',
      'access-control-allow-headers': 'authorization, x-stainless-lang',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    },
    body: '',
  });
});

test.each(['a b', 'x\r\ny: z', 'é', 'x'.repeat(2_049)])('does not repeat the header names %j', async (names) => {
  const { headers } = await preflight({ origins: '*' }, { 'access-control-request-headers': names });
  expect(headers).not.toHaveProperty('access-control-allow-headers');
});

test('takes the host at its word: headers, time, cookies, and a function', async () => {
  const options: CorsOptions = {
    origins: (origin) => origin.endsWith('.example.com'),
    headers: ['Authorization', 'Content-Type'],
    exposeHeaders: ['X-Mine'],
    maxAgeSeconds: 5,
    credentials: true,
  };
  const { headers } = await preflight(options, { 'access-control-request-headers': 'x-other' });
  expect(headers).toMatchObject({
    'access-control-allow-origin': app,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-max-age': '5',
  });
  const answer = await asked(options, 'GET', { origin: app });
  expect(answer.headers['access-control-expose-headers']).toMatch(/, X-Mine$/);
  expect((await asked(options, 'GET', { origin: 'https://example.org' })).headers).not.toHaveProperty(
    'access-control-allow-origin',
  );
});

test.each<[CorsOptions, RegExp]>([
  [{ origins: [] }, /^cors\.origins is a list of 0 entries; accepted is a list of 1 to /],
  [
    { origins: ['https://app.example.com/'] },
    /^cors\.origins\[0\] is the text "https:\/\/app\.example\.com\/"; accepted .* https:\/\/app\.example\.com$/,
  ],
  [{ origins: ['app.example.com'] }, /accepted is an exact origin such as https:/],
  [{ origins: ['*'] }, /accepted is an exact origin/],
  [{ origins: '*', credentials: true }, /^cors\.credentials stands beside origins '\*'/],
  [{ origins: [app], headers: ['a b'] }, /^cors\.headers\[0\] is the text "a b"; accepted is the name of a header/],
  [{ origins: [app], exposeHeaders: [''] }, /^cors\.exposeHeaders\[0\] is the text ""/],
  [{ origins: [app], maxAgeSeconds: 86_401 }, /from 0 to 86400/],
])('refuses %j at the start', (options, message) => {
  const faults = corsCheck.faultsOf(options, 'cors');
  expect(faults.map((fault) => fault.message)).toEqual([expect.stringMatching(message)]);
});

test.each([
  [
    'throws',
    (): never => {
      throw new Error('the list is away');
    },
    'threw',
  ],
  ['answers a promise', () => Promise.resolve(true), 'nonsense'],
  ['answers a promise that rejects', () => Promise.reject(new Error('down')), 'nonsense'],
])('admits no origin by a function that %s, and logs it with a code', async (_, allows, reason) => {
  const logged: unknown[] = [];
  const log = (_message: string, fields?: Readonly<Record<string, unknown>>): void => void logged.push(fields);
  const origins = allows as unknown as () => boolean;
  const handle = withCors(
    () => Promise.resolve(plain),
    { origins },
    { logger: { info: log, warn: log, error: log }, newId: () => 'r1' },
  );
  const answer = await handle(requestOf('GET', { origin: app }));
  expect(answer.status).toBe(plain.status);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  expect(logged).toEqual([expect.objectContaining({ requestId: 'r1', code: 'cors_origins_failed', reason })]);
});
