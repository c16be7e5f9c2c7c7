import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, embedMany, generateImage, generateText, isStepCount, Output, streamText, tool } from 'ai';
import { expect } from 'vitest';
import { z } from 'zod';
import { describeClient, refuses, works, type Feature } from './client-table.ts';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, type RunningGateway } from './running-gateway.ts';

// The client warns on the console about what it finds odd; the tests say it already.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const City = z.object({ name: z.string(), people: z.number() });
const askCity = '[[sandbox: json {"name":"Faro","people":5}]]';
const weatherTools = {
  get_weather: tool({
    description: 'Tells the weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `Rain in ${city}.`,
  }),
};
const file = (mediaType: string, data: string) => ({ type: 'file', mediaType, data }) as const;

const textFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const provider = (rest: object = {}) =>
    createOpenAICompatible({ name: 'gateway', baseURL: world().baseUrl, apiKey: world().key, ...rest });
  const model = (rest: object = {}) => provider(rest)(boundModel);
  return [
    works('generateText', async () => {
      const { text, usage } = await generateText({
        model: model(),
        system: 'Be brief.',
        prompt: '[[sandbox: echo Hello.]]',
      });
      expect(text).toBe('Hello.');
      expect(usage.totalTokens).toBeGreaterThan(0);
    }),
    works('streamText, with usage', async () => {
      const prompt = '[[sandbox: echo Piece.]] [[sandbox: tokens in=30 out=12]]';
      const streamed = streamText({ model: model({ includeUsage: true }), prompt });
      expect([await streamed.text, await streamed.finishReason]).toEqual(['Piece.', 'stop']);
      expect(await streamed.usage).toMatchObject({ inputTokens: 30, outputTokens: 12 });
    }),
    works('several steps with tools', async () => {
      const { text, steps } = await generateText({
        model: model(),
        prompt: askWeather,
        tools: weatherTools,
        stopWhen: isStepCount(5),
      });
      expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
      expect(text).toContain('Rain in Faro.');
    }),
    works('several steps with tools over the stream', async () => {
      const streamed = streamText({
        model: model(),
        prompt: askWeather,
        tools: weatherTools,
        stopWhen: isStepCount(5),
      });
      expect(await streamed.text).toContain('Rain in Faro.');
    }),
    works('an object, without structured outputs', async () => {
      const { output } = await generateText({
        model: model(),
        prompt: askCity,
        output: Output.object({ schema: City }),
      });
      expect(output).toEqual({ name: 'Faro', people: 5 });
    }),
    works('an object, with structured outputs', async () => {
      const { output } = await generateText({
        model: model({ supportsStructuredOutputs: true }),
        prompt: askCity,
        output: Output.object({ schema: City }),
      });
      expect(output).toEqual({ name: 'Faro', people: 5 });
      expect(lastOf(world().calls).responseFormat).toMatchObject({ kind: 'json_schema', strict: true });
    }),
    works('an object over the stream', async () => {
      const streamed = streamText({
        model: model({ supportsStructuredOutputs: true }),
        prompt: askCity,
        output: Output.object({ schema: City }),
      });
      expect(await streamed.output).toEqual({ name: 'Faro', people: 5 });
    }),
    works('settings of the sampling, and the limit of the output', async () => {
      await generateText({
        model: model(),
        prompt: 'Hi',
        maxOutputTokens: 4,
        temperature: 0,
        topP: 0.5,
        seed: 7,
        stopSequences: ['END'],
        frequencyPenalty: 1,
        presencePenalty: 1,
      });
      expect(lastOf(world().calls)).toMatchObject({ outputTokensMax: 4, sampling: { seed: 7, topP: 0.5 } });
    }),
    works('its own options: the effort and the user', async () => {
      const providerOptions = { gateway: { reasoningEffort: 'low', user: 'ana' } };
      await generateText({ model: model(), prompt: 'Hi', providerOptions });
      expect(lastOf(world().calls)).toMatchObject({ endUser: 'ana', thinking: {} });
    }),
    works('image, document and sound', async () => {
      const content = [
        file('image/png', mediaSamples.png),
        { ...file('application/pdf', mediaSamples.pdf), filename: 'a.pdf' },
        file('audio/wav', mediaSamples.wav),
      ];
      const { text } = await generateText({ model: model(), messages: [{ role: 'user', content }] });
      expect(text).toMatch(/Media image\/png.*Media application\/pdf.*Media audio\/wav/s);
    }),
  ];
};

const callFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const provider = (apiKey = world().key) =>
    createOpenAICompatible({ name: 'gateway', baseURL: world().baseUrl, apiKey });
  return [
    works('errors, with the message of the gateway', async () => {
      const prompt = '[[sandbox: fail]]';
      const asked = generateText({ model: provider()(boundModel), prompt, maxRetries: 0 });
      const failure: unknown = await asked.then(
        () => null,
        (cause: unknown) => cause,
      );
      expect(APICallError.isInstance(failure) && [failure.statusCode, failure.message]).toEqual([
        502,
        expect.stringContaining('not completed'),
      ]);
    }),
    works('retries under one Idempotency-Key', async () => {
      const before = world().calls.length;
      const headers = { 'Idempotency-Key': 'ai-sdk-table' };
      const asked = generateText({
        model: provider()(boundModel),
        prompt: '[[sandbox: unknown]]',
        maxRetries: 1,
        headers,
      });
      await expect(asked).rejects.toThrow('Failed after 2 attempts');
      expect(world().calls).toHaveLength(before + 1);
    }),
    works('abort', async () => {
      const abortSignal = AbortSignal.abort();
      const asked = generateText({ model: provider()(boundModel), prompt: 'Hi', abortSignal });
      await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    }),
    works('embedMany', async () => {
      const key = await world().newKey('embedding-2');
      const model = provider(key).embeddingModel('embedding-2');
      const { embeddings } = await embedMany({ model, values: ['a', 'b'], maxRetries: 0 });
      expect(embeddings.map(({ length }) => length > 0)).toEqual([true, true]);
    }),
    refuses('more than 100 texts to embed at once', 'input', async () => {
      const model = provider(await world().newKey('embedding-2')).embeddingModel('embedding-2');
      return embedMany({ model, values: Array.from({ length: 101 }, () => 'a'), maxRetries: 0 });
    }),
    refuses('a tier of service', 'service_tier', async () => {
      const providerOptions = { gateway: { service_tier: 'flex' } };
      return generateText({ model: provider()(boundModel), prompt: 'Hi', providerOptions });
    }),
    works('completions of the older wire', async () => {
      // It sends a prompt that ends before the turn of the assistant.
      const { text, finishReason } = await generateText({
        model: provider().completionModel(boundModel),
        maxOutputTokens: 200,
        prompt: 'Hi',
      });
      expect([text.length > 0, finishReason]).toEqual([true, 'stop']);
    }),
    works('images, and images of images', async () => {
      const imageModel = provider(await world().newKey('flash-3.1-image')).imageModel('flash-3.1-image');
      const first = await generateImage({ model: imageModel, prompt: 'A ferry.', size: '512x512' });
      expect(first.images.map(({ mediaType }) => mediaType)).toEqual(['image/png']);
      const prompt = { text: 'Add a boat.', images: [first.image.uint8Array] };
      expect((await generateImage({ model: imageModel, prompt })).image.base64).not.toBe(first.image.base64);
    }),
  ];
};

describeClient({
  name: '@ai-sdk/openai-compatible',
  features: (world) => [...textFeatures(world), ...callFeatures(world)],
});
