import assert from 'node:assert/strict';
import type { LimitReport, LimitVerdict } from '@tollgate/engine';
import { assertRefused, jsonOf, okJson, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type Ask } from './gateway-world.ts';
import { nothingRegistered, scriptedLimiter } from './scripted-limiter.ts';
import { suiteModel } from './suite-tariff.ts';
import { videoClient } from './video-ask.ts';

const reports: readonly LimitReport[] = [
  { level: 'key', amount: 'requests', limit: 60, remaining: 59, resetMs: 1_000 },
  { level: 'key', amount: 'tokens', limit: 9_000, remaining: 8_000, resetMs: 61_500 },
  { level: 'account', amount: 'tokens', limit: 90_000, remaining: 7_000, resetMs: 12 },
];

const refusal: LimitVerdict = {
  kind: 'limited',
  level: 'project',
  amount: 'tokens',
  limit: 9_000,
  retryAfterMs: 1_440,
  reports,
};
const words = 'The project has reached its limit of 9000 tokens a minute. Please try again in 1.5s.';

const every = { openai: true, google: true, anthropic: true, ollama: true } as const;

const counting = scriptedLimiter({ reports });
const refusing = scriptedLimiter({ refuse: () => refusal });
const tooLarge = scriptedLimiter({ refuse: () => ({ ...refusal, kind: 'too_large' }) });

const body = { model: suiteModel, max_tokens: 100, messages: greeting.messages };
const contents = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };

/** One request of each wire, and where its error holds the words. */
const wires: readonly (readonly [ask: Ask, status: number, words: (answer: Answer) => unknown])[] = [
  [
    { path: '/chat/completions', body: greeting },
    429,
    ({ text: told }) => jsonOf(JSON.parse(told)).at('error', 'message').value,
  ],
  [
    { path: '/responses', body: { model: suiteModel, input: 'Hello' } },
    429,
    ({ text: told }) => jsonOf(JSON.parse(told)).at('error', 'message').value,
  ],
  [
    { path: '/messages', body, headers: { 'anthropic-version': '2023-06-01' } },
    429,
    ({ text: told }) => {
      const error = jsonOf(JSON.parse(told)).at('error');
      assert.equal(error.at('type').value, 'rate_limit_error');
      return error.at('message').value;
    },
  ],
  [
    { path: `/models/${suiteModel}:generateContent`, body: contents, headers: { 'x-goog-api-client': 'suite' } },
    429,
    ({ text: told }) => jsonOf(JSON.parse(told)).at('error', 'message').value,
  ],
  [
    { path: '/api/chat', body: { model: suiteModel, messages: greeting.messages, stream: false } },
    429,
    ({ text: told }) => jsonOf(JSON.parse(told)).at('error').value,
  ],
];

const named = (prefix: string, of: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries([...of].filter(([name]) => name.startsWith(prefix)));

/** Limits on requests, tokens and what runs at once. */
export const usageLimiterCases: readonly GatewayCase[] = [
  gatewayCase(
    'asks a limiter once for a charged request, with its estimate, and tells it what was used',
    async (world) => {
      const answer = await world.chat({ ...greeting, max_tokens: 100 });
      okJson(answer);
      okJson(await world.send({ path: `/models/${suiteModel}` }));
      const { questions, released } = counting.notesOf(world.keyId);
      assert.equal(questions.length, 1);
      const { caller, kind, model, takes } = questions[0] ?? assert.fail();
      const { keyId, projectId, accountId } = world;
      assert.deepEqual(
        { caller, kind, model },
        { caller: { keyId, projectId, accountId }, kind: 'chat', model: suiteModel },
      );
      assert.deepEqual([takes.requests, takes.concurrency], [1, 1]);
      assert.ok(takes.tokens > 100 && takes.tokens < 200, `${takes.tokens} tokens`);
      assert.deepEqual(released, [15]);
    },
    { limiter: counting, compatibility: { openai: true } },
  ),
  gatewayCase(
    'tells a client where it stands, in the headers of its dialect',
    async (world) => {
      const { headers } = await world.chat();
      assert.deepEqual(named('x-ratelimit-', headers), {
        'x-ratelimit-limit-requests': '60',
        'x-ratelimit-limit-tokens': '90000',
        'x-ratelimit-remaining-requests': '59',
        'x-ratelimit-remaining-tokens': '7000',
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-reset-tokens': '12ms',
      });
      const messages = await world.send({ path: '/messages', body, headers: { 'anthropic-version': '2023-06-01' } });
      okJson(messages);
      assert.deepEqual(named('x-ratelimit-', messages.headers), {});
      const told = named('anthropic-ratelimit-', messages.headers);
      assert.match(told['anthropic-ratelimit-requests-reset'] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.deepEqual(
        ['requests-limit', 'requests-remaining', 'tokens-limit', 'tokens-remaining'].map(
          (name) => told[`anthropic-ratelimit-${name}`],
        ),
        ['60', '59', '90000', '7000'],
      );
    },
    { limiter: counting, compatibility: every },
  ),
  gatewayCase(
    'refuses what a limit refuses with 429 in the form of each dialect, names the limit, and registers nothing',
    async (world) => {
      for (const [ask, status, wordsOf] of wires) {
        const answer = await world.send({ ...ask, headers: { ...ask.headers, 'idempotency-key': 'limited' } });
        assert.equal(answer.status, status, `${ask.path}: ${answer.text}`);
        assert.equal(wordsOf(answer), words, ask.path);
        assert.deepEqual(
          ['retry-after', 'retry-after-ms', 'x-should-retry'].map((name) => answer.headers.get(name)),
          ['2', '1440', 'true'],
        );
        const limit = ask.path === '/messages' ? 'anthropic-ratelimit-tokens-limit' : 'x-ratelimit-limit-tokens';
        assert.equal(answer.headers.get(limit), '90000', ask.path);
      }
      await nothingRegistered(world);
      assert.deepEqual(refusing.notesOf(world.keyId).released, []);
    },
    { limiter: refusing, compatibility: every },
  ),
  gatewayCase(
    'refuses what is more than its limit ever has with 422, since no wait helps',
    async (world) => {
      const answer = await world.chat();
      const error = assertRefused(answer, 422, 'input_limit');
      assert.match(
        error.at('message').text(),
        /may use \d+ tokens, and the limit of the project is 9000 tokens a minute/,
      );
      assert.equal(answer.headers.get('retry-after'), null);
      await nothingRegistered(world);
    },
    { limiter: tooLarge },
  ),
  gatewayCase(
    'counts the creation of a resource as one request, without its tokens and without a place',
    async (world) => {
      const client = await videoClient(world);
      okJson(await client.create());
      const { questions, released } = counting.notesOf(client.keyId);
      assert.deepEqual(
        questions.map(({ kind, takes }) => [kind, takes]),
        [['video', { requests: 1, tokens: 0, concurrency: 0 }]],
      );
      assert.deepEqual(released, [0]);
    },
    { limiter: counting },
  ),
];
