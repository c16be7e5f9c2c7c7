import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatBody, getPath, postChat } from '../clients/chat-call.ts';
import { boundModel, startGateway, type RunningGateway } from '../clients/running-gateway.ts';
import { chatHead, openSocket, type RawAnswer } from './raw-socket.ts';

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway();
});
afterAll(async () => {
  expect(running.errors).toEqual([]);
  await running.close();
});

/** One request on a connection of its own, its target exactly as given. */
const ask = async (method: string, target: string, headers: readonly string[] = []): Promise<RawAnswer | null> => {
  const socket = await openSocket(running.origin);
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: gateway.test', `Authorization: Bearer ${running.key}`];
  socket.write([...lines, 'Connection: close', ...headers, '', ''].join('\r\n'));
  const answer = await socket.answer();
  socket.destroy();
  return answer;
};

const base = '/api/v1/ai';

test.each([
  '/',
  '//',
  '*',
  base,
  `${base}/`,
  '/api/v1/ai2/models',
  '/api/v1/models',
  `${base}//models`,
  `/${base}/models`,
  `${base}/models/`,
  `${base}/./models`,
  `${base}/x/../models`,
  `${base}/../ai/models`,
  '/api/v1/../v1/ai/models',
  `${base}/%2e%2e/ai/models`,
  `${base}/models/%`,
  `${base}/models/%zz`,
  `${base}/models/%c3%28`,
  `${base}/models/%ed%a0%80`,
  `${base}/models;x=1`,
  `${base}/MODELS`,
  '/API/V1/AI/models',
  `${base}/models/a/b`,
  `${base}/requests`,
  `${base}/requests/a/b`,
  `${base}/chat`,
  `${base}/chat/completions/x`,
  `${base}/__proto__`,
  `${base}/constructor`,
  `${base}/${'a'.repeat(8_000)}`,
  `${base}/${'a/'.repeat(4_000)}`,
  '/../../../../etc/passwd',
  `${base}/..%2f..%2fetc%2fpasswd`,
])('answers 404 to the path %s [errors:path:unknown]', async (target) => {
  const answer = await ask('GET', target);
  expect(answer?.status).toBe(404);
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: { code: 'not_found' } });
});

test.each([
  'no-such-model',
  '__proto__',
  'constructor',
  '%00',
  '%2e%2e',
  '..%2f..',
  'a%20b',
  '%F0%9F%9B%B0',
  '%22%3E%3Cscript%3E',
  'a'.repeat(8_000),
  "';DROP%20TABLE%20operation;--",
  '%0d%0aSet-Cookie:%20a=b',
])('answers 404 to the model %s without repeating it [models:get:unknown] [errors:path:unknown]', async (name) => {
  const answer = await ask('GET', `${base}/models/${name}`);
  expect(answer?.status).toBe(404);
  expect(JSON.parse(answer?.body ?? '')).toEqual({ error: 'Not found in this project.' });
  expect(answer?.headers).not.toHaveProperty('set-cookie');
});

test.each([
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-00000000000',
  '00000000-0000-0000-0000-000000000000%00',
  '%30%30000000-0000-0000-0000-000000000000',
  'chatcmpl-00000000-0000-0000-0000-000000000000',
  'not-a-uuid',
  '__proto__',
  '1%20OR%201=1',
  '%ff',
])('answers 404 to the request id %s [errors:path:unknown]', async (id) => {
  expect((await ask('GET', `${base}/requests/${id}`))?.status).toBe(404);
});

test('leaves the query out of account, whatever it says', async () => {
  for (const query of ['?', '?a=b', '?%', '?%zz', '?a=%00', `?${'a'.repeat(8_000)}`, '?/../..', '??', '?#'])
    expect([query, (await ask('GET', `${base}/models/${boundModel}${query}`))?.status]).toEqual([query, 200]);
});

test('takes the absolute form of a target, as every server must', async () => {
  expect((await ask('GET', `http://gateway.test${base}/models`))?.status).toBe(200);
  expect((await ask('GET', `http://gateway.test${base}/nothing`))?.status).toBe(404);
  expect((await ask('GET', 'http://gateway.test'))?.status).toBe(404);
});

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
  'refuses %s on known paths with 405 and says what is allowed [errors:path:method]',
  async (method) => {
    const expected = { [`${base}/models`]: 'GET', [`${base}/chat/completions`]: 'POST', [`${base}/requests/x`]: 'GET' };
    for (const [path, allow] of Object.entries(expected)) {
      const answer = await ask(method, path);
      expect([answer?.status, answer?.headers['allow']]).toEqual([405, allow]);
    }
    expect((await ask(method, `${base}/nothing`))?.status).toBe(404);
  },
);

test('refuses HEAD where there is nothing to download [errors:path:method]', async () => {
  const answer = await fetch(`${running.baseUrl}/models`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${running.key}` },
  });
  expect([answer.status, answer.headers.get('allow'), await answer.text()]).toEqual([405, 'GET', '']);
});

test.each(['CONNECT', 'BREW', 'get', '', 'GET\0', 'G'.repeat(10_000)])(
  'cuts off or refuses a method that is none: %j',
  async (method) => {
    const status = (await ask(method, `${base}/models`))?.status ?? 400;
    expect(status >= 400 && status < 500).toBe(true);
  },
);

test('refuses a wrong method on the chat path without reading the key or the body [errors:path:method]', async () => {
  const answer = await fetch(`${running.baseUrl}/chat/completions`, { method: 'PUT', body: chatBody('Hi') });
  expect(answer.status).toBe(405);
});

test.each([
  ['text/plain', 422],
  ['application/x-www-form-urlencoded', 422],
  ['multipart/form-data; boundary=x', 422],
  ['application/jsonx', 422],
  ['text/json', 422],
  ['application/json, text/plain', 422],
  ['application/problem+json', 422],
  ['*/*', 422],
  ['application/json', 200],
  ['application/json;charset=utf-8', 200],
  ['APPLICATION/JSON ; Charset="UTF-8"', 200],
])('returns the content type %s with %i [errors:body:content-type] [auth:body:content-type]', async (type, status) => {
  const answer = await postChat(running, chatBody('Hi'), { 'content-type': type });
  expect(answer.status).toBe(status);
  expect(answer.text.includes('"code":"unsupported_content"')).toBe(status === 422);
});

test('reads a body without a content type as JSON [errors:body:content-type]', async () => {
  const body = chatBody('Hi');
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      `${running.baseUrl}/chat/completions`,
      { method: 'POST', headers: { authorization: `Bearer ${running.key}`, 'content-length': body.length } },
      (answer) => resolve(answer.resume().statusCode),
    );
    sent.on('error', reject);
    sent.end(body);
  });
  expect(status).toBe(200);
});

const body = chatBody('Hi');
const withHeaders = async (key: string, headers: readonly string[]): Promise<RawAnswer | null> => {
  const socket = await openSocket(running.origin);
  socket.write(Buffer.from(chatHead(key, [...headers, `Content-Length: ${body.length}`]) + body, 'latin1'));
  const answer = await socket.answer();
  socket.destroy();
  return answer;
};

test.each([
  ['nothing', ''],
  ['a space inside', 'a b'],
  ['a tab inside', 'a\tb'],
  ['a letter beyond ASCII', 'caf\u{e9}'],
  ['a NUL', 'a\0b'],
  ['DEL', 'a\x7fb'],
  ['129 characters', 'a'.repeat(129)],
  ['ten thousand characters', 'a'.repeat(10_000)],
  ['a line break and a header', 'a\r\nX-Injected: yes\r\n b'],
])(
  'refuses an Idempotency-Key with %s and runs nothing [idempotency:header:charset] [idempotency:header:length]',
  async (_, value) => {
    const before = running.calls.length;
    const answer = await withHeaders(running.key, [`Idempotency-Key: ${value}`]);
    // What is no HTTP is refused by the parser before the gateway sees it.
    const status = answer?.status ?? 400;
    expect([400, 422]).toContain(status);
    expect(answer?.body.includes('invalid_idempotency_key') ?? false).toBe(status === 422);
    expect(answer?.headers ?? {}).not.toHaveProperty('x-injected');
    expect(running.calls).toHaveLength(before);
  },
);

test('refuses two Idempotency-Keys in one request [idempotency:header:charset]', async () => {
  const answer = await withHeaders(running.key, ['Idempotency-Key: one', 'Idempotency-Key: two']);
  expect(answer).toMatchObject({ status: 422 });
});

test('takes every printable character in an Idempotency-Key, none of them special [idempotency:header:charset]', async () => {
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(0x21 + index)).join('');
  for (const key of [printable, '__proto__', 'constructor', '../../x', "';--", '%00', '${x}', 'a:b:c', 'a,b']) {
    const first = await withHeaders(running.key, [`Idempotency-Key: ${key}`]);
    const second = await withHeaders(running.key, [`Idempotency-Key: ${key}`]);
    expect([first?.headers['idempotency-replayed'], second?.headers['idempotency-replayed']]).toEqual([
      'false',
      'true',
    ]);
    expect(second?.body).toBe(first?.body);
  }
});

test.each([
  ['none', []],
  ['an empty one', ['Authorization:']],
  ['the scheme alone', ['Authorization: Bearer']],
  ['another scheme', ['Authorization: Basic dXNlcjpwYXNz']],
  ['two keys', ['Authorization: Bearer a b']],
  ['a key that cannot be one', ['Authorization: Bearer ../../etc/passwd']],
  ['a key with a NUL escape', ['Authorization: Bearer tg_%00']],
  ['a key of the right form', [`Authorization: Bearer tg_${'A'.repeat(65)}`]],
  ['a key of the right form with letters beyond ASCII', [`Authorization: Bearer tg_${'\u{e9}'.repeat(65)}`]],
  ['ten thousand letters', [`Authorization: Bearer ${'a'.repeat(10_000)}`]],
  ['many spaces', [`Authorization: ${'Bearer '.repeat(500)}`]],
  ['__proto__', ['Authorization: Bearer __proto__']],
])('answers 401 to %s in place of the key, and does not repeat it [auth:bearer:unknown-key]', async (_, headers) => {
  const socket = await openSocket(running.origin);
  socket.write(Buffer.from(['GET /api/v1/ai/models HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n'), 'latin1'));
  const answer = await socket.answer();
  socket.destroy();
  expect(answer?.status).toBe(401);
  expect(JSON.parse(answer?.body ?? '')).toEqual({ error: 'The API key is missing, wrong or revoked.' });
});

test('takes the scheme in any case, and a key after several spaces [auth:bearer:required]', async () => {
  for (const credential of [`bearer ${running.key}`, `BEARER   ${running.key}`]) {
    const answer = await fetch(`${running.baseUrl}/models`, { headers: { authorization: credential } });
    expect(answer.status).toBe(200);
  }
});

test('never repeats a key, whether it is good or bad [auth:key:never-echoed]', async () => {
  const near = `${running.key.slice(0, -1)}${running.key.endsWith('A') ? 'B' : 'A'}`;
  const answers = [
    await postChat(running, body),
    await postChat(running, '{'),
    await getPath(running, '/models'),
    await getPath(running, '/openapi.json'),
    await postChat(running, body, { authorization: `Bearer ${near}` }),
    await postChat(running, JSON.stringify({ messages: [], [running.key]: 1 })),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 200, 401, 422]);
  for (const { text, headers } of answers.slice(0, -1)) {
    expect(text + JSON.stringify([...headers])).not.toContain(running.key);
    expect(text + JSON.stringify([...headers])).not.toContain(near);
  }
});

test('refuses headers that are too large before the gateway sees them', async () => {
  const before = running.wire.length;
  for (const headers of [
    [`X-Large: ${'a'.repeat(100_000)}`],
    Array.from({ length: 20_000 }, (_, index) => `X-Many-${index}: a`),
  ]) {
    const answer = await withHeaders(running.key, headers);
    expect([400, 431]).toContain(answer?.status ?? 431);
  }
  expect(running.wire).toHaveLength(before);
});

test('sends no redirect and sets no cookie [auth:host:no-redirect]', () => {
  for (const { answer } of running.wire) {
    expect(answer.status < 300 || answer.status >= 400).toBe(true);
    expect(Object.keys(answer.headers)).not.toContain('location');
    expect(Object.keys(answer.headers)).not.toContain('set-cookie');
  }
});
