import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { ApiError, GoogleGenAI, ServiceTier, Type, type Content, type FunctionCall } from '@google/genai';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { boundModel, lastOf, startGateway, type RunningGateway } from './running-gateway.ts';

// The client warns on the console about what it finds odd; the tests say it already.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

const askWeather = '[[sandbox: tool get_weather {"city":"Lisbon"}]]';
const City = z.object({ name: z.string(), people: z.number() });
const lisbon = { name: 'Lisbon', people: 5 };
const askCity = `[[sandbox: json ${JSON.stringify(lisbon)}]]`;
const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, people: { type: 'number' } },
  required: ['name', 'people'],
};
const weather = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const failureOf = async (promise: PromiseLike<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it was answered',
    (cause: unknown) => cause,
  );

const clientOf = (running: RunningGateway, rest: object = {}): GoogleGenAI =>
  new GoogleGenAI({ apiKey: running.key, httpOptions: { baseUrl: running.baseUrl, ...rest } });

test('the genai client asks for a service tier, and reads how it was served', async () => {
  const perMillion = { input_text_tokens: '1000', output_text_tokens: '1000' };
  const serviceTiers = { flex: '0.5' };
  const tariff = { version: 'tiers', serviceTiers, models: { '*': { perMillion } } };
  const running = await startGateway({ options: { compatibility: { google: true }, tariff } });
  const { models } = clientOf(running);
  const asked = { model: boundModel, contents: '[[sandbox: echo Later.]]', config: { serviceTier: ServiceTier.FLEX } };
  const whole = await models.generateContent(asked);
  expect(whole.text).toBe('Later.');
  expect(whole.usageMetadata).toMatchObject({ serviceTier: ServiceTier.FLEX });
  let last;
  for await (const chunk of await models.generateContentStream(asked)) last = chunk;
  expect(last?.usageMetadata).toMatchObject({ serviceTier: ServiceTier.FLEX });
  const config = { serviceTier: ServiceTier.PRIORITY };
  const failure = await failureOf(models.generateContent({ ...asked, config }));
  expect(failure).toBeInstanceOf(ApiError);
  expect(String(failure)).toContain('serviceTier is priority, which is not offered');
  await running.close();
});

describe('with the compatibility option', () => {
  let running: RunningGateway;
  let client: GoogleGenAI;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { google: true } } });
    client = clientOf(running);
  });
  afterAll(async () => {
    await running.close();
  });

  test('the genai client generates, with the settings that it adds honoured [generate:compat:google]', async () => {
    const answer = await client.models.generateContent({
      model: boundModel,
      contents: '[[sandbox: echo Good morning.]]',
      config: {
        systemInstruction: 'Be kind.',
        maxOutputTokens: 64,
        candidateCount: 1,
        temperature: 0.2,
        safetySettings: [],
        stopSequences: [],
      },
    });
    expect(answer.text).toBe('Good morning.');
    expect(answer.candidates?.[0]?.finishReason).toBe('STOP');
    expect(answer.modelVersion).toBe(boundModel);
    expect(answer.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
    const call = lastOf(running.calls);
    expect([call.systemInstruction, call.outputTokensMax, call.sampling.temperature]).toEqual(['Be kind.', 64, 0.2]);
    const record = await running.gateway.admin.readOperation(answer.responseId ?? '');
    expect(record?.state).toBe('completed');
  });

  test('the genai client reads the stream to its end [generate:compat:google] [stream:generate:genai-client]', async () => {
    const stream = await client.models.generateContentStream({
      model: boundModel,
      contents: '[[sandbox: echo One piece after another, and then the end.]]',
    });
    const texts: string[] = [];
    let last;
    for await (const chunk of stream) {
      texts.push(chunk.text ?? '');
      last = chunk;
    }
    expect(texts.join('')).toBe('One piece after another, and then the end.');
    expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(last?.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
  });

  test('the genai client remembers what was streamed in a chat [generate:compat:google] [stream:generate:genai-client]', async () => {
    const chat = client.chats.create({ model: boundModel, config: { tools: [{ functionDeclarations: [weather] }] } });
    let call: FunctionCall | undefined;
    for await (const chunk of await chat.sendMessageStream({ message: askWeather })) call ??= chunk.functionCalls?.[0];
    const result = { functionResponse: { id: call?.id ?? '', name: 'get_weather', response: { degrees: 21 } } };
    const texts: string[] = [];
    for await (const chunk of await chat.sendMessageStream({ message: [result] })) texts.push(chunk.text ?? '');
    expect(texts.join('')).toMatch(/to 3 turns.*Result of get_weather.*context: ok\./);
  });

  test('the genai client calls functions by itself while it streams [generate:compat:google]', async () => {
    const callable = {
      tool: () => Promise.resolve({ functionDeclarations: [weather] }),
      callTool: (calls: readonly FunctionCall[]) =>
        Promise.resolve(
          calls.map(({ id, name }) => ({ functionResponse: { id: id ?? '', name: name ?? '', response: {} } })),
        ),
    };
    const config = { tools: [callable] };
    const stream = await client.models.generateContentStream({ model: boundModel, contents: askWeather, config });
    const texts: string[] = [];
    for await (const chunk of stream)
      for (const part of chunk.candidates?.[0]?.content?.parts ?? []) texts.push(part.text ?? '');
    expect(texts.join('')).toMatch(/Result of get_weather.*context: ok\./);
  });

  test('the genai client proposes a call and takes its result back [generate:compat:google]', async () => {
    const config = { tools: [{ functionDeclarations: [weather] }] };
    const contents: Content[] = [{ role: 'user', parts: [{ text: askWeather }] }];
    const first = await client.models.generateContent({ model: boundModel, contents, config });
    const call = first.functionCalls?.[0];
    expect([call?.name, call?.args]).toEqual(['get_weather', { city: 'Lisbon' }]);
    const proposed = first.candidates?.[0]?.content;
    if (proposed === undefined) throw new Error('no content');
    const response = {
      ...(call?.id === undefined ? {} : { id: call.id }),
      name: 'get_weather',
      response: { sky: 'sunny' },
    };
    contents.push(proposed, { role: 'user', parts: [{ functionResponse: response }] });
    const second = await client.models.generateContent({ model: boundModel, contents, config });
    expect(second.text).toContain('sunny');
  });

  test('the genai client gets JSON of either kind of schema [generate:compat:google]', async () => {
    const byJsonSchema = await client.models.generateContent({
      model: boundModel,
      contents: askCity,
      config: { responseMimeType: 'application/json', responseJsonSchema: schema },
    });
    expect(JSON.parse(byJsonSchema.text ?? '')).toEqual(lisbon);
    const byOwnSchema = await client.models.generateContent({
      model: boundModel,
      contents: askCity,
      config: {
        responseMimeType: 'application/json',
        responseSchema: {
          type: Type.OBJECT,
          properties: { name: { type: Type.STRING }, people: { type: Type.NUMBER } },
          required: ['name', 'people'],
        },
      },
    });
    expect(JSON.parse(byOwnSchema.text ?? '')).toEqual(lisbon);
  });

  test('the genai client gets a failure before the first piece and amid the pieces', async () => {
    const before = await failureOf(client.models.generateContent({ model: boundModel, contents: '[[sandbox: fail]]' }));
    expect(before).toBeInstanceOf(ApiError);
    const { error } = JSON.parse((before as ApiError).message) as { readonly error: { readonly details: unknown } };
    expect((before as ApiError).status).toBe(502);
    expect(error.details).toEqual([{ reason: 'request_failed', request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
    const pieces: string[] = [];
    const amid = await failureOf(
      (async () => {
        const contents = '[[sandbox: stream 4]] [[sandbox: cut 2]] One, two, three, four.';
        for await (const { text } of await client.models.generateContentStream({ model: boundModel, contents }))
          pieces.push(text ?? '');
      })(),
    );
    expect(amid).toBeInstanceOf(ApiError);
    expect((amid as ApiError).status).toBe(502);
    expect(pieces.length).toBeGreaterThan(0);
  });

  test('the AI SDK generates, streams, and loops over tools [generate:compat:google]', async () => {
    const google = createGoogleGenerativeAI({ baseURL: `${running.baseUrl}/v1beta`, apiKey: running.key });
    const model = google(boundModel);
    const one = await generateText({ model, prompt: '[[sandbox: echo Good morning.]]', maxRetries: 0 });
    expect(one.text).toBe('Good morning.');
    const streamed = streamText({ model, prompt: '[[sandbox: echo Piece by piece.]]', maxRetries: 0 });
    expect(await streamed.text).toBe('Piece by piece.');
    expect(await streamed.finishReason).toBe('stop');
    const asked: string[] = [];
    const looped = await generateText({
      model,
      prompt: askWeather,
      maxRetries: 0,
      stopWhen: isStepCount(3),
      tools: {
        get_weather: tool({
          description: 'Tells the weather of a city.',
          inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => {
            asked.push(city);
            return `Rain in ${city}.`;
          },
        }),
      },
    });
    expect(asked).toEqual(['Lisbon']);
    expect(looped.text).toContain('Rain in Lisbon.');
  });

  test('the AI SDK gets an object of a schema [generate:compat:google]', async () => {
    const google = createGoogleGenerativeAI({ baseURL: running.baseUrl, apiKey: running.key });
    const { output } = await generateText({
      model: google(boundModel),
      prompt: askCity,
      output: Output.object({ schema: City }),
      maxRetries: 0,
    });
    expect(output).toEqual(lisbon);
  });

  test('LangChain generates and streams', async () => {
    const model = new ChatGoogleGenerativeAI({
      model: boundModel,
      apiKey: running.key,
      baseUrl: running.baseUrl,
      maxRetries: 0,
    });
    const answer = await model.invoke('[[sandbox: echo Good morning.]]');
    expect(answer.text).toBe('Good morning.');
    const pieces: string[] = [];
    for await (const piece of await model.stream('[[sandbox: echo Piece by piece.]]')) pieces.push(piece.text);
    expect(pieces.join('')).toBe('Piece by piece.');
  });

  test('LangChain runs a tool loop, which keeps the signatures and drops the ids of calls [generate:thought-signature]', async () => {
    const look = langchainTool(() => 'seen', { name: 'look', description: 'Looks.', schema: z.object({}) });
    const model = new ChatGoogleGenerativeAI({
      model: boundModel,
      apiKey: running.key,
      baseUrl: running.baseUrl,
      maxRetries: 0,
    }).bindTools([look]);
    const asked = new HumanMessage('[[sandbox: tool look {}]]');
    const proposed = await model.invoke([asked]);
    const [call] = proposed.tool_calls ?? [];
    const result = new ToolMessage({ content: 'seen', tool_call_id: call?.id ?? '', name: 'look' });
    const answer = await model.invoke([asked, proposed, result]);
    expect(answer.text).toContain('Result of look');
    expect(answer.text).toContain('context: ok.');
  });
});

describe('without the option', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway();
  });
  afterAll(async () => {
    await running.close();
  });

  test('the genai client is refused what it adds [generate:compat:google]', async () => {
    const strict = clientOf(running, { apiVersion: '', headers: { Authorization: `Bearer ${running.key}` } });
    const plain = await strict.models.generateContent({ model: boundModel, contents: '[[sandbox: echo Plain.]]' });
    expect(plain.text).toBe('Plain.');
    for (const config of [{ maxOutputTokens: 64 }, { candidateCount: 1 }, { responseSchema: { type: Type.OBJECT } }]) {
      const refused = await failureOf(strict.models.generateContent({ model: boundModel, contents: 'Hello', config }));
      expect(refused).toMatchObject({ status: 422, message: expect.stringContaining('unsupported_parameter') });
    }
  });
});
