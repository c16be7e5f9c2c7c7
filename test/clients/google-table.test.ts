import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import {
  FunctionCallingConfigMode,
  GenerateVideosOperation,
  GoogleGenAI,
  JobState,
  Modality,
  Type,
  type BatchJob,
  type Content,
  type CreateCachedContentConfig,
} from '@google/genai';
import {
  APICallError,
  embed,
  embedMany,
  experimental_generateVideo as generateVideo,
  generateText,
  isStepCount,
  Output,
  streamText,
  tool,
} from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { describeClient, refuses, works, type Feature } from './client-table.ts';
import { storeFeatures } from './google-stores.ts';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, type RunningGateway } from './running-gateway.ts';

// The client warns on the console about what it finds odd; the tests say it already.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

const embeddingModel = 'embedding-2';
const videoModel = 'video-3.1-lite-generate-preview';
const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const City = z.object({ name: z.string(), people: z.number() });
const faro = { name: 'Faro', people: 5 };
const askCity = '[[sandbox: json {"name":"Faro","people":5}]]';
const jsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, people: { type: 'number' } },
  required: ['name', 'people'],
};
const weather = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const clientOf = ({ baseUrl, key }: RunningGateway, apiKey = key): GoogleGenAI =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });

const generateFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const models = () => clientOf(world()).models;
  const ask = async (contents: Content[] | string, config: object = {}) =>
    models().generateContent({ model: boundModel, contents, config });
  return [
    works('generateContent', async () => {
      const answer = await ask('[[sandbox: echo Hello.]]', { systemInstruction: 'Be brief.' });
      expect([answer.text, answer.candidates?.[0]?.finishReason]).toEqual(['Hello.', 'STOP']);
      expect(answer.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
    }),
    works('generateContentStream', async () => {
      const texts: string[] = [];
      const contents = '[[sandbox: stream 3]] [[sandbox: echo Piece by piece.]]';
      for await (const chunk of await models().generateContentStream({ model: boundModel, contents }))
        texts.push(chunk.text ?? '');
      expect(texts.join('')).toBe('Piece by piece.');
    }),
    works('settings of the sampling, and the limit of the output', async () => {
      const config = { temperature: 0, topP: 0.5, topK: 4, seed: 7, stopSequences: ['END'], candidateCount: 1 };
      await ask('Hi', { ...config, maxOutputTokens: 6, frequencyPenalty: 1, presencePenalty: 1 });
      expect(lastOf(world().calls)).toMatchObject({ outputTokensMax: 6, sampling: { seed: 7, topP: 0.5, topK: 4 } });
    }),
    works('thinkingConfig', async () => {
      await ask('Hi', { thinkingConfig: { thinkingBudget: 512, includeThoughts: true } });
      expect(lastOf(world().calls).thinking).toBeDefined();
    }),
    works('function calls and their results', async () => {
      const config = {
        tools: [{ functionDeclarations: [weather] }],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
      };
      const contents: Content[] = [{ role: 'user', parts: [{ text: askWeather }] }];
      const first = await ask(contents, config);
      const proposed = first.candidates?.[0]?.content;
      const call = first.functionCalls?.[0];
      if (proposed === undefined || call === undefined) throw new Error('no call');
      const response = { id: call.id ?? '', name: 'get_weather', response: { sky: 'sunny' } };
      contents.push(proposed, { role: 'user', parts: [{ functionResponse: response }] });
      expect((await ask(contents, config)).text).toContain('sunny');
    }),
    works('a search of the web, and what the text is grounded on', async () => {
      const { candidates } = await ask('Who won?', { tools: [{ googleSearch: {} }] });
      const [chunk] = candidates?.[0]?.groundingMetadata?.groundingChunks ?? [];
      expect(chunk?.web?.uri).toBe('https://example.com/who-won');
    }),
    works('functions called by itself', async () => {
      const callable = {
        tool: () => Promise.resolve({ functionDeclarations: [weather] }),
        callTool: (calls: readonly { id?: string; name?: string }[]) =>
          Promise.resolve(
            calls.map(({ id, name }) => ({
              functionResponse: { id: id ?? '', name: name ?? '', response: { sky: 'sunny' } },
            })),
          ),
      };
      expect((await ask(askWeather, { tools: [callable] })).text).toContain('sunny');
    }),
    works('functions that say what they return', async () => {
      const response = { type: Type.OBJECT, properties: { sky: { type: Type.STRING } } };
      const functionDeclarations = [
        { ...weather, response },
        { ...weather, name: 'other', responseJsonSchema: jsonSchema },
      ];
      expect((await ask(askWeather, { tools: [{ functionDeclarations }] })).functionCalls).toHaveLength(1);
    }),
    works('JSON of a JSON Schema', async () => {
      const config = { responseMimeType: 'application/json', responseJsonSchema: jsonSchema };
      expect(JSON.parse((await ask(askCity, config)).text ?? '')).toEqual(faro);
    }),
    works('JSON of its own schema', async () => {
      const responseSchema = {
        type: Type.OBJECT,
        properties: { name: { type: Type.STRING }, people: { type: Type.NUMBER } },
      };
      const config = { responseMimeType: 'application/json', responseSchema };
      expect(JSON.parse((await ask(askCity, config)).text ?? '')).toEqual(faro);
    }),
    works('media inline', async () => {
      const parts = [{ inlineData: { mimeType: 'image/png', data: mediaSamples.png } }, { text: 'What is it?' }];
      expect((await ask([{ role: 'user', parts }])).text).toContain('Media image/png');
    }),
    works('chats', async () => {
      const chat = clientOf(world()).chats.create({ model: boundModel });
      await chat.sendMessage({ message: 'Hi' });
      expect((await chat.sendMessage({ message: 'And?' })).text).toContain('reply to 3 turns');
    }),
    works('chats over the stream', async () => {
      const chat = clientOf(world()).chats.create({ model: boundModel });
      const texts: string[] = [];
      for (const message of ['Hi', 'And?'])
        for await (const chunk of await chat.sendMessageStream({ message })) texts.push(chunk.text ?? '');
      expect(texts.join('')).toContain('to 3 turns');
    }),
    works('errors, with their status', async () => {
      await expect(ask('[[sandbox: fail]]')).rejects.toMatchObject({ status: 502 });
    }),
    works('Idempotency-Key as a header', async () => {
      const httpOptions = { headers: { 'Idempotency-Key': 'genai-table' } };
      const before = world().calls.length;
      const answers = [await ask('Once', { httpOptions }), await ask('Once', { httpOptions })];
      expect(answers[1]?.responseId).toBe(answers[0]?.responseId);
      expect(world().calls).toHaveLength(before + 1);
    }),
    works('abort', async () => {
      await expect(ask('Hi', { abortSignal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    }),
    refuses('two candidates', 'candidateCount', async () => ask('Hi', { candidateCount: 2 })),
    refuses('logprobs', 'responseLogprobs', async () => ask('Hi', { responseLogprobs: true })),
  ];
};

const otherFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = () => clientOf(world());
  const embedder = async () => clientOf(world(), await world().newKey(embeddingModel));
  const interaction = async (rest: object) =>
    client().interactions.create({ model: boundModel, input: 'Hi', ...rest, stream: false });
  return [
    works('countTokens', async () => {
      const { totalTokens } = await client().models.countTokens({ model: boundModel, contents: 'How long?' });
      expect(totalTokens).toBeGreaterThan(0);
    }),
    works('embedContent of texts', async () => {
      const contents = ['a', 'b'];
      const { embeddings } = await (await embedder()).models.embedContent({ model: embeddingModel, contents });
      expect(embeddings).toHaveLength(2);
    }),
    works('embedContent of a length and a task', async () => {
      const config = { taskType: 'RETRIEVAL_DOCUMENT', title: 'A', outputDimensionality: 256 };
      const asked = (await embedder()).models.embedContent({ model: embeddingModel, contents: 'a', config });
      expect((await asked).embeddings?.[0]?.values).toHaveLength(256);
    }),
    works('the list of models, and one of them', async () => {
      const names: string[] = [];
      for await (const { name } of await client().models.list({ config: { pageSize: 5 } })) names.push(name ?? '');
      expect(names).toContain(`models/${boundModel}`);
      expect((await client().models.get({ model: boundModel })).name).toBe(`models/${boundModel}`);
    }),
    works('files: upload, get, list, delete', async () => {
      const file = await client().files.upload({ file: new Blob(['Notes.'], { type: 'text/plain' }) });
      const name = file.name ?? '';
      expect((await client().files.get({ name })).state).toBe('ACTIVE');
      const names: (string | undefined)[] = [];
      for await (const one of await client().files.list()) names.push(one.name);
      expect(names).toContain(name);
      await client().files.delete({ name });
      await expect(client().files.get({ name })).rejects.toMatchObject({ status: 404 });
    }),
    works('a file in a prompt', async () => {
      const { uri = '', mimeType = '' } = await client().files.upload({
        file: new Blob(['Notes.'], { type: 'text/plain' }),
      });
      const contents = [{ role: 'user', parts: [{ fileData: { fileUri: uri, mimeType } }, { text: 'Sum it up.' }] }];
      expect((await client().models.generateContent({ model: boundModel, contents })).text).not.toBe('');
    }),
    works('interactions: create, get, delete', async () => {
      const created = await interaction({ input: '[[sandbox: echo Hello.]]' });
      expect([created.status, created.output_text]).toEqual(['completed', 'Hello.']);
      expect((await client().interactions.get(created.id)).output_text).toBe('Hello.');
      await client().interactions.delete(created.id);
    }),
    works('interactions that go on with the results of functions', async () => {
      const tools = [{ type: 'function', name: 'get_weather', description: 'Weather', parameters: { type: 'object' } }];
      const first = await interaction({ input: askWeather, tools });
      const call = first.steps?.find(({ type }) => type === 'function_call');
      if (call?.type !== 'function_call') throw new Error('no call');
      const input = [{ type: 'function_result', call_id: call.id, name: call.name, result: 'Windy.' }];
      const second = await interaction({ previous_interaction_id: first.id, tools, input });
      expect(second.output_text).toContain('Windy.');
    }),
    works('interactions in the background, and cancel', async () => {
      const begun = await interaction({ input: '[[sandbox: slow 200]]', background: true });
      expect(begun.status).toBe('in_progress');
      await client().interactions.cancel(begun.id);
      let found = await client().interactions.get(begun.id);
      while (found.status === 'in_progress') found = await client().interactions.get(begun.id);
      // What had begun by then may end as it would have.
      expect(['cancelled', 'completed']).toContain(found.status);
    }),
    works('the base path alone, and a Bearer credential', async () => {
      const { baseUrl, key } = world();
      const headers = { Authorization: `Bearer ${key}` };
      const plain = new GoogleGenAI({ apiKey: 'not-used', httpOptions: { baseUrl, apiVersion: '', headers } });
      const answer = await plain.models.generateContent({ model: boundModel, contents: '[[sandbox: echo Hello.]]' });
      expect(answer.text).toBe('Hello.');
    }),
    works('interactions as a stream, with a call of a function', async () => {
      const tools = [{ type: 'function' as const, name: 'get_weather', parameters: { type: 'object' } }];
      const asked = { model: boundModel, input: askWeather, tools, stream: true as const };
      const seen: string[] = [];
      for await (const event of await client().interactions.create(asked)) {
        if (event.event_type === 'step.delta' && event.delta.type === 'arguments_delta')
          seen.push(event.delta.arguments ?? '');
        if (event.event_type === 'interaction.completed') seen.push(event.interaction.status);
      }
      expect(seen).toEqual(['{"city":"Faro"}', 'requires_action']);
    }),
    refuses('interactions that are not kept', 'store', async () => interaction({ store: false })),
  ];
};

const book = 'A long book about lighthouses. '.repeat(20);

const cacheFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = () => clientOf(world());
  const create = async (config: CreateCachedContentConfig = {}) =>
    client().caches.create({ model: boundModel, config: { contents: book, displayName: 'Book', ...config } });
  return [
    works('caches: create, get, list, update, delete', async () => {
      const cache = await create({ ttl: '600s' });
      const name = cache.name ?? '';
      expect(cache.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
      expect((await client().caches.get({ name })).displayName).toBe('Book');
      const expireTime = new Date(Date.now() + 60_000).toISOString();
      const updated = await client().caches.update({ name, config: { expireTime } });
      expect(Date.parse(updated.expireTime ?? '')).toBeLessThan(Date.parse(cache.expireTime ?? ''));
      const names: (string | undefined)[] = [];
      for await (const one of await client().caches.list({ config: { pageSize: 1 } })) names.push(one.name);
      expect(names).toContain(name);
      await client().caches.delete({ name });
      await expect(client().caches.get({ name })).rejects.toMatchObject({ status: 404 });
    }),
    works('a cache in a prompt', async () => {
      const { name = '' } = await create();
      const config = { cachedContent: name };
      const { text } = await client().models.generateContent({ model: boundModel, contents: 'Hi', config });
      expect(text).toContain('reply to 2 turns');
      await client().caches.delete({ name });
    }),
    works('an instruction in a cache', async () => {
      const plain = await create();
      const { name = '', usageMetadata } = await create({ systemInstruction: 'Be kind.' });
      expect(usageMetadata?.totalTokenCount).toBeGreaterThan(plain.usageMetadata?.totalTokenCount ?? Infinity);
      const { text } = await client().models.generateContent({
        model: boundModel,
        contents: 'Hi',
        config: { cachedContent: name },
      });
      expect(text).toContain('reply to 2 turns');
      for (const cache of [plain.name ?? '', name]) await client().caches.delete({ name: cache });
    }),
    refuses('tools in a cache', 'tools', async () => create({ tools: [{ codeExecution: {} }] })),
  ];
};

const endedBatch = async (genai: GoogleGenAI, { name = '' }: BatchJob): Promise<BatchJob> => {
  let job = await genai.batches.get({ name });
  while (job.endTime === undefined) job = await genai.batches.get({ name });
  return job;
};
const batchRequest = (text: string, metadata?: Record<string, string>) => ({
  contents: [{ role: 'user', parts: [{ text: `[[sandbox: echo ${text}]]` }] }],
  config: { systemInstruction: 'Be brief.' },
  ...(metadata && { metadata }),
});

const batchFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = () => clientOf(world());
  return [
    works('batches: create, get, list, delete', async () => {
      const src = [batchRequest('One.', { key: 'a' }), batchRequest('Two.')];
      const created = await client().batches.create({ model: boundModel, src, config: { displayName: 'Night' } });
      const job = await endedBatch(client(), created);
      expect([job.state, job.displayName]).toEqual([JobState.JOB_STATE_SUCCEEDED, 'Night']);
      const responses = job.dest?.inlinedResponses ?? [];
      expect(responses.map(({ response }) => response?.candidates?.[0]?.content?.parts?.[0]?.text)).toEqual([
        'One.',
        'Two.',
      ]);
      expect(responses.map(({ metadata }) => metadata)).toEqual([{ key: 'a' }, undefined]);
      const names: (string | undefined)[] = [];
      for await (const one of await client().batches.list({ config: { pageSize: 1 } })) names.push(one.name);
      expect(names).toContain(job.name);
      await client().batches.delete({ name: job.name ?? '' });
      await expect(client().batches.get({ name: job.name ?? '' })).rejects.toMatchObject({ status: 404 });
    }),
    works('batches: cancel', async () => {
      const created = await client().batches.create({ model: boundModel, src: [batchRequest('One.')] });
      await client().batches.cancel({ name: created.name ?? '' });
      // What had begun by then may end as it would have.
      expect(['JOB_STATE_CANCELLED', 'JOB_STATE_SUCCEEDED']).toContain((await endedBatch(client(), created)).state);
    }),
    works('batches of embeddings', async () => {
      const embedder = clientOf(world(), await world().newKey(embeddingModel));
      const src = { inlinedRequests: { contents: ['a', 'b'], config: { outputDimensionality: 256 } } };
      const job = await endedBatch(embedder, await embedder.batches.createEmbeddings({ model: embeddingModel, src }));
      const vectors = job.dest?.inlinedEmbedContentResponses ?? [];
      expect(vectors.map(({ response }) => response?.embedding?.values?.length)).toEqual([256, 256]);
    }),
    works('batches of a file', async () => {
      const lines = ['a', 'b'].map((key) => {
        const { contents } = batchRequest(`${key}.`);
        return JSON.stringify({ key, request: { contents, generation_config: { temperature: 0.5 } } });
      });
      const file = new Blob([lines.join('\n')], { type: 'application/jsonl' });
      const { name: fileName = '' } = await client().files.upload({ file, config: { mimeType: 'application/jsonl' } });
      const created = await client().batches.create({ model: boundModel, src: { fileName } });
      const { dest, state } = await endedBatch(client(), created);
      expect(state).toBe(JobState.JOB_STATE_SUCCEEDED);
      const directory = await mkdtemp(join(tmpdir(), 'responses-'));
      try {
        const downloadPath = join(directory, 'responses.jsonl');
        await client().files.download({ file: dest?.fileName ?? '', downloadPath });
        const responses = (await readFile(downloadPath, 'utf8')).trim().split('\n');
        expect(responses.map((text): unknown => JSON.parse(text))).toMatchObject(
          ['a', 'b'].map((key) => ({ key, response: { candidates: [{ content: { parts: [{ text: `${key}.` }] } }] } })),
        );
      } finally {
        await rm(directory, { recursive: true });
      }
    }),
    refuses('batches of a file that is not named as one', 'fileName', async () =>
      client().batches.create({ model: boundModel, src: { fileName: 'night.jsonl' } }),
    ),
  ];
};

/** The library makes no video with a key, and polls and downloads those that are made. */
const videoFeatures = (world: () => RunningGateway): readonly Feature[] => [
  works('operations.getVideosOperation, and files.download', async () => {
    const apiKey = await world().newKey(videoModel);
    const client = clientOf(world(), apiKey);
    const made = await fetch(`${world().baseUrl}/v1beta/models/${videoModel}:predictLongRunning`, {
      method: 'POST',
      headers: { 'x-goog-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ instances: [{ prompt: 'A ferry.' }], parameters: { durationSeconds: 4 } }),
    });
    let operation = new GenerateVideosOperation();
    Object.assign(operation, await made.json());
    while (operation.done !== true) operation = await client.operations.getVideosOperation({ operation });
    const [sample] = operation.response?.generatedVideos ?? [];
    if (sample === undefined) throw new Error('no video');
    const folder = await mkdtemp(join(tmpdir(), 'genai-video-'));
    const downloadPath = join(folder, 'a.mp4');
    await client.files.download({ file: sample, downloadPath });
    expect((await readFile(downloadPath)).toString('latin1', 4, 8)).toBe('ftyp');
    await rm(folder, { recursive: true });
  }),
];

const liveModel = 'flash-2.5-native-audio-latest';

const liveFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = async () => clientOf(world(), await world().newKey(liveModel));
  const talk = async (genai: GoogleGenAI): Promise<string> => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const texts: string[] = [];
    const session = await genai.live.connect({
      model: liveModel,
      config: { responseModalities: [Modality.TEXT] },
      callbacks: {
        onmessage: ({ text, serverContent }) => {
          texts.push(text ?? '');
          if (serverContent?.turnComplete === true) session.close();
        },
        onclose: () => resolve(),
      },
    });
    session.sendClientContent({ turns: '[[sandbox: echo Good day.]]' });
    await ended;
    return texts.join('');
  };
  const constraints = { model: liveModel, config: { responseModalities: [Modality.TEXT] } };
  return [
    works('live.connect', async () => {
      expect(await talk(await client())).toBe('Good day.');
    }),
    works('tokens for browsers, and live.connect with one', async () => {
      const { name = '' } = await (
        await client()
      ).authTokens.create({ config: { liveConnectConstraints: constraints } });
      expect(await talk(clientOf(world(), name))).toBe('Good day.');
    }),
    refuses('tokens without a setup', 'bidiGenerateContentSetup', async () => (await client()).authTokens.create({})),
    refuses('tokens for several sessions', 'uses', async () =>
      (await client()).authTokens.create({ config: { uses: 2, liveConnectConstraints: constraints } }),
    ),
  ];
};

const weatherTools = {
  get_weather: tool({
    description: 'Tells the weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `Rain in ${city}.`,
  }),
};

const file = (mediaType: string, data: string) => ({ type: 'file', mediaType, data }) as const;

const bytesAt = async (url: URL): Promise<Uint8Array> => {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
};

const aiSdkFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const provider = (apiKey = world().key) => createGoogleGenerativeAI({ baseURL: `${world().baseUrl}/v1beta`, apiKey });
  const model = () => provider()(boundModel);
  const embedder = async () => provider(await world().newKey(embeddingModel)).embeddingModel(embeddingModel);
  const looping = () => ({ model: model(), prompt: askWeather, tools: weatherTools, stopWhen: isStepCount(5) });
  return [
    works('generateText', async () => {
      const { text, usage } = await generateText({
        model: model(),
        system: 'Be brief.',
        prompt: '[[sandbox: echo Hello.]]',
      });
      expect([text, (usage.totalTokens ?? 0) > 0]).toEqual(['Hello.', true]);
    }),
    works('streamText', async () => {
      const streamed = streamText({
        model: model(),
        prompt: '[[sandbox: stream 3]] [[sandbox: echo Piece by piece.]]',
      });
      expect([await streamed.text, await streamed.finishReason]).toEqual(['Piece by piece.', 'stop']);
    }),
    works('several steps with tools', async () => {
      const { text, steps } = await generateText(looping());
      expect([steps.length, text.includes('Rain in Faro.')]).toEqual([2, true]);
    }),
    works('several steps with tools over the stream', async () => {
      expect(await streamText(looping()).text).toContain('Rain in Faro.');
    }),
    works('a choice among tools', async () => {
      const toolChoice = { type: 'tool', toolName: 'get_weather' } as const;
      const { toolCalls } = await generateText({ ...looping(), stopWhen: isStepCount(1), toolChoice });
      expect(toolCalls).toMatchObject([{ toolName: 'get_weather' }]);
    }),
    works('an object', async () => {
      const { output } = await generateText({
        model: model(),
        prompt: askCity,
        output: Output.object({ schema: City }),
      });
      expect(output).toEqual(faro);
    }),
    works('an object over the stream', async () => {
      const streamed = streamText({ model: model(), prompt: askCity, output: Output.object({ schema: City }) });
      expect(await streamed.output).toEqual(faro);
    }),
    works('settings of the sampling, and the limit of the output', async () => {
      const settings = { maxOutputTokens: 6, temperature: 0, topP: 0.5, topK: 4, seed: 7, stopSequences: ['END'] };
      await generateText({ model: model(), prompt: 'Hi', ...settings, frequencyPenalty: 1, presencePenalty: 1 });
      expect(lastOf(world().calls)).toMatchObject({ outputTokensMax: 6, sampling: { seed: 7, topP: 0.5 } });
    }),
    works('thinkingConfig', async () => {
      const providerOptions = { google: { thinkingConfig: { thinkingBudget: 512 } } };
      await generateText({ model: model(), prompt: 'Hi', providerOptions });
      expect(lastOf(world().calls).thinking).toBeDefined();
    }),
    works('image, document and sound', async () => {
      const content = [
        file('image/png', mediaSamples.png),
        file('application/pdf', mediaSamples.pdf),
        file('audio/wav', mediaSamples.wav),
      ];
      const { text } = await generateText({ model: model(), messages: [{ role: 'user', content }] });
      expect(text).toMatch(/Media image\/png.*Media application\/pdf.*Media audio\/wav/s);
    }),
    works('errors, with the message of the gateway', async () => {
      const asked = generateText({ model: model(), prompt: '[[sandbox: fail]]', maxRetries: 0 });
      const failure: unknown = await asked.then(
        () => null,
        (cause: unknown) => cause,
      );
      expect(APICallError.isInstance(failure) && failure.message).toContain('not completed');
    }),
    works('retries under one Idempotency-Key', async () => {
      const before = world().calls.length;
      const headers = { 'Idempotency-Key': 'ai-sdk-google-table' };
      const asked = generateText({ model: model(), prompt: '[[sandbox: unknown]]', maxRetries: 1, headers });
      await expect(asked).rejects.toThrow('Failed after 2 attempts');
      expect(world().calls).toHaveLength(before + 1);
    }),
    works('embed', async () => {
      const { embedding } = await embed({ model: await embedder(), value: 'a', maxRetries: 0 });
      expect(embedding.length).toBeGreaterThan(0);
    }),
    works('embedMany', async () => {
      const { embeddings } = await embedMany({ model: await embedder(), values: ['a', 'b'], maxRetries: 0 });
      expect(embeddings).toHaveLength(2);
    }),
    works('the safety settings', async () => {
      const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }];
      const { text } = await generateText({
        model: model(),
        prompt: '[[sandbox: echo Hello.]]',
        providerOptions: { google: { safetySettings } },
      });
      expect(text).toBe('Hello.');
    }),
    works('videos', async () => {
      const apiKey = await world().newKey(videoModel);
      const { videos } = await generateVideo({
        model: provider(apiKey).video(videoModel),
        prompt: { text: 'A ferry.', image: Buffer.from(mediaSamples.png, 'base64') },
        duration: 4,
        maxRetries: 0,
        providerOptions: { google: { pollIntervalMs: 20 } },
        // The library lets no address of this machine through.
        download: async ({ url }) => ({ data: await bytesAt(url), mediaType: 'video/mp4' }),
      });
      expect(videos).toHaveLength(1);
      expect(Buffer.from(videos[0]?.uint8Array ?? []).toString('latin1', 4, 8)).toBe('ftyp');
    }),
    refuses('several videos', 'sampleCount', async () =>
      generateVideo({
        model: provider(await world().newKey(videoModel)).video(videoModel),
        prompt: 'A ferry.',
        n: 2,
        maxRetries: 0,
      }),
    ),
  ];
};

describeClient({
  name: '@google/genai',
  features: (world) => [
    ...generateFeatures(world),
    ...otherFeatures(world),
    ...cacheFeatures(world),
    ...batchFeatures(world),
    ...videoFeatures(world),
    ...liveFeatures(world),
    ...storeFeatures(world),
  ],
});
describeClient({ name: '@ai-sdk/google', features: aiSdkFeatures });
