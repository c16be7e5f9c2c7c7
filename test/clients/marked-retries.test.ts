import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
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

test.each(Object.entries(clients))(
  '%s: a retry of what was not waited for gets the one answer, executed and charged once',
  async (_, ask) => {
    const own = await serveOwnGateway({
      limits: { processingMs: null },
      drainMs: 0,
      compatibility: { openai: true, anthropic: true },
    });
    onTestFinished(() => own.server.close());
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    own.provider.script({ kind: 'wait', until, next: { kind: 'answer', generation: { text } } });
    const marks: unknown[] = [];
    own.server.server.prependListener('request', ({ headers }) => {
      marks.push([headers['x-stainless-retry-count'], headers['idempotency-key']]);
      if (marks.length === 2) letGo();
    });
    expect(await ask(own)).toBe(text);
    expect(marks.slice(0, 2)).toEqual([
      ['0', undefined],
      ['1', undefined],
    ]);
    const entries = await own.gateway.admin.readStatement(own.accountId);
    expect(entries.filter(({ kind }) => kind === 'debit')).toHaveLength(1);
    expect(own.provider.calls).toHaveLength(1);
  },
);
