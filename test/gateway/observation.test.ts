import type { ObservedEvent } from '@tollgate/engine';
import type { RequestLine } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';
import { createOwnGateway, greeting, postStream, serveOwnGateway, type OwnGatewayOptions } from './served-gateway.ts';

const openOwn = async (options: OwnGatewayOptions = {}) => {
  const lines: RequestLine[] = [];
  const events: ObservedEvent[] = [];
  const own = await createOwnGateway({
    ...options,
    observed: {
      observers: [{ observe: (event) => void events.push(event) }],
      requestLog: (line) => void lines.push(line),
      probes: true,
      ...options.observed,
    },
  });
  onTestFinished(() => own.gateway.close({ drainMs: 0 }));
  const ask = (
    path: string,
    more: { readonly body?: string; readonly key?: string; readonly identity?: string } = {},
  ) =>
    own.gateway.fetch(
      new Request(`http://gateway.test${path}`, {
        headers: {
          authorization: `Bearer ${more.key ?? own.key}`,
          'content-type': 'application/json',
          ...(more.identity === undefined ? undefined : { 'idempotency-key': more.identity }),
        },
        ...(more.body === undefined ? undefined : { method: 'POST', body: more.body }),
      }),
    );
  const chat = (identity?: string) =>
    ask('/api/v1/ai/chat/completions', { body: greeting, ...(identity === undefined ? undefined : { identity }) });
  return { ...own, ask, chat, lines, events };
};

const throwing = (): never => {
  throw new Error('broken observer');
};

test('writes one line for a charged request, with whose it is, what it used and what it cost', async () => {
  const { chat, lines, accountId, projectId } = await openOwn();
  const response = await chat();
  expect(response.status).toBe(200);
  expect(lines).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      operationId: response.headers.get('x-request-id'),
      method: 'POST',
      route: 'createChatCompletion',
      status: 200,
      code: null,
      durationMs: expect.any(Number),
      isStream: false,
      isReplay: false,
      accountId,
      projectId,
      keyId: expect.any(String),
      model: 'flash-2.5',
      provider: 'scripted',
      upstreamMs: expect.any(Number),
      upstreamRequests: expect.any(Number),
      firstPieceMs: null,
      outcome: 'settled',
      chargedCredits: expect.any(Number),
    },
  ]);
});

test('writes of a refused key the code alone, and of a replay which operation it shows', async () => {
  const { ask, chat, lines } = await openOwn();
  await ask('/api/v1/ai/models', { key: 'sk-not-one' });
  await chat('once');
  await chat('once');
  expect(lines).toMatchObject([
    { status: 401, code: 'invalid_api_key', route: null, accountId: null },
    { status: 200, isReplay: false, outcome: 'settled' },
    { status: 200, isReplay: true, outcome: null, chargedCredits: null },
  ]);
  expect(lines[2]?.operationId).toBe(lines[1]?.operationId);
});

test('writes the line of a stream when its body has ended', async () => {
  const lines: RequestLine[] = [];
  const own = await serveOwnGateway({ observed: { requestLog: (line) => void lines.push(line) } });
  onTestFinished(() => own.server.close());
  const response = await postStream(own);
  await response.text();
  expect(lines).toMatchObject([{ isStream: true, status: 200, outcome: 'settled', firstPieceMs: expect.any(Number) }]);
});

test('shows an observer the life of a request, and each refusal with its cause', async () => {
  const { chat, ask, provider, events } = await openOwn();
  await chat();
  const kinds = events.map(({ kind }) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['request_started', 'request_admitted', 'operation_opened', 'operation_ended']),
  );
  expect(kinds.at(-1)).toBe('request_ended');
  provider.script({ kind: 'not_executed', reason: 'rate_limited' });
  await chat();
  await ask('/api/v1/ai/nowhere');
  const refused = events.filter((event) => event.kind === 'request_refused');
  expect(refused.map(({ code }) => code)).toEqual([expect.any(String), 'not_found']);
});

test('gives the lines of a request the id of its line in the log of requests', async () => {
  const { chat, provider, lines, logged } = await openOwn();
  provider.script({ kind: 'unknown' });
  await chat();
  expect(logged()).toContain('outcome unknown');
  expect(logged()).toContain(`"requestId":"${lines[0]?.requestId}"`);
});

test('responds as before where an observer throws at every event', async () => {
  const broken = await openOwn({ observed: { observers: [{ observe: throwing }] } });
  const whole = await broken.chat();
  expect(whole.status).toBe(200);
  expect(await broken.gateway.admin.audit()).toMatchObject({ violations: [] });
  expect(broken.logged()).toContain('an observer failed');
});

test('responds to the probes of a platform without a key, and charges nothing', async () => {
  const { ask, lines } = await openOwn();
  const ready = await ask('/readyz', { key: '' });
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  const live = await ask('/healthz', { key: '' });
  expect([live.status, await live.json()]).toEqual([200, { status: 'alive' }]);
  expect(lines).toEqual([]);
  expect((await ask('/readyz', { body: '{}' })).status).toBe(404);
});

test('is not ready from the first moment of a drain, while a request still runs', async () => {
  const { ask, chat, provider, gateway } = await openOwn();
  const held = Promise.withResolvers<void>();
  provider.script({ kind: 'wait', until: held.promise, next: { kind: 'answer' } });
  const running = chat();
  await provider.received(1);
  const closing = gateway.close();
  const ready = await ask('/readyz', { key: '' });
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining' }]);
  expect((await ask('/healthz', { key: '' })).status).toBe(200);
  expect(await gateway.health()).toMatchObject({ isDraining: true, isReady: false, isAlive: true });
  held.resolve();
  expect((await running).status).toBe(200);
  await closing;
});

test('names no probe where the host did not ask for them', async () => {
  const { ask } = await openOwn({ observed: { probes: false } });
  expect((await ask('/readyz')).status).toBe(404);
});
