import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, isStepCount, Output, streamText, tool, type ModelMessage } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as shown from '../../docs/snippets/ai-sdk-client.ts';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, startGateway, type RunningGateway } from './running-gateway.ts';

// The client warns on the console about what the contract does not offer; the tests say it already.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

const askWeather = '[[sandbox: tool get_weather {"city":"Lisbon"}]] [[sandbox: tool get_weather {"city":"Porto"}]]';
const City = z.object({ name: z.string(), people: z.number() });
const lisbon = { name: 'Lisbon', people: 5 };
const askCity = `[[sandbox: json ${JSON.stringify(lisbon)}]]`;

const weatherTools = (asked: string[]) => ({
  get_weather: tool({
    description: 'Tells the weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => {
      asked.push(city);
      return `Rain in ${city}.`;
    },
  }),
});

const file = (mediaType: string, data: string) => ({ type: 'file', mediaType, data }) as const;

const providerOf = (running: RunningGateway, rest: object = {}): OpenAICompatibleProvider =>
  createOpenAICompatible({ name: 'gateway', baseURL: running.baseUrl, apiKey: running.key, ...rest });

const callErrorOf = async (promise: PromiseLike<unknown>): Promise<APICallError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(APICallError.isInstance(error)).toBe(true);
  return error as APICallError;
};

describe.each([
  ['strict', false],
  ['with the compatibility option', true],
] as const)('the AI SDK, %s', (_, openai) => {
  let running: RunningGateway;
  let provider: OpenAICompatibleProvider;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { openai } } });
    provider = providerOf(running);
  });
  afterAll(async () => {
    await running.close();
  });

  const once = (key: string) => ({
    model: provider(boundModel),
    prompt: 'Once.',
    headers: { 'Idempotency-Key': `${key}-${openai}` },
  });
  const ask = () => generateText(once('text'));
  const stream = async () => streamText(once('sse')).text;

  test('reads text and keeps the service object on the raw answer [chat:compat:ai-sdk]', async () => {
    const { text, finishReason, response } = await generateText({
      model: provider(boundModel),
      system: 'Be brief.',
      prompt: '[[sandbox: echo Good evening.]]',
      include: { responseBody: true },
    });
    expect([text, finishReason]).toEqual(['Good evening.', 'stop']);
    const { service } = response.body as { service: { request_id: string; credits: number } };
    expect(response.id).toBe(`chatcmpl-${service.request_id}`);
    expect(service.credits).toBeGreaterThan(0);
    expect(response.headers?.['x-request-id']).toBe(service.request_id);
  });

  test('reads a stream to its clean end [chat:compat:ai-sdk]', async () => {
    const { textStream, finishReason } = streamText({
      model: provider(boundModel),
      prompt: '[[sandbox: echo All at once.]]',
    });
    const texts: string[] = [];
    for await (const text of textStream) texts.push(text);
    expect(texts.join('')).toBe('All at once.');
    expect(await finishReason).toBe('stop');
  });

  test('reads the usage of a stream [chat:compat:ai-sdk] [stream:chat:usage]', async () => {
    const { usage, text } = streamText({
      model: providerOf(running, { includeUsage: true })(boundModel),
      prompt: '[[sandbox: tokens in=30 out=12]]',
    });
    await text;
    expect(await usage).toMatchObject({ inputTokens: 30, outputTokens: 12, totalTokens: 42 });
  });

  test('tells the cost of a call and of a stream, with the client that the page prints', async () => {
    const { text, credits } = await shown.ask(running.baseUrl, running.key, '[[sandbox: echo Paid.]]');
    expect(text).toBe('Paid.');
    expect(credits).toBeGreaterThan(0);
    const model = shown.createModels(running.baseUrl, running.key)(boundModel);
    const streamed = streamText({ model, prompt: '[[sandbox: tokens in=30 out=12]]' });
    await streamed.text;
    expect(await streamed.usage).toMatchObject({ inputTokens: 30, outputTokens: 12 });
    const { service } = (await streamed.providerMetadata) ?? {};
    expect(service?.['request_id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(service?.['credits']).toBeGreaterThan(0);
  });

  test('goes through several steps with tools, without the context [chat:compat:ai-sdk] [chat:message:context-fallback]', async () => {
    const asked: string[] = [];
    const { text, steps } = await generateText({
      model: provider(boundModel),
      prompt: askWeather,
      tools: weatherTools(asked),
      stopWhen: isStepCount(5),
    });
    expect(asked).toEqual(['Lisbon', 'Porto']);
    expect(steps).toHaveLength(2);
    expect(text).toContain('Rain in Lisbon.');
    expect(text).toContain('context: ok.');
    expect(lastOf(running.wire).sent).not.toContain('"context"');
  });

  test('goes through several steps with tools over the stream [chat:compat:ai-sdk] [stream:chat:tool-call-index]', async () => {
    const asked: string[] = [];
    const { text, steps } = streamText({
      model: provider(boundModel),
      prompt: askWeather,
      tools: weatherTools(asked),
      stopWhen: isStepCount(5),
    });
    expect(await text).toContain('Rain in Porto.');
    expect(asked).toEqual(['Lisbon', 'Porto']);
    expect(await steps).toHaveLength(2);
  });

  test('goes on with the messages of an earlier answer [chat:tools:round-trip]', async () => {
    const first: ModelMessage[] = [{ role: 'user', content: '[[sandbox: echo Hello, Ana.]]' }];
    const { responseMessages } = await generateText({ model: provider(boundModel), messages: first });
    const { text } = await generateText({
      model: provider(boundModel),
      messages: [...first, ...responseMessages, { role: 'user', content: 'And then?' }],
    });
    expect(text).toContain('reply to 3 turns');
  });

  test('sends image, document and audio as it writes them [chat:compat:ai-sdk] [chat:part:file-data-url] [chat:part:input-audio-shape]', async () => {
    const { text } = await generateText({
      model: provider(boundModel),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What are these?' },
            file('image/png', mediaSamples.png),
            { type: 'image', image: Buffer.from(mediaSamples.png, 'base64') },
            { ...file('application/pdf', mediaSamples.pdf), filename: 'empty.pdf' },
            file('audio/wav', mediaSamples.wav),
            file('text/plain', Buffer.from('Plain words.').toString('base64')),
          ],
        },
      ],
    });
    expect(text.match(/Media image\/png of 70 bytes/g)).toHaveLength(2);
    expect(text).toContain('Media application/pdf');
    expect(text).toContain('Media audio/wav');
    expect(text).toContain('Plain words.');
  });

  test('returns an object without structured outputs [chat:compat:ai-sdk] [chat:response-format:types]', async () => {
    const { output } = await generateText({
      model: provider(boundModel),
      prompt: askCity,
      output: Output.object({ schema: City }),
    });
    expect(output).toEqual(lisbon);
    expect(lastOf(running.calls).responseFormat).toEqual({ kind: 'json_object' });
  });

  test('replays under the same key, also a stream [idempotency:replay:equal-answer] [idempotency:replay:stream]', async () => {
    const before = running.calls.length;
    const [first, second] = [await ask(), await ask()];
    expect(second.text).toBe(first.text);
    expect(second.response.headers?.['idempotency-replayed']).toBe('true');
    expect(await stream()).toBe(await stream());
    const [one, two] = running.wire.slice(-2);
    // What is sent in time has no body to compare here: the gateway's suite compares its bytes.
    expect(openai || two?.answer.body === one?.answer.body).toBe(true);
    expect(two?.answer.headers['idempotency-replayed']).toBe('true');
    expect(running.calls).toHaveLength(before + 2);
  });

  test('reads error messages, and sends one request where trying again cannot help [errors:code:mismatch-is-422] [errors:format:object]', async () => {
    const before = running.wire.length;
    const error = await callErrorOf(generateText({ model: provider('pro-2.5'), prompt: 'Hi' }));
    expect(error.statusCode).toBe(422);
    expect(error.message).toBe(
      'The field model is pro-2.5, and the key is bound to another model; accepted are flash-3.8 and service-auto.',
    );
    expect(error.isRetryable).toBe(false);
    expect(running.wire).toHaveLength(before + 1);
    const failed = await callErrorOf(
      generateText({ model: provider(boundModel), prompt: '[[sandbox: fail]]', maxRetries: 0 }),
    );
    expect(failed.statusCode).toBe(502);
    expect(failed.message).toContain('not completed');
    expect(failed.responseHeaders).toMatchObject({ 'x-should-retry': 'false' });
    expect(running.wire).toHaveLength(before + 2);
  });

  test('never runs twice what it tries again under one key [idempotency:failed:refused] [idempotency:concurrency:one-execution]', async () => {
    const before = running.calls.length;
    // This client does not look at x-should-retry: it is the identity that keeps it from paying again.
    const promise = generateText({
      model: provider(boundModel),
      prompt: '[[sandbox: unknown]]',
      maxRetries: 1,
      headers: { 'Idempotency-Key': `again-${openai}` },
    });
    await expect(promise).rejects.toThrow('Failed after 2 attempts');
    expect(running.calls).toHaveLength(before + 1);
    expect(running.wire.slice(-2).map(({ answer }) => answer.status)).toEqual([502, 409]);
  });
});

describe('the AI SDK with the compatibility option, beyond the contract', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { openai: true } } });
  });
  afterAll(async () => {
    await running.close();
  });

  test('the code of the page asks under a key of its own', async () => {
    const { text } = await shown.ask(running.baseUrl, running.key, '[[sandbox: echo Good day.]]');
    expect(text).toBe('Good day.');
    expect(lastOf(running.wire).identity).toMatch(/^[0-9a-f-]{36}$/u);
  });

  test('returns an object with structured outputs [chat:compat:openai] [chat:compat:ai-sdk]', async () => {
    const provider = providerOf(running, { supportsStructuredOutputs: true });
    const { output } = await generateText({
      model: provider(boundModel),
      prompt: askCity,
      output: Output.object({ schema: City }),
    });
    expect(output).toEqual(lisbon);
    expect(lastOf(running.calls).responseFormat).toMatchObject({ kind: 'json_schema', strict: true });
    const streamed = streamText({
      model: provider(boundModel),
      prompt: askCity,
      output: Output.object({ schema: City }),
    });
    expect(await streamed.output).toEqual(lisbon);
  });

  test('hands sampling settings and the output limit to the provider [chat:compat:openai]', async () => {
    const { usage, finishReason } = await generateText({
      model: providerOf(running)(boundModel),
      prompt: '[[sandbox: echo More words than the limit lets through.]]',
      maxOutputTokens: 4,
      topP: 0.5,
      seed: 7,
      stopSequences: ['END'],
      temperature: 0,
    });
    expect(finishReason).toBe('length');
    expect(usage.outputTokens).toBe(4);
    expect(lastOf(running.calls)).toMatchObject({
      outputTokensMax: 4,
      sampling: { temperature: 0, topP: 0.5, seed: 7, stopSequences: ['END'] },
    });
  });
});

describe('the AI SDK without the compatibility option', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway();
  });
  afterAll(async () => {
    expect(running.calls).toEqual([]);
    await running.close();
  });

  test.each([
    [{ maxOutputTokens: 5 }, 'max_tokens'],
    [{ topP: 0.5 }, 'top_p'],
    [{ stopSequences: ['END'] }, 'stop'],
    [{ seed: 7 }, 'seed'],
  ])('is refused %j by its wire name [chat:compat:openai] [chat:request:unsupported-field]', async (setting, name) => {
    const call = generateText({ model: providerOf(running)(boundModel), prompt: 'Hi', ...setting });
    const error = await callErrorOf(call);
    expect(error.statusCode).toBe(422);
    expect(error.message).toContain(`The field ${name} is not supported; accepted are messages, model,`);
  });

  test('is refused structured outputs for their strict flag [chat:compat:openai]', async () => {
    const model = providerOf(running, { supportsStructuredOutputs: true })(boundModel);
    const call = generateText({ model, prompt: askCity, output: Output.object({ schema: City }) });
    const error = await callErrorOf(call);
    expect([error.statusCode, error.message]).toEqual([
      422,
      'The field response_format.json_schema.strict is not supported; accepted are name, schema.',
    ]);
  });
});
