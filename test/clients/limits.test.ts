import Anthropic from '@anthropic-ai/sdk';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';
import OpenAI, { RateLimitError } from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { memoryLimits } from '../../packages/limits/src/index.ts';
import type { UsageLimiter } from '../../packages/tollgate/src/index.ts';
import { boundModel, startGateway } from './running-gateway.ts';

const refusalWaitMs = 10;

/**
 * A hundred requests of a key a second, one by one, by a clock that stands still until one is refused: so it is always the second
 * request that is refused, once, and the time that the client waits is real.
 */
const oneByOne = (): UsageLimiter => {
  let nowMs = 1_000;
  const limits = memoryLimits({
    monotonicMs: () => nowMs,
    requestsBurstMs: 1,
    limitsOf: () => ({ key: { requestsPerMinute: 60_000 / refusalWaitMs } }),
  });
  return {
    reserve: async (question) => {
      const verdict = await limits.reserve(question);
      if (verdict.kind === 'limited') nowMs += refusalWaitMs;
      return verdict;
    },
  };
};

const limitedGateway = async () => {
  const options = { compatibility: { openai: true, anthropic: true }, limiter: oneByOne() };
  const gateway = await startGateway({ options });
  onTestFinished(() => gateway.close());
  return gateway;
};

type Limited = Awaited<ReturnType<typeof limitedGateway>>;

/** The first request, the second one that was refused, and its repeat. */
const expectOneRepeat = ({ wire, calls }: Limited): void => {
  expect(wire.map(({ answer }) => answer.status)).toEqual([200, 429, 200]);
  expect(calls).toHaveLength(2);
  expect(wire[1]?.answer.headers).toMatchObject({
    'retry-after': '1',
    'retry-after-ms': String(refusalWaitMs),
    'x-should-retry': 'true',
  });
};

test('the client of OpenAI waits as a limit says and repeats the request once', async () => {
  const gateway = await limitedGateway();
  const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 1 });
  const ask = () => client.chat.completions.create({ model: boundModel, messages: [{ role: 'user', content: 'Hi' }] });
  const { response } = await ask().withResponse();
  expect(response.headers.get('x-ratelimit-limit-requests')).toBe('6000');
  await ask();
  expectOneRepeat(gateway);
});

test('the client of OpenAI that does not repeat reads which limit was met', async () => {
  const gateway = await limitedGateway();
  const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
  const ask = () => client.responses.create({ model: boundModel, input: 'Hi' });
  await ask();
  const failure: unknown = await ask().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RateLimitError);
  expect(String(failure)).toContain('The key has reached its limit of 6000 requests a minute.');
});

test('the client of Anthropic waits as a limit says and repeats the request once', async () => {
  const gateway = await limitedGateway();
  const client = new Anthropic({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 1 });
  const ask = () =>
    client.messages.create({ model: boundModel, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] });
  const { response } = await ask().withResponse();
  expect(response.headers.get('anthropic-ratelimit-requests-limit')).toBe('6000');
  await ask();
  expectOneRepeat(gateway);
});

test('the AI SDK waits as a limit says and repeats the request once', async () => {
  const gateway = await limitedGateway();
  const provider = createOpenAICompatible({ name: 'gateway', baseURL: gateway.baseUrl, apiKey: gateway.key });
  const ask = () => generateText({ model: provider(boundModel), prompt: 'Hi', maxRetries: 1 });
  const [first, second] = [await ask(), await ask()];
  expect([first.finishReason, second.finishReason]).toEqual(['stop', 'stop']);
  expectOneRepeat(gateway);
});

test('a limit of a key alone refuses that key, and no other key of its project', async () => {
  const gateway = await startGateway({ options: { limiter: memoryLimits({ monotonicMs: () => 1_000 }) } });
  onTestFinished(() => gateway.close());
  const created = await gateway.gateway.admin.createKey({
    projectId: gateway.projectId,
    model: boundModel,
    limits: { requestsPerMinute: 2 },
  });
  const ask = async (key: string): Promise<number> => {
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] }),
    });
    await answer.text();
    return answer.status;
  };
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push(await ask(created?.key ?? ''));
  expect(statuses).toEqual([200, 200, 429]);
  for (let call = 0; call < 3; call += 1) expect(await ask(gateway.key)).toBe(200);
  await gateway.gateway.admin.changeKey(created?.id ?? '', { limits: null });
  expect(await ask(created?.key ?? '')).toBe(200);
});
