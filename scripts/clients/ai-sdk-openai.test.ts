import { createOpenAI } from '@ai-sdk/openai';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import {
  APICallError,
  embedMany,
  generateImage,
  generateSpeech,
  generateText,
  isStepCount,
  Output,
  streamText,
  tool,
  transcribe,
  type LanguageModel,
} from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { describeClient, refuses, works, type Feature } from '../../test/clients/client-table.ts';
import { defaultCatalog, type CatalogModel } from '../../packages/contract/src/index.ts';
import { mediaSamples } from '../../test/clients/media-samples.ts';
import { boundModel, lastOf, type RunningGateway } from '../../test/clients/running-gateway.ts';

// The client warns on the console about what it finds odd; the tests say it already.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

const imageModel = 'flash-3.1-image';
const speechModel = 'flash-3.1-tts-preview';
const manifest = new URL('package.json', import.meta.url);
const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const City = z.object({ name: z.string(), people: z.number() });
const faro = { name: 'Faro', people: 5 };
const askCity = '[[sandbox: json {"name":"Faro","people":5}]]';
const weatherTools = {
  get_weather: tool({
    description: 'Tells the weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `Rain in ${city}.`,
  }),
};
const file = (mediaType: string, data: string) => ({ type: 'file', mediaType, data }) as const;

/** What both clients do. */
const textFeatures = (world: () => RunningGateway, model: () => LanguageModel): readonly Feature[] => {
  const looping = () => ({ model: model(), prompt: askWeather, tools: weatherTools, stopWhen: isStepCount(5) });
  return [
    works('generateText', async () => {
      const prompt = '[[sandbox: echo Hello.]]';
      const { text, usage } = await generateText({ model: model(), system: 'Be brief.', prompt });
      expect([text, (usage.totalTokens ?? 0) > 0]).toEqual(['Hello.', true]);
    }),
    works('streamText, with usage', async () => {
      const prompt = '[[sandbox: echo Piece.]] [[sandbox: tokens in=30 out=12]]';
      const streamed = streamText({ model: model(), prompt });
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
      const output = Output.object({ schema: City });
      expect((await generateText({ model: model(), prompt: askCity, output })).output).toEqual(faro);
      expect(lastOf(world().calls).responseFormat).toMatchObject({ kind: 'json_schema' });
    }),
    works('an object over the stream', async () => {
      const output = Output.object({ schema: City });
      expect(await streamText({ model: model(), prompt: askCity, output }).output).toEqual(faro);
    }),
    works('settings of the sampling, and the limit of the output', async () => {
      const settings = { maxOutputTokens: 4, temperature: 0, topP: 0.5, seed: 7, stopSequences: ['END'] };
      await generateText({ model: model(), prompt: 'Hi', ...settings, frequencyPenalty: 1, presencePenalty: 1 });
      expect(lastOf(world().calls)).toMatchObject({ outputTokensMax: 4, sampling: { seed: 7, topP: 0.5 } });
    }),
    works('an image and a document', async () => {
      const content = [
        file('image/png', mediaSamples.png),
        { ...file('application/pdf', mediaSamples.pdf), filename: 'a.pdf' },
      ];
      const { text } = await generateText({ model: model(), messages: [{ role: 'user', content }] });
      expect(text).toMatch(/Media image\/png.*Media application\/pdf/s);
    }),
    works('errors, with the message of the gateway', async () => {
      const asked = generateText({ model: model(), prompt: '[[sandbox: fail]]', maxRetries: 0 });
      const failure: unknown = await asked.then(
        () => null,
        (cause: unknown) => cause,
      );
      expect(APICallError.isInstance(failure) && failure.message).toContain('not completed');
    }),
    works('a choice among tools', async () => {
      const toolChoice = { type: 'tool', toolName: 'get_weather' } as const;
      const { toolCalls } = await generateText({ ...looping(), stopWhen: isStepCount(1), toolChoice });
      expect(toolCalls).toMatchObject([{ toolName: 'get_weather' }]);
    }),
  ];
};

const openaiFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const provider = (apiKey = world().key) => createOpenAI({ baseURL: world().baseUrl, apiKey });
  const model = () => provider().chat(boundModel);
  const ask = async (openai: Record<string, string | number | boolean>) =>
    generateText({ model: model(), prompt: 'Hi', maxRetries: 0, providerOptions: { openai } });
  return [
    ...textFeatures(world, model),
    works('sound', async () => {
      const content = [file('audio/wav', mediaSamples.wav)];
      const { text } = await generateText({ model: model(), messages: [{ role: 'user', content }] });
      expect(text).toContain('Media audio/wav');
    }),
    works('its own options: effort, user, hints for caches', async () => {
      await ask({
        reasoningEffort: 'low',
        user: 'ana',
        promptCacheKey: 'a',
        safetyIdentifier: 'b',
        textVerbosity: 'low',
      });
      expect(lastOf(world().calls)).toMatchObject({ endUser: 'ana', thinking: {} });
    }),
    works('embedMany', async () => {
      const model2 = provider(await world().newKey('embedding-2')).embedding('embedding-2');
      const { embeddings } = await embedMany({ model: model2, values: ['a', 'b'], maxRetries: 0 });
      expect(embeddings).toHaveLength(2);
    }),
    refuses('logprobs', 'logprobs', async () => ask({ logprobs: true })),
    works('Responses, by the bare name of a model: text, and several steps with tools', async () => {
      const model = provider()(boundModel);
      expect((await generateText({ model, prompt: '[[sandbox: echo Hello.]]' })).text).toBe('Hello.');
      const looping = { model, prompt: askWeather, tools: weatherTools, stopWhen: isStepCount(5) };
      expect((await generateText(looping)).text).toContain('Rain in Faro.');
      const streamed = streamText(looping);
      expect([await streamed.text, await streamed.finishReason]).toEqual([
        expect.stringContaining('Rain in Faro.'),
        'stop',
      ]);
    }),
    works('Responses that are not stored: several steps with tools, and an object', async () => {
      const providerOptions = { openai: { store: false, reasoningSummary: 'auto' } };
      const model = provider()(boundModel);
      const looping = { model, prompt: askWeather, tools: weatherTools, stopWhen: isStepCount(5), providerOptions };
      expect((await generateText(looping)).text).toContain('Rain in Faro.');
      const output = Output.object({ schema: City });
      expect((await generateText({ model, prompt: askCity, output, providerOptions })).output).toEqual(faro);
    }),
    works('a search of the web over Responses, with its sources, whole and streamed', async () => {
      const tools = { web_search: provider().tools.webSearch({}) };
      const asked = { model: provider()(boundModel), prompt: 'What is new in Faro?', tools };
      const { sources } = await generateText(asked);
      const streamed = streamText(asked);
      expect([sources.length > 0, (await streamed.sources).length]).toEqual([true, sources.length]);
      expect(lastOf(world().calls).tools).toEqual([{ kind: 'web_search' }]);
    }),
    works('completions of the older wire', async () => {
      const { text } = await generateText({ model: provider().completion(boundModel), prompt: 'Hi' });
      expect(text.length).toBeGreaterThan(0);
    }),
  ];
};

const [hears] = defaultCatalog.filter(({ id }) => id === boundModel);
/** A model by the one name for which this client asks for a verbose transcript. */
const whisper: readonly CatalogModel[] =
  hears === undefined ? [] : [{ ...hears, id: 'whisper-1', upstreamId: 'whisper-1' }];

const mediaFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const providerFor = async (model: string) =>
    createOpenAI({ baseURL: world().baseUrl, apiKey: await world().newKey(model) });
  const speak = async (rest: { readonly outputFormat?: string }) => {
    const model = (await providerFor(speechModel)).speech(speechModel);
    return generateSpeech({ model, text: 'Good day.', voice: 'Kore', maxRetries: 0, ...rest });
  };
  const listen = async (id: string) => {
    const model = (await providerFor(id)).transcription(id);
    const providerOptions = { openai: { language: 'en', prompt: '[[sandbox: echo Good day.]]' } };
    return transcribe({ model, audio: Buffer.from(mediaSamples.wav, 'base64'), maxRetries: 0, providerOptions });
  };
  return [
    works('images, in a size', async () => {
      const model = (await providerFor(imageModel)).image(imageModel);
      const { images, usage } = await generateImage({ model, prompt: 'A ferry.', size: '1536x1024', maxRetries: 0 });
      expect(images.map(({ mediaType, uint8Array }) => [mediaType, uint8Array[1]])).toEqual([['image/png', 0x50]]);
      expect(usage.outputTokens).toBe(1_120);
    }),
    works('images, from an image', async () => {
      const model = (await providerFor(imageModel)).image(imageModel);
      const prompt = { text: 'Add a boat.', images: [mediaSamples.png] };
      expect((await generateImage({ model, prompt, maxRetries: 0 })).images).toHaveLength(1);
    }),
    works('speech, in a form that the model gives', async () => {
      const { audio } = await speak({ outputFormat: 'wav' });
      expect(Buffer.from(audio.uint8Array).toString('latin1', 0, 4)).toBe('RIFF');
    }),
    refuses('speech as MP3, its default, of a model that gives none', 'response_format', async () => speak({})),
    works('a transcript', async () => {
      expect((await listen(boundModel)).text).toBe('Good day.');
    }),
    works('a verbose transcript, which it asks for by the name of a model, without times', async () => {
      const { text, language, durationInSeconds, segments } = await listen('whisper-1');
      expect([text, language, durationInSeconds, segments]).toEqual(['Good day.', 'en', 0, []]);
    }),
  ];
};

describeClient({
  name: '@ai-sdk/openai',
  manifest,
  setup: { options: { catalog: [...defaultCatalog, ...whisper] } },
  features: (world) => [...openaiFeatures(world), ...mediaFeatures(world)],
});
describeClient({
  name: '@openrouter/ai-sdk-provider',
  manifest,
  features: (world) => {
    const provider = () => createOpenRouter({ baseURL: world().baseUrl, apiKey: world().key, compatibility: 'strict' });
    return [
      ...textFeatures(world, () => provider().chat(boundModel)),
      refuses('accounts of usage in its own form', 'usage', async () =>
        generateText({ model: provider().chat(boundModel, { usage: { include: true } }), prompt: 'Hi' }),
      ),
    ];
  },
});
