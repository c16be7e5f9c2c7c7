import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { Agent } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { serveOwnGateway } from '../gateway/served-gateway.ts';

type Own = Awaited<ReturnType<typeof serveOwnGateway>>;

const model = 'flash-2.5';
const text = 'Worth waiting for.';
const user = [{ role: 'user' as const, content: 'Hello' }];
/** How long the clients wait for an answer. */
const timeout = 300;

const openai = ({ url, key }: Own): OpenAI => new OpenAI({ baseURL: url, apiKey: key, timeout });
const anthropic = ({ url, key }: Own): Anthropic => new Anthropic({ baseURL: url, apiKey: key, timeout });

const clients: Readonly<Record<string, (own: Own) => Promise<string>>> = {
  'openai, Responses, whole': async (own) =>
    (await openai(own).responses.create({ model, input: 'Hello' })).output_text,
  'openai, Responses, as a stream': async (own) =>
    (await openai(own).responses.stream({ model, input: 'Hello' }).finalResponse()).output_text,
  'openai, chat, as a stream': async (own) => {
    const stream = openai(own).chat.completions.stream({ model, messages: user });
    return (await stream.finalChatCompletion()).choices[0]?.message.content ?? '';
  },
  '@anthropic-ai/sdk, whole': async (own) => {
    const { content } = await anthropic(own).messages.create({ model, max_tokens: 100, messages: user });
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  },
  '@anthropic-ai/sdk, as a stream': (own) =>
    anthropic(own).messages.stream({ model, max_tokens: 100, messages: user }).finalText(),
};

const gateways: Own[] = [];
afterAll(() => Promise.all(gateways.map(({ server }) => server.close())));

/** A gateway whose provider returns its first answer when it is let go, and the marks of the requests that came. */
const serveSlowly = async () => {
  const own = await serveOwnGateway({
    limits: { processingMs: null },
    drainMs: 0,
    compatibility: { openai: true, anthropic: true },
  });
  gateways.push(own);
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: second, resolve: came } = Promise.withResolvers<void>();
  const answer = { kind: 'answer', generation: { text } } as const;
  own.provider.script({ kind: 'wait', until, next: answer }, answer);
  const marks: unknown[] = [];
  own.server.server.prependListener('request', ({ headers }) => {
    marks.push([headers['x-stainless-retry-count'], headers['idempotency-key']]);
    if (marks.length === 2) came();
  });
  return { own, marks, second, letGo };
};

const debitsOf = async ({ gateway, accountId }: Own): Promise<number> => {
  const entries = await gateway.admin.readStatement(accountId);
  return entries.filter(({ kind }) => kind === 'debit').length;
};

test.each(Object.entries(clients))(
  '%s: a retry of what was not waited for gets the one answer, executed and charged once',
  async (_, ask) => {
    const { own, marks, second, letGo } = await serveSlowly();
    void second.then(letGo);
    expect(await ask(own)).toBe(text);
    expect(marks.slice(0, 2)).toEqual([
      ['0', undefined],
      ['1', undefined],
    ]);
    expect(await debitsOf(own)).toBe(1);
    expect(own.provider.calls).toHaveLength(1);
  },
);

const dispatcher = new Agent({ headersTimeout: timeout });
afterAll(() => dispatcher.destroy());
/** The `fetch` of Node, with less patience; the runtime's own takes a dispatcher too, and its types say nothing of it. */
const impatientFetch: typeof fetch = (url, init) => fetch(url, Object.assign({}, init, { dispatcher }));

/** Clients whose own repeats carry no mark, or always the same. */
const unmarked: Readonly<Record<string, readonly [mark: string | undefined, (own: Own) => Promise<string>]>> = {
  '@ai-sdk/openai-compatible': [
    undefined,
    async ({ url, key }) => {
      const provider = createOpenAICompatible({ name: 'gateway', baseURL: url, apiKey: key, fetch: impatientFetch });
      return (await generateText({ model: provider(model), prompt: 'Hello' })).text;
    },
  ],
  '@ai-sdk/anthropic': [
    undefined,
    async ({ url, key }) => {
      const provider = createAnthropic({ baseURL: `${url}/v1`, apiKey: key, fetch: impatientFetch });
      return (await generateText({ model: provider(model), prompt: 'Hello' })).text;
    },
  ],
  '@langchain/openai': [
    '0',
    async ({ url, key }) =>
      (await new ChatOpenAI({ model, apiKey: key, timeout, configuration: { baseURL: url } }).invoke('Hello')).text,
  ],
  '@langchain/anthropic': [
    '0',
    async ({ url, key }) =>
      (
        await new ChatAnthropic({ model, apiKey: key, anthropicApiUrl: url, clientOptions: { timeout } }).invoke(
          'Hello',
        )
      ).text,
  ],
};

test('a repeat without a mark is an operation of its own, and both are charged', async () => {
  await Promise.all(
    Object.entries(unmarked).map(async ([name, [mark, ask]]) => {
      const { own, marks, letGo } = await serveSlowly();
      expect(await ask(own), name).toBe(text);
      letGo();
      await expect.poll(() => debitsOf(own), { message: name }).toBe(2);
      const sent = [mark, undefined];
      expect(marks, name).toEqual([sent, sent]);
      expect(own.provider.calls, name).toHaveLength(2);
    }),
  );
});
