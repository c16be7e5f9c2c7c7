import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type Ask } from './gateway-world.ts';
import { helloBody } from './generate-ask.ts';
import { alice, aliceOf, operationOf, scriptedHost, signedIn, signedInChat, type Recognise } from './host-caller.ts';
import { accessFrame, liveBody, liveModel } from './live-ask.ts';
import { suiteModel } from './suite-tariff.ts';

const everywhere = scriptedHost();
const keyed = scriptedHost();
const failing = scriptedHost();
const cookies = scriptedHost();
const sessions = scriptedHost();
const again = scriptedHost();

const dialects = { openai: true, google: true, anthropic: true, ollama: true } as const;

const wires: readonly Ask[] = [
  signedInChat,
  { path: `/models/${suiteModel}:generateContent`, body: helloBody },
  { path: `/v1beta/models/${suiteModel}:streamGenerateContent`, body: helloBody },
  { path: '/responses', body: { model: suiteModel, input: 'Hello' } },
  {
    path: '/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: { model: suiteModel, max_tokens: 100, messages: greeting.messages },
  },
  { path: '/api/chat', body: { ...greeting, model: suiteModel, stream: false } },
  { path: '/models' },
  { path: '/files' },
  { path: '/videos' },
  { path: '/account/limits' },
];

/** Callers whom the host recognises by means of its own, in the place of a key. */
export const hostCallerCases: readonly GatewayCase[] = [
  gatewayCase(
    'lets in whom the host recognises on every wire, and charges the project that it names',
    async (world) => {
      everywhere.restart(aliceOf(world));
      for (const ask of wires) {
        const answer = await world.send(signedIn(ask));
        assert.equal(answer.status, 200, `${ask.path}: ${answer.text}`);
        const [question, ...more] = everywhere.asked();
        assert.ok(question !== undefined && more.length === 0, ask.path);
        assert.equal(question.method, ask.body === undefined ? 'GET' : 'POST');
        assert.equal((await world.send({ ...ask, key: null })).status, 401, ask.path);
        everywhere.asked();
      }
      const { projectId, accountId, keyId, chargedMicros } = await operationOf(
        world,
        await world.send(signedIn(signedInChat)),
      );
      assert.deepEqual({ projectId, accountId }, { projectId: world.projectId, accountId: world.accountId });
      assert.ok(chargedMicros > 0n);
      const keys = await world.admin.listKeys(world.projectId);
      assert.ok(keyId !== world.keyId && keys.some(({ id }) => id === keyId));
      assert.equal(keys.length, 2, 'all callers of a project without a key count under one record');
    },
    { authenticate: everywhere.authenticate, compatibility: dialects },
  ),
  gatewayCase(
    'never asks the host about a key or a token of the gateway, good or wrong',
    async (world) => {
      keyed.restart(aliceOf(world));
      okJson(await world.chat(undefined, { headers: alice }));
      const wrong = `${world.key.slice(0, -4)}AAAA`;
      const ofKey = assertRefused(await world.chat(undefined, { key: wrong, headers: alice }), 401, 'invalid_api_key');
      assert.match(ofKey.at('message').text(), /^The API key is /);
      assert.deepEqual(keyed.asked(), []);
      const foreign = await world.chat(undefined, { key: 'eyJhbGciOi.of.another' });
      assert.match(assertRefused(foreign, 401, 'invalid_api_key').at('message').text(), /^The credential is missing/);
      assert.deepEqual(
        keyed.asked().map(({ headers }) => headers.get('authorization')),
        ['Bearer eyJhbGciOi.of.another'],
      );
      assert.equal(world.provider.calls.length, 1);
    },
    { authenticate: keyed.authenticate },
  ),
  gatewayCase(
    'refuses a request whose host cannot say who calls with 503, and lets no caller in by it',
    async (world) => {
      const { projectId, accountId } = world;
      const answers: readonly Recognise[] = [
        () => {
          throw new Error('no database');
        },
        () => Promise.reject(new Error('no database')),
        () => true,
        () => ({}),
        () => ({ projectId: 'mine' }),
        () => ({ projectId, role: 'operator' }),
        () => ({ projectId, models: [] }),
        () => ({ projectId, limits: { requestsPerMinute: 0 } }),
        () => ({ projectId, keyId: world.keyId, reference: 'both' }),
        () => ({ projectId: accountId }),
        () => ({ projectId, accountId: projectId }),
        () => ({ projectId, keyId: accountId }),
      ];
      for (const recognise of answers) {
        failing.restart(recognise);
        const answer = await world.send(signedIn(signedInChat));
        assertRefused(answer, 503, 'service_unavailable');
        assert.equal(answer.headers.get('retry-after'), '1');
      }
      const other = await world.createProject(await world.createAccount(0n));
      failing.restart(() => ({ projectId: other, keyId: world.keyId }));
      assertRefused(await world.send(signedIn(signedInChat)), 503, 'service_unavailable');
      assert.equal(world.logged().split('"code":"authenticate_failed"').length - 1, answers.length + 1);
      assert.equal(world.provider.calls.length, 0);
    },
    { authenticate: failing.authenticate },
  ),
  gatewayCase(
    'waits for the host no longer than configured',
    async (world) => {
      const asked = Promise.withResolvers<AbortSignal>();
      failing.restart(({ signal }) => {
        asked.resolve(signal);
        return new Promise(() => {});
      });
      const waiting = world.send(signedIn(signedInChat));
      const signal = await asked.promise;
      world.time.advance(700);
      assertRefused(await waiting, 503, 'service_unavailable');
      assert.ok(signal.aborted);
      assert.match(world.logged(), /"code":"authenticate_failed","reason":"late"/);
    },
    { authenticate: failing.authenticate, authenticateMs: 700 },
  ),
  gatewayCase(
    'counts no cookies that a page of another origin has sent',
    async (world) => {
      cookies.restart(aliceOf(world));
      const from = (origin: string, more: Readonly<Record<string, string>> = {}) =>
        world.send({ ...signedInChat, key: null, headers: { ...alice, origin, ...more } });
      for (const origin of ['https://evil.example.com', 'null', 'http://gateway.test.evil.example.com'])
        assertRefused(await from(origin), 403, 'token_not_allowed');
      assert.deepEqual(cookies.asked(), []);
      okJson(await from('https://shop.example.com', { 'x-forwarded-host': 'shop.example.com' }));
      // A page can put no credential of its own into a header of a request that carries the cookies of a visitor.
      okJson(await from('https://evil.example.com', { authorization: 'Bearer eyJ.of.host' }));
    },
    { authenticate: cookies.authenticate },
  ),
  gatewayCase(
    'opens sessions for a caller of the host',
    async (world) => {
      const { projectId } = world;
      await world.admin.createKeyOnce({ projectId, reference: 'voice', model: liveModel });
      sessions.restart(aliceOf(world, { reference: 'voice' }));
      const access = okJson(await world.send(signedIn({ path: '/live', body: liveBody })));
      const socket = await world.socket();
      socket.send(accessFrame(access));
      assert.deepEqual(JSON.parse(await socket.next()), { setupComplete: {} });
      assert.equal((await world.send({ path: '/live', key: null, body: liveBody })).status, 401);
    },
    { authenticate: sessions.authenticate },
  ),
  gatewayCase(
    'replays the answer of a caller of the host, also in another process',
    async (world) => {
      again.restart(aliceOf(world, { reference: 'user:alice' }));
      const asked = signedIn({ ...signedInChat, headers: { 'idempotency-key': 'one-of-alice' } });
      const first = await world.send(asked);
      okJson(first);
      await world.reopen();
      const second = await world.send(asked);
      assert.equal(second.text, first.text);
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
      assert.equal(world.provider.calls.length, 1);
    },
    { authenticate: again.authenticate },
  ),
];
