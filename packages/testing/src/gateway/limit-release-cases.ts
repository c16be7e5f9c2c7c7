import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { text } from './generate-stream-reading.ts';
import { greeting } from './gateway-world.ts';
import { accessFrame, liveClient, nextJson, until as untilHolds } from './live-ask.ts';
import { nothingRegistered, scriptedLimiter } from './scripted-limiter.ts';
import { suiteModel } from './suite-tariff.ts';

const counting = scriptedLimiter();

const releasing: readonly GatewayCase[] = [
  gatewayCase(
    'gives back the tokens of what did not run, and keeps the estimate of what may have run',
    async (world) => {
      world.provider.script({ kind: 'not_executed', reason: 'unavailable' }, { kind: 'unknown' });
      assertRefused(await world.chat(), 503, 'service_unavailable');
      assertRefused(await world.chat(), 502, 'request_failed');
      assert.deepEqual(counting.notesOf(world.keyId).released, [0, null]);
    },
    { limiter: counting },
  ),
  gatewayCase(
    'gives back the tokens of what was refused before it ran',
    async (world) => {
      const { projectId } = world;
      const poor = await world.createCaller({
        projectId: await world.createProject(await world.createAccount(0n)),
        model: suiteModel,
      });
      assertRefused(await world.chat(greeting, { key: poor.key }), 402, 'ai_insufficient_credits');
      assert.notEqual(poor.projectId, projectId);
      assert.deepEqual(counting.notesOf(poor.keyId).released, [0]);
    },
    { limiter: counting },
  ),
  gatewayCase(
    'gives back the place of a stream that its client leaves when the operation has ended, with what it used',
    async (world) => {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      const next = { kind: 'answer', pieces: [text('over.')] } as const;
      world.provider.script({ kind: 'wait', pieces: [text('Left ')], until, next });
      const response = await world.open({ path: '/chat/completions', body: { ...greeting, stream: true } });
      await response.body?.cancel();
      const { released } = counting.notesOf(world.keyId);
      assert.deepEqual(released, []);
      resolve();
      const id = response.headers.get('x-request-id') ?? '';
      while ((await world.record(id)).at('status').value !== 'completed' || released.length === 0) await setImmediate();
      assert.deepEqual(released, [15]);
    },
    { limiter: counting, compatibility: { openai: true } },
  ),
  gatewayCase(
    'uses no tokens for the replay of a stored response',
    async (world) => {
      const headers = { 'idempotency-key': 'again' };
      const first = await world.chat(greeting, { headers });
      const again = await world.chat(greeting, { headers });
      assert.deepEqual([again.text, requestIdOf(again)], [first.text, requestIdOf(first)]);
      assert.deepEqual(counting.notesOf(world.keyId).released, [15, 0]);
    },
    { limiter: counting },
  ),
];

const gate = { ...Promise.withResolvers<void>() };
const slow = scriptedLimiter({ until: () => gate.promise });
const throwing = {
  reserve: () => {
    throw new Error('the counter is away');
  },
};

const failing: readonly GatewayCase[] = [
  gatewayCase(
    'refuses a charged request whose limiter throws with 503, and logs it with a code',
    async (world) => {
      assertRefused(await world.chat(), 503, 'service_unavailable');
      await nothingRegistered(world);
      assert.match(world.logged(), /"code":"limiter_failed","reason":"threw"/);
    },
    { limiter: throwing },
  ),
  gatewayCase(
    'lets a charged request through whose limiter throws, where the host says so',
    async (world) => {
      okJson(await world.chat());
      assert.match(world.logged(), /was let through .*"reason":"threw"/);
    },
    { limiter: throwing, onLimiterFailure: 'allow' },
  ),
  gatewayCase(
    'waits for a limiter no longer than configured, and gives back what it admits later',
    async (world) => {
      const sending = world.chat();
      const { questions, released } = slow.notesOf(world.keyId);
      while (questions.length === 0) await setImmediate();
      world.time.advance(700);
      assertRefused(await sending, 503, 'service_unavailable');
      await nothingRegistered(world);
      assert.match(world.logged(), /"code":"limiter_failed","reason":"late"/);
      gate.resolve();
      while (released.length === 0) await setImmediate();
      assert.deepEqual(released, [0]);
    },
    { limiter: slow, limiterMs: 700 },
  ),
];

/** The second session of a caller is one too many. */
const oneSession = scriptedLimiter({
  refuse: ({ takes, caller }) => {
    const sessions = oneSession.notesOf(caller.keyId).questions.filter((asked) => asked.takes.requests === 0);
    return takes.requests === 0 && sessions.length === 1
      ? { kind: 'limited', level: 'key', amount: 'concurrency', limit: 1, retryAfterMs: 1_000 }
      : null;
  },
});

const sessions: readonly GatewayCase[] = [
  gatewayCase(
    'counts a session as a request when it is created, and among what runs at once while its socket is open',
    async (world) => {
      const client = await liveClient(world);
      const { questions, released } = counting.notesOf(client.keyId);
      const { id, socket } = await client.open();
      assert.deepEqual(
        questions.map(({ kind, takes }) => [kind, takes.requests, takes.concurrency]),
        [
          ['live', 1, 0],
          ['live', 0, 1],
        ],
      );
      assert.deepEqual(released, [0]);
      socket.close();
      await client.ended(id);
      await untilHolds('the place of the session is free', () => released.length === 2);
    },
    { limiter: counting },
  ),
  gatewayCase(
    'closes the socket of a session too many with 4429, frees its hold and charges nothing',
    async (world) => {
      const client = await liveClient(world);
      const first = await client.open();
      const access = await client.created();
      const socket = await world.socket();
      socket.send(accessFrame(access));
      const error = (await nextJson(socket)).at('error');
      assert.equal(error.at('code').value, 'rate_limited');
      assert.match(error.at('message').text(), /^The key has reached its limit of 1 request at once\./);
      assert.equal(await socket.closed, 4429);
      const record = await client.ended(access.at('id').text());
      assert.deepEqual(
        ['status', 'error_code', 'charged_credits', 'reserved_credits'].map((name) => record.at(name).value),
        ['failed', 'rate_limited', 0, 0],
      );
      first.socket.close();
      await client.ended(first.id);
    },
    { limiter: oneSession },
  ),
];

/** What becomes of the place of a request when it has ended, or its limiter failed. */
export const limitReleaseCases: readonly GatewayCase[] = [...releasing, ...sessions, ...failing];
