import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  type AIMessageChunk,
  type BaseMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai';
import { ChatOpenAI, OpenAIEmbeddings, type ChatOpenAIFields } from '@langchain/openai';
import { expect } from 'vitest';
import { z } from 'zod';
import { defaultCatalog } from '../../packages/contract/src/index.ts';
import { describeClient, refuses, works, type Feature } from './client-table.ts';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, type RunningGateway } from './running-gateway.ts';

const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const City = z.object({ name: z.string(), people: z.number() });
const faro = { name: 'Faro', people: 5 };
const askCity = '[[sandbox: json {"name":"Faro","people":5}]]';
const weather = tool(({ city }: { city: string }) => `Rain in ${city}.`, {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  schema: z.object({ city: z.string() }),
});
const content = (text: string) => [{ type: 'text' as const, text }];
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${mediaSamples.png}` } } as const;

/** It sends media to models with such names only. */
const knownModel = 'gemini-3-flash';
const known = defaultCatalog.filter(({ id }) => id === boundModel).map((row) => ({ ...row, id: knownModel }));

/** A tool is proposed, run, and its result sent back. */
const looped = async (ask: (messages: BaseMessage[]) => Promise<AIMessage>): Promise<string> => {
  const messages: BaseMessage[] = [new HumanMessage(askWeather)];
  const first = await ask(messages);
  messages.push(first);
  for (const call of first.tool_calls ?? []) messages.push(await weather.invoke(call));
  return (await ask(messages)).text;
};

const joined = async (chunks: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> => {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of chunks) whole = whole === undefined ? chunk : whole.concat(chunk);
  if (whole === undefined) throw new Error('no chunk');
  return whole;
};

const openaiFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const model = (rest: Partial<ChatOpenAIFields> = {}) =>
    new ChatOpenAI({
      model: boundModel,
      apiKey: world().key,
      configuration: { baseURL: world().baseUrl },
      maxRetries: 0,
      ...rest,
    });
  const embeddings = async (rest: { readonly batchSize?: number } = {}) =>
    new OpenAIEmbeddings({
      model: 'embedding-2',
      apiKey: await world().newKey('embedding-2'),
      configuration: { baseURL: world().baseUrl },
      maxRetries: 0,
      ...rest,
    });
  return [
    works('invoke', async () => {
      const messages = [new SystemMessage('Be brief.'), new HumanMessage('[[sandbox: echo Hello.]]')];
      expect((await model().invoke(messages)).text).toBe('Hello.');
    }),
    works('stream, with usage', async () => {
      let usage: unknown;
      const texts: string[] = [];
      for await (const chunk of await model().stream('[[sandbox: echo Piece.]] [[sandbox: tokens in=20 out=22]]')) {
        texts.push(chunk.text);
        usage = chunk.usage_metadata ?? usage;
      }
      expect(texts.join('')).toBe('Piece.');
      expect(usage).toMatchObject({ total_tokens: 42 });
    }),
    works('a loop over tools by the stream', async () => {
      const bound = model().bindTools([weather]);
      const ask = async (messages: BaseMessage[]) => joined(await bound.stream(messages));
      expect(await looped(ask)).toContain('Rain in Faro.');
    }),
    works('a loop over tools', async () => {
      const bound = model().bindTools([weather]);
      expect(await looped(async (messages) => bound.invoke(messages))).toContain('Rain in Faro.');
    }),
    works('strict tools and a choice among them', async () => {
      const bound = model().bindTools([weather], { strict: true, tool_choice: 'get_weather' });
      expect((await bound.invoke(askWeather)).tool_calls).toMatchObject([{ args: { city: 'Faro' } }]);
      expect(lastOf(world().calls).tools[0]).toMatchObject({ strict: true });
    }),
    works('structured output by schema', async () => {
      expect(await model().withStructuredOutput(City, { method: 'jsonSchema', name: 'city' }).invoke(askCity)).toEqual(
        faro,
      );
    }),
    works('structured output by JSON mode', async () => {
      expect(await model().withStructuredOutput(City, { method: 'jsonMode', name: 'city' }).invoke(askCity)).toEqual(
        faro,
      );
    }),
    works('structured output by a function', async () => {
      const structured = model().withStructuredOutput(City, { method: 'functionCalling', name: 'city' });
      expect(await structured.invoke(`[[sandbox: tool city ${JSON.stringify(faro)}]]`)).toEqual(faro);
    }),
    works('settings of the sampling, and the limit of the output', async () => {
      await model({ temperature: 0.25, topP: 0.5, maxTokens: 6, stop: ['END'] }).invoke('Hi');
      expect(lastOf(world().calls)).toMatchObject({ outputTokensMax: 6, sampling: { topP: 0.5 } });
    }),
    works('an image', async () => {
      expect((await model().invoke([new HumanMessage({ content: [image] })])).text).toContain('Media image/png');
    }),
    works('blocks of content in every message', async () => {
      await model().invoke([
        new SystemMessage({ content: content('Be brief.') }),
        new HumanMessage({ content: content('Hi') }),
        new AIMessage({ content: content('Hello.') }),
        new HumanMessage({ content: content('And?') }),
      ]);
      expect(lastOf(world().calls).contents).toHaveLength(3);
    }),
    works('errors, with status and code', async () => {
      await expect(model().invoke('[[sandbox: fail]]')).rejects.toMatchObject({ status: 502, code: 'request_failed' });
    }),
    works('embeddings of documents and a query', async () => {
      const embedder = await embeddings();
      expect(await embedder.embedDocuments(['a', 'b'])).toHaveLength(2);
      expect((await embedder.embedQuery('a')).length).toBeGreaterThan(0);
    }),
    works('embeddings of many documents, a hundred at once', async () => {
      const before = world().wire.length;
      const embedder = await embeddings({ batchSize: 100 });
      expect(await embedder.embedDocuments(Array.from({ length: 150 }, () => 'a'))).toHaveLength(150);
      expect(world().wire).toHaveLength(before + 2);
    }),
    refuses('logprobs', 'logprobs', async () => model({ logprobs: true }).invoke('Hi')),
    refuses('more than 100 texts to embed at once', 'input', async () =>
      (await embeddings()).embedDocuments(Array.from({ length: 101 }, () => 'a')),
    ),
    works('Responses: invoke, stream, and tools with the results sent back', async () => {
      const responding = model({ useResponsesApi: true });
      expect((await responding.invoke('[[sandbox: echo Hello.]]')).text).toBe('Hello.');
      expect((await joined(await responding.stream('[[sandbox: echo Piece.]]'))).text).toBe('Piece.');
      expect(await looped((messages) => responding.bindTools([weather]).invoke(messages))).toContain('Rain in Faro.');
    }),
  ];
};

const googleFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const model = (rest: object = {}) =>
    new ChatGoogleGenerativeAI({
      model: boundModel,
      apiKey: world().key,
      baseUrl: world().baseUrl,
      maxRetries: 0,
      ...rest,
    });
  return [
    works('invoke', async () => {
      const messages = [new SystemMessage('Be brief.'), new HumanMessage('[[sandbox: echo Hello.]]')];
      expect((await model().invoke(messages)).text).toBe('Hello.');
    }),
    works('stream, with usage', async () => {
      let usage: unknown;
      const texts: string[] = [];
      for await (const chunk of await model().stream('[[sandbox: echo Piece by piece.]]')) {
        texts.push(chunk.text);
        usage = chunk.usage_metadata ?? usage;
      }
      expect(texts.join('')).toBe('Piece by piece.');
      expect(usage).toHaveProperty('total_tokens');
    }),
    works('a loop over tools', async () => {
      const bound = model().bindTools([weather]);
      expect(await looped(async (messages) => bound.invoke(messages))).toContain('Rain in Faro.');
    }),
    works('a loop over tools by the stream', async () => {
      const bound = model().bindTools([weather]);
      const ask = async (messages: BaseMessage[]) => joined(await bound.stream(messages));
      expect(await looped(ask)).toContain('Rain in Faro.');
    }),
    works('structured output by a function', async () => {
      const structured = model().withStructuredOutput(City, { method: 'functionCalling', name: 'city' });
      expect(await structured.invoke(`[[sandbox: tool city ${JSON.stringify(faro)}]]`)).toEqual(faro);
    }),
    works('structured output by schema', async () => {
      expect(await model().withStructuredOutput(City, { method: 'jsonSchema', name: 'city' }).invoke(askCity)).toEqual(
        faro,
      );
    }),
    works('JSON mode', async () => {
      expect(JSON.parse((await model({ json: true }).invoke(askCity)).text)).toEqual(faro);
    }),
    works('settings of the sampling, and the limit of the output', async () => {
      await model({ temperature: 0.25, topP: 0.5, topK: 4, maxOutputTokens: 6, stopSequences: ['END'] }).invoke('Hi');
      expect(lastOf(world().calls)).toMatchObject({ outputTokensMax: 6, sampling: { topP: 0.5, topK: 4 } });
    }),
    works('an image, to a model whose name it knows', async () => {
      const named = model({ model: knownModel, apiKey: await world().newKey(knownModel) });
      expect((await named.invoke([new HumanMessage({ content: [image] })])).text).toContain('Media image/png');
    }),
    works('errors, with their status', async () => {
      await expect(model().invoke('[[sandbox: fail]]')).rejects.toMatchObject({ status: 502 });
    }),
    works('embeddings of documents and a query', async () => {
      const embedder = new GoogleGenerativeAIEmbeddings({
        model: 'embedding-2',
        apiKey: await world().newKey('embedding-2'),
        baseUrl: world().baseUrl,
        maxRetries: 0,
      });
      expect(await embedder.embedDocuments(['a', 'b'])).toHaveLength(2);
      expect((await embedder.embedQuery('a')).length).toBeGreaterThan(0);
    }),
  ];
};

describeClient({ name: '@langchain/openai', features: openaiFeatures });
describeClient({
  name: '@langchain/google-genai',
  setup: { options: { catalog: [...defaultCatalog, ...known] } },
  features: googleFeatures,
});
