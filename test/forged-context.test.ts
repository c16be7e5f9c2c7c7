// A context comes back from a client, who may write anything there: nothing changes in what is sent outside of its part.
import { sampleCaller } from '@tollgate/testing/fakes';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNotExecuted, type GenerationCall, type Provider } from '../packages/provider/src/index.ts';
import { aiSdkProvider } from '../packages/provider-ai-sdk/src/index.ts';
import { anthropicProvider } from '../packages/provider-anthropic/src/index.ts';
import { googleProvider } from '../packages/provider-google/src/index.ts';
import { openaiProvider } from '../packages/provider-openai/src/index.ts';
import {
  startFakeAnthropic,
  startFakeGemini,
  startFakeOpenai,
  type FakeAnthropic,
  type FakeGemini,
  type FakeOpenai,
} from '../packages/testing/src/fakes.ts';

const apiKey = 'AIza-of-the-host';
let gemini: FakeGemini;
let openai: FakeOpenai;
let anthropic: FakeAnthropic;
beforeAll(async () => {
  [gemini, openai] = [await startFakeGemini({ apiKey }), await startFakeOpenai()];
  anthropic = await startFakeAnthropic();
});
afterAll(async () => {
  await gemini.close();
  await openai.close();
  await anthropic.close();
});

const toolName = 'get_weather';
/** Each part of the model's turn carries the context. */
const callWith = (context: string | undefined): GenerationCall => {
  const forged = context === undefined ? {} : { context };
  return {
    operationId: '11111111-1111-4111-8111-111111111111',
    upstreamModel: 'gemini-2.5-flash',
    systemInstruction: 'Be brief.',
    contents: [
      { role: 'user', parts: [{ kind: 'text', text: 'What is the weather?' }] },
      {
        role: 'model',
        parts: [
          { kind: 'text', text: 'Let me see.', ...forged },
          { kind: 'function_call', id: 'c1', name: toolName, arguments: '{"city":"Lisbon"}', ...forged },
        ],
      },
      { role: 'user', parts: [{ kind: 'function_response', id: 'c1', name: toolName, response: '{"celsius":21}' }] },
    ],
    tools: [{ kind: 'function', name: toolName, parameters: { type: 'object', properties: {} } }],
    toolChoice: { kind: 'auto' },
    responseFormat: { kind: 'text' },
    sampling: {},
    outputTokensMax: 500,
  };
};

/** Names that would mean something elsewhere in a request, or to an object. */
const names = fc.oneof(
  fc.constantFrom('model', 'messages', 'role', 'content', 'tool_calls', 'tools', 'name', 'id', 'type', 'function'),
  fc.constantFrom('contents', 'text', 'fileData', 'fileUri', 'functionCall', 'thought', 'thoughtSignature', 'itemId'),
  fc.constantFrom('cachedContent', 'cache_control', 'cacheControl', 'reasoning_content', 'url', 'c1'),
  fc.constantFrom('__proto__', 'constructor', 'toString'),
);
const namespaces = fc.constantFrom('google', 'vertex', 'openai', 'openaiCompatible', 'openai-compatible', 'local');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, '', 'c2lnbmF0dXJl', 'https://elsewhere.example/', 'files/other'),
    fc.string(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(names, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const members = fc.dictionary(names, value, { minKeys: 1, maxKeys: 4 });
const metadata = fc.oneof(value, fc.dictionary(namespaces, members, { minKeys: 1 }));
const thoughtState = fc.record(
  { thinking: value, signature: fc.oneof(fc.string(), value), redacted: value, type: value, cache_control: value },
  { requiredKeys: [] },
);
const known = fc.record(
  {
    metadata,
    reasoning: fc.oneof(value, fc.array(fc.record({ text: fc.oneof(fc.string(), value), metadata }), { maxLength: 2 })),
    tool: value,
    extra_content: fc.oneof(value, fc.record({ c1: value })),
    reasoning_content: value,
    reasoning_details: value,
    thoughts: fc.oneof(value, fc.array(thoughtState, { maxLength: 3 })),
  },
  { requiredKeys: [] },
);
const state = fc
  .tuple(fc.dictionary(names, value, { maxKeys: 3 }), known)
  .map(([other, own]) => ({ ...other, ...own }));
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const deepJson = `${'{"c1":'.repeat(6_000)}1${'}'.repeat(6_000)}`;
const contexts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.base64String(),
  state.map((forged) => JSON.stringify(forged)),
  state.map((forged) => base64(JSON.stringify(forged))),
  // Deeper than what can be written again.
  fc.constantFrom('metadata', 'tool', 'extra_content', 'reasoning').map((name) => `{"${name}":${deepJson}}`),
  fc.constantFrom('metadata', 'tool', 'extra_content', 'reasoning').map((name) => base64(`{"${name}":${deepJson}}`)),
);

const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);
const listOf = (given: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(given) ? given.filter(isObject) : [];

/** What reached the upstream, without what a context may say. */
type Sent = readonly [path: string | undefined, body: object];

/** Models of `@ai-sdk/openai-compatible` write a signature twice. */
const toCall = ({ extra_content: _, thoughtSignature: __, ...call }: Readonly<Record<string, unknown>>) => call;

const sentToOpenai = (): Sent => {
  const request = openai.requests.at(-1);
  const body = isObject(request?.body) ? request.body : {};
  const messages = listOf(body['messages']).map(
    ({ reasoning_content: _, reasoning: __, reasoning_details: ___, ...message }) =>
      'tool_calls' in message ? { ...message, tool_calls: listOf(message['tool_calls']).map(toCall) } : message,
  );
  return [request?.path, { ...body, messages }];
};

const sentToGemini = (): Sent => {
  const request = gemini.requests.at(-1);
  const body = isObject(request?.body) ? request.body : {};
  const contents = listOf(body['contents']).map((content) => ({
    ...content,
    // Reasoning of its own comes back with a call.
    parts: listOf(content['parts'])
      .filter(({ thought }) => thought !== true)
      .map(({ thoughtSignature: _, ...part }) => part),
  }));
  return [request?.path, { ...body, contents }];
};

/** A thought has its own members, and no other. */
const isThought = (block: Readonly<Record<string, unknown>>): boolean =>
  ['redacted_thinking: data,type', 'thinking: signature,thinking,type'].includes(
    `${String(block['type'])}: ${Object.keys(block).toSorted().join()}`,
  );

const sentToAnthropic = (): Sent => {
  const request = anthropic.requests.at(-1);
  const body = isObject(request?.body) ? request.body : {};
  const messages = listOf(body['messages']).map((message) => ({
    ...message,
    content: listOf(message['content']).filter((block) => !isThought(block)),
  }));
  return [request?.path, { ...body, messages }];
};

interface Row {
  readonly name: string;
  readonly provider: () => Provider;
  readonly count: () => number;
  readonly sent: () => Sent;
}

const rows: readonly Row[] = [
  {
    name: 'provider-openai',
    provider: () => openaiProvider({ baseUrl: openai.url }),
    count: () => openai.count(),
    sent: sentToOpenai,
  },
  {
    name: 'provider-google',
    provider: () => googleProvider({ apiKey, baseUrl: gemini.url }),
    count: () => gemini.count(),
    sent: sentToGemini,
  },
  {
    name: 'provider-anthropic',
    provider: () => anthropicProvider({ baseUrl: anthropic.url, apiKey }),
    count: () => anthropic.count(),
    sent: sentToAnthropic,
  },
  {
    name: "provider-ai-sdk over Google's models",
    provider: () => aiSdkProvider({ languageModel: createGoogle({ baseURL: `${gemini.url}/v1beta`, apiKey }) }),
    count: () => gemini.count(),
    sent: sentToGemini,
  },
  {
    name: 'provider-ai-sdk over chat completions',
    provider: () =>
      aiSdkProvider({
        languageModel: createOpenAICompatible({ name: 'local', baseURL: openai.url }),
        vendorOf: () => 'openai_compatible',
      }),
    count: () => openai.count(),
    sent: sentToOpenai,
  },
];

describe.each(rows)('$name', ({ provider: open, count, sent }) => {
  test('treats a forged context as data of its part, and as nothing else', async () => {
    const provider = open();
    /** What was sent of the call, and `refused` where nothing was, or the upstream did not take it. */
    const sentOf = async (context: string | undefined): Promise<Sent | 'refused'> => {
      const before = count();
      const call = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
      const outcome = await provider.generate?.(callWith(context), call).then(
        () => 'answered' as const,
        (cause: unknown) => {
          // An upstream may refuse what it did not sign; that certainly ran nothing.
          if (isNotExecuted(cause)) return 'refused' as const;
          throw cause;
        },
      );
      return outcome === 'refused' && count() === before ? 'refused' : sent();
    };
    const honest = await sentOf(undefined);
    expect(JSON.stringify(honest)).toContain(toolName);
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(contexts, async (context) => {
        const forged = await sentOf(context);
        if (forged !== 'refused') reached += 1;
        expect(forged === 'refused' ? honest : forged).toEqual(honest);
      }),
      { numRuns: 150 * Number(process.env['TEST_SCALE'] ?? '1') },
    );
    expect(reached).toBeGreaterThan(100);
    await provider.close?.();
  });
});
