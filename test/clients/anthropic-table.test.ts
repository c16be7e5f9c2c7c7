import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic, { AuthenticationError, BadRequestError } from '@anthropic-ai/sdk';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { describeClient, refuses, works, type Feature } from './client-table.ts';
import type { Provider } from '../../packages/provider/src/index.ts';
import { sandboxProvider } from '../../packages/provider-sandbox/src/index.ts';
import { webSearch } from '../../packages/tools/src/index.ts';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, type RunningGateway } from './running-gateway.ts';

// The client warns on the console about what it finds odd; the tests say it already.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const askCity = '[[sandbox: json {"name":"Faro","people":5}]]';
const echo = '[[sandbox: echo Piece.]] [[sandbox: tokens in=30 out=12]]';
const City = z.object({ name: z.string(), people: z.number() });
const faro = { name: 'Faro', people: 5 };
const page = { title: 'Rivers', url: 'https://rivers.example/', snippet: 'The Tagus.' };
const search = webSearch({ search: () => Promise.resolve({ kind: 'found', pages: [page] }) });
// A provider that searches itself would leave nothing to the gateway.
const provider: Provider = { ...sandboxProvider(), runsTool: (name) => name !== 'web_search' };
const setup = { options: { compatibility: { anthropic: true }, provider, tools: { web_search: search } } };
const askSearch = '[[sandbox: tool search_web {"queries":["rivers"]}]]';
const searchTool = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 } as const;

const weatherTool = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
} as const satisfies Anthropic.Tool;
const user = (content: Anthropic.MessageParam['content']): Anthropic.MessageParam => ({ role: 'user', content });

const resultsOf = ({ content }: Anthropic.Message): Anthropic.ToolResultBlockParam[] =>
  content.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: `Rain: ${JSON.stringify(block.input)}` }]
      : [],
  );

const textIn = ({ content }: Anthropic.Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

const asked = (
  content: Anthropic.MessageParam['content'],
  rest: Partial<Anthropic.MessageCreateParamsNonStreaming> = {},
) => ({
  model: boundModel,
  max_tokens: 1_000,
  messages: [user(content)],
  ...rest,
});

const file = (mediaType: string, data: string) => ({ type: 'file', mediaType, data }) as const;

const clientFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = (rest: object = {}) =>
    new Anthropic({ apiKey: world().key, baseURL: world().baseUrl, maxRetries: 0, ...rest });
  const create = (...given: Parameters<typeof asked>) => client().messages.create(asked(...given));
  return [
    works('a message, with usage', async () => {
      const message = await create(echo, { system: 'Be brief.' });
      expect([textIn(message), message.stop_reason]).toEqual(['Piece.', 'end_turn']);
      expect(message.usage).toMatchObject({ input_tokens: 30, output_tokens: 12, service_tier: 'standard' });
    }),
    works('a stream, event by event', async () => {
      const stream = await client().messages.create({ ...asked(echo), stream: true });
      const types = new Set<string>();
      for await (const { type } of stream) types.add(type);
      expect([...types]).toEqual([
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ]);
    }),
    works('a stream, gathered', async () => {
      const message = await client().messages.stream(asked(echo)).finalMessage();
      expect([textIn(message), message.stop_reason]).toEqual(['Piece.', 'end_turn']);
      expect(message.usage).toMatchObject({ input_tokens: 30, output_tokens: 12, service_tier: 'standard' });
    }),
    works('tools, with the results sent back', async () => {
      const tools = [weatherTool];
      const first = await create(askWeather, { tools });
      expect(first.stop_reason).toBe('tool_use');
      const messages = [
        user(askWeather),
        { role: 'assistant' as const, content: first.content },
        user(resultsOf(first)),
      ];
      expect(textIn(await create('', { tools, messages }))).toContain('Rain: ');
    }),
    works('tools over the stream', async () => {
      const message = await client()
        .messages.stream(asked(askWeather, { tools: [weatherTool] }))
        .finalMessage();
      expect(message.content.find(({ type }) => type === 'tool_use')).toMatchObject({ input: { city: 'Faro' } });
    }),
    works('thinking, adaptive and with a budget', async () => {
      const message = await create('Why?', { thinking: { type: 'enabled', budget_tokens: 1_024 } });
      expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
      const messages = [user('Why?'), { role: 'assistant' as const, content: message.content }, user('And then?')];
      await create('', { messages, thinking: { type: 'adaptive' } });
      expect(lastOf(world().calls).thinking).toEqual({ includeThoughts: true });
    }),
    works('an output of a schema', async () => {
      const schema = z.toJSONSchema(City);
      const message = await create(askCity, { output_config: { format: { type: 'json_schema', schema } } });
      expect(JSON.parse(textIn(message))).toEqual(faro);
    }),
    works('image and document', async () => {
      const message = await create([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: mediaSamples.png } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: mediaSamples.pdf } },
      ]);
      expect(textIn(message)).toMatch(/Media image\/png.*Media application\/pdf/s);
    }),
    works('cache_control, metadata and stop sequences', async () => {
      const content = [{ type: 'text' as const, text: 'Hi', cache_control: { type: 'ephemeral' as const } }];
      await create(content, { metadata: { user_id: 'u' }, stop_sequences: ['END'] });
      expect(lastOf(world().calls).sampling).toEqual({ stopSequences: ['END'] });
    }),
    works('a count of tokens', async () => {
      const { input_tokens: tokens } = await client().messages.countTokens({
        model: boundModel,
        messages: [user('Hi')],
      });
      expect(tokens).toBeGreaterThan(0);
    }),
    works('the list of models, and one of them', async () => {
      const ids: string[] = [];
      for await (const { id } of client().models.list({ limit: 5 })) ids.push(id);
      expect(ids).toContain(boundModel);
      expect((await client().models.retrieve(boundModel)).id).toBe(boundModel);
    }),
    works('a Bearer credential', async () => {
      const bearer = client({ apiKey: null, authToken: world().key });
      expect(textIn(await bearer.messages.create(asked(echo)))).toBe('Piece.');
    }),
    works('errors, by class and with the id of the request', async () => {
      const wrong: unknown = await client({ apiKey: 'wrong' })
        .messages.create(asked('Hi'))
        .catch((cause: unknown) => cause);
      expect(wrong).toBeInstanceOf(AuthenticationError);
      const refused: unknown = await create('').catch((cause: unknown) => cause);
      expect(refused).toBeInstanceOf(BadRequestError);
      expect(refused).toMatchObject({ requestID: expect.stringMatching(/^req_/) });
    }),
    works('an error in the middle of a stream', async () => {
      const prompt = '[[sandbox: echo One two three.]] [[sandbox: cut 2]]';
      const stream = client().messages.stream(asked(prompt));
      await expect(stream.finalMessage()).rejects.toThrow(/its outcome is unknown/);
    }),
    works('batches of messages: create, retrieve, results, list, cancel, delete', async () => {
      const { batches } = client().messages;
      const requests = [
        { custom_id: 'a', params: asked(echo) },
        { custom_id: 'b', params: asked('[[sandbox: fail]]') },
      ];
      const ended = async (id: string): Promise<void> => {
        while ((await batches.retrieve(id)).processing_status !== 'ended') {
          await world().gateway.jobs.runDue();
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const headers = { 'Idempotency-Key': 'message-batch' };
      const { id } = await batches.create({ requests }, { headers });
      await ended(id);
      const found = new Map<string, Anthropic.Messages.MessageBatchResult>();
      for await (const { custom_id, result } of await batches.results(id)) found.set(custom_id, result);
      const [succeeded, errored] = [found.get('a'), found.get('b')];
      if (succeeded?.type !== 'succeeded' || errored?.type !== 'errored') throw new Error('other results');
      expect([textIn(succeeded.message), succeeded.message.usage.input_tokens]).toEqual(['Piece.', 30]);
      expect(errored.error).toMatchObject({ type: 'error', error: { type: expect.stringMatching(/_error$/) } });
      expect((await batches.create({ requests }, { headers })).id).toBe(id);
      const second = await batches.create({ requests });
      await batches.cancel(second.id);
      await ended(second.id);
      const ids: string[] = [];
      for await (const batch of batches.list({ limit: 1 })) ids.push(batch.id);
      expect(ids).toEqual([second.id, id]);
      expect(await batches.delete(second.id)).toEqual({ id: second.id, type: 'message_batch_deleted' });
    }),
    works('a search of the web between model rounds, with citations', async () => {
      const { content, usage } = await create(askSearch, { tools: [searchTool] });
      expect(content.map(({ type }) => type)).toEqual(['server_tool_use', 'web_search_tool_result', 'text']);
      expect(content.at(-1)).toMatchObject({ citations: [{ type: 'web_search_result_location', url: page.url }] });
      expect(usage.server_tool_use?.web_search_requests).toBe(1);
    }),
    works('the tools of the gateway over the stream, and sent back', async () => {
      const first = await client()
        .messages.stream(asked(askSearch, { tools: [searchTool] }))
        .finalMessage();
      expect(first.content.map(({ type }) => type)).toEqual(['server_tool_use', 'web_search_tool_result', 'text']);
      const messages = [user(askSearch), { role: 'assistant' as const, content: first.content }, user(echo)];
      expect(textIn(await create(echo, { messages }))).toBe('Piece.');
    }),
    refuses('tools that the vendor runs', 'tools[0].type', async () =>
      create('Hi', { tools: [{ type: 'bash_20250124', name: 'bash' }] }),
    ),
    refuses('a server where nothing calls servers', 'mcp_server', async () =>
      client().beta.messages.create({
        ...asked('Hi'),
        mcp_servers: [{ type: 'url', name: 'a', url: 'https://mcp.example' }],
      }),
    ),
    refuses('images by address', 'source.type', async () =>
      create([{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }]),
    ),
  ];
};

describeClient({ name: '@anthropic-ai/sdk', setup, features: clientFeatures });

const aiSdkFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const model = () => createAnthropic({ baseURL: `${world().baseUrl}/v1`, apiKey: world().key })(boundModel);
  const tools = {
    get_weather: tool({
      description: 'Tells the weather of a city.',
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => `Rain in ${city}.`,
    }),
  };
  const looping = () => ({ model: model(), prompt: askWeather, tools, stopWhen: isStepCount(5) });
  return [
    works('generateText, with usage', async () => {
      const { text, usage } = await generateText({ model: model(), system: 'Be brief.', prompt: echo });
      expect(text).toBe('Piece.');
      expect(usage).toMatchObject({ inputTokens: 30, outputTokens: 12 });
    }),
    works('streamText, with usage', async () => {
      const streamed = streamText({ model: model(), prompt: echo });
      expect([await streamed.text, await streamed.finishReason]).toEqual(['Piece.', 'stop']);
      expect(await streamed.usage).toMatchObject({ inputTokens: 30, outputTokens: 12 });
    }),
    works('several steps with tools', async () => {
      const { text, steps } = await generateText(looping());
      expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
      expect(text).toContain('Rain in Faro.');
    }),
    works('several steps with tools over the stream', async () => {
      expect(await streamText(looping()).text).toContain('Rain in Faro.');
    }),
    works('an object', async () => {
      // It asks models that it does not know for an object by a tool of its own.
      const output = Output.object({ schema: City });
      expect((await generateText({ model: model(), prompt: 'Hi', output })).output).toEqual({
        name: 'example',
        people: 1,
      });
    }),
    works('reasoning', async () => {
      const providerOptions = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } } };
      const { reasoningText } = await generateText({ model: model(), prompt: 'Why?', providerOptions });
      expect(reasoningText).toContain('last turn');
    }),
    works('image and document', async () => {
      const content = [file('image/png', mediaSamples.png), file('application/pdf', mediaSamples.pdf)];
      const { text } = await generateText({ model: model(), messages: [{ role: 'user', content }] });
      expect(text).toMatch(/Media image\/png.*Media application\/pdf/s);
    }),
  ];
};

describeClient({ name: '@ai-sdk/anthropic', setup, features: aiSdkFeatures });

const langchainFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const model = (rest: object = {}) =>
    new ChatAnthropic({
      model: boundModel,
      apiKey: world().key,
      anthropicApiUrl: world().baseUrl,
      maxRetries: 0,
      ...rest,
    });
  const weather = langchainTool(({ city }: { city: string }) => `Rain in ${city}.`, {
    name: 'get_weather',
    description: 'Tells the weather of a city.',
    schema: z.object({ city: z.string() }),
  });
  return [
    works('invoke, with usage', async () => {
      const message = await model().invoke(echo);
      expect(message.text).toBe('Piece.');
      expect(message.usage_metadata).toMatchObject({ input_tokens: 30, output_tokens: 12 });
    }),
    works('stream', async () => {
      const texts: string[] = [];
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await model().stream(echo)) {
        texts.push(chunk.text);
        whole = whole === undefined ? chunk : whole.concat(chunk);
      }
      expect(texts.join('')).toBe('Piece.');
      // It reads the input from the first event alone, where nothing is measured yet.
      expect(whole?.usage_metadata).toMatchObject({ input_tokens: 0, output_tokens: 12 });
    }),
    works('tools, with the results sent back', async () => {
      const bound = model().bindTools([weather]);
      const messages: BaseMessage[] = [new HumanMessage(askWeather)];
      const first = await bound.invoke(messages);
      messages.push(first);
      for (const call of first.tool_calls ?? []) messages.push(await weather.invoke(call));
      expect((await bound.invoke(messages)).text).toContain('Rain in Faro.');
    }),
  ];
};

describeClient({ name: '@langchain/anthropic', setup, features: langchainFeatures });
