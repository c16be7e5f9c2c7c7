import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { Agent } from 'undici';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { serveOwnGateway } from '../gateway/served-gateway.ts';

/** How long the clients wait for headers, where Node's own `fetch` waits 300 seconds. */
const headersTimeout = 2_000;
const processingMs = 100;
/** What is written to each client before its answer: twice as long as it waits for headers. */
const interimCount = (2 * headersTimeout) / processingMs;

const agents: Agent[] = [];
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
});

/** The `fetch` of Node, with less patience. */
const impatientFetch = (): typeof fetch => {
  const { fetch } = globalThis;
  const dispatcher = new Agent({ headersTimeout });
  agents.push(dispatcher);
  // The runtime's own takes it too, and its types say nothing of it.
  const options: object = { dispatcher };
  return (url, init) => fetch(url, { ...init, ...options });
};

type Own = Awaited<ReturnType<typeof serveOwnGateway>>;

const clients: Readonly<Record<string, (own: Own) => Promise<unknown>>> = {
  openai: async ({ url, key }) => {
    const client = new OpenAI({ baseURL: url, apiKey: key, fetch: impatientFetch() });
    const answer = await client.chat.completions.create({
      model: 'flash-2.5',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    return answer.choices[0]?.message.content;
  },
  'the AI SDK': async ({ url, key }) => {
    const provider = createOpenAICompatible({ name: 'gateway', baseURL: url, apiKey: key, fetch: impatientFetch() });
    return (await generateText({ model: provider('flash-2.5'), prompt: 'Hello' })).text;
  },
  LangChain: async ({ url, key }) => {
    const configuration = { baseURL: url, fetch: impatientFetch() };
    return (await new ChatOpenAI({ model: 'flash-2.5', apiKey: key, configuration }).invoke('Hello')).content;
  },
  '@google/genai': async ({ url, key }) => {
    const own = globalThis.fetch;
    // It takes no `fetch` of one's own.
    globalThis.fetch = impatientFetch();
    try {
      const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
      return (await client.models.generateContent({ model: 'flash-2.5', contents: 'Hello' })).text;
    } finally {
      globalThis.fetch = own;
    }
  },
};

const text = 'Worth waiting for.';

/** A gateway whose provider returns when it is let go. */
const serveSlowly = async (limits: { readonly processingMs: number | null }) => {
  const own = await serveOwnGateway({ limits, drainMs: 0, compatibility: { openai: true, google: true } });
  onTestFinished(() => own.server.close());
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  own.provider.script({ kind: 'wait', until, next: { kind: 'answer', generation: { text } } });
  return { own, letGo };
};

const expectChargedOnce = async ({ gateway, accountId, provider }: Own): Promise<void> => {
  const entries = await gateway.admin.readStatement(accountId);
  expect(entries.filter(({ kind }) => kind === 'debit')).toHaveLength(1);
  expect(provider.calls.length).toBe(1);
};

/** Lets the provider respond once a client was notified so often that it is still at work; counts its requests. */
const tellOften = (own: Own, letGo: () => void) => {
  const seen = { told: 0, requests: 0 };
  own.server.server.prependListener('request', (_, response) => {
    seen.requests += 1;
    const write = response.writeProcessing.bind(response);
    response.writeProcessing = () => {
      seen.told += 1;
      write();
      if (seen.told === interimCount) letGo();
    };
  });
  return seen;
};

/** Has one client wait for a gateway of its own. */
const waitOne = async ([name, ask]: readonly [string, (own: Own) => Promise<unknown>]): Promise<unknown> => {
  const { own, letGo } = await serveSlowly({ processingMs });
  const seen = tellOften(own, letGo);
  const answer = await ask(own);
  expect(seen, name).toEqual({ told: interimCount, requests: 1 });
  await expectChargedOnce(own);
  return answer;
};

test('clients on fetch wait longer than they wait for headers, and get one answer, executed and charged once', async () => {
  const waited = await Promise.all(Object.entries(clients).map(waitOne));
  expect(waited).toEqual(Object.keys(clients).map(() => text));
});

test('openai repeats what it did not wait for without an identity, and gets the one answer, executed and charged once', async () => {
  const { own, letGo } = await serveSlowly({ processingMs: null });
  const counts: unknown[] = [];
  own.server.server.prependListener('request', ({ headers }) => {
    counts.push([headers['x-stainless-retry-count'], headers['idempotency-key']]);
    if (counts.length === 2) letGo();
  });
  expect(await clients['openai']?.(own)).toBe(text);
  expect(counts.slice(0, 2)).toEqual([
    ['0', undefined],
    ['1', undefined],
  ]);
  await expectChargedOnce(own);
});
