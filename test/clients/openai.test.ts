import OpenAI, { APIError } from 'openai';
import { LengthFinishReasonError } from 'openai/core/error';
import { zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, startGateway, type RunningGateway } from './running-gateway.ts';

/** The documented way to give every request an identity of its own, and its retries the same one. */
class KeyedOpenAI extends OpenAI {
  protected override idempotencyHeader = 'Idempotency-Key';
}

interface Receipt {
  readonly request_id: string;
  readonly project_id: string;
  readonly credits: number;
}

/** The member that the client library hands through although it does not know it. */
const receiptOf = (value: unknown): Receipt | undefined => (value as { readonly service?: Receipt }).service;

const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });

const weather: ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

const askWeather = '[[sandbox: tool get_weather {"city":"Lisbon"}]] [[sandbox: tool get_weather {"city":"Porto"}]]';

const errorOf = async (promise: Promise<unknown>): Promise<APIError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(APIError);
  return error as APIError;
};

describe.each([
  ['strict', false],
  ['with the compatibility option', true],
] as const)('the openai client, %s', (_, openai) => {
  let running: RunningGateway;
  let client: OpenAI;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { openai } } });
    client = new OpenAI({ baseURL: running.baseUrl, apiKey: running.key });
  });
  afterAll(async () => {
    await running.close();
  });

  const create = (content: string, rest: object = {}, options?: OpenAI.RequestOptions) =>
    client.chat.completions.create({ model: boundModel, messages: [user(content)], ...rest, stream: false }, options);

  const headers = (key: string) => ({ headers: { 'Idempotency-Key': `${key}-${openai}` } });
  const post = () =>
    client.chat.completions
      .create({ model: boundModel, messages: [user('Once, please.')] }, headers('replay'))
      .asResponse();

  test('reads a unary answer and keeps the service object [chat:compat:openai-sdk]', async () => {
    const completion = await create('[[sandbox: echo Good morning.]] [[sandbox: tokens in=1000 out=250]]');
    expect(completion.choices[0]?.message.content).toBe('Good morning.');
    expect(completion.model).toBe(boundModel);
    expect(receiptOf(completion)).toEqual({
      request_id: completion.id.slice('chatcmpl-'.length),
      project_id: running.projectId,
      credits: 0.002,
    });
  });

  test('reads the stream and keeps the service object on its last chunk [chat:compat:openai-sdk]', async () => {
    const stream = await client.chat.completions.create({
      model: boundModel,
      messages: [user('[[sandbox: echo One stream.]]')],
      stream: true,
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    // In time, a chunk names the role, and each word is a chunk.
    const contents = openai ? ['', 'One ', 'stream.'] : ['One stream.'];
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content)).toEqual([...contents, undefined]);
    expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toEqual([...contents.map(() => null), 'stop']);
    expect(receiptOf(lastOf(chunks))?.project_id).toBe(running.projectId);
    expect(lastOf(chunks).usage).toBeUndefined();
  });

  test('reads the stream through the stream helper [chat:compat:openai-sdk]', async () => {
    const stream = client.chat.completions.stream({
      model: boundModel,
      messages: [user('[[sandbox: echo Helped along.]]')],
    });
    const texts: string[] = [];
    stream.on('content', (delta) => texts.push(delta));
    const completion = await stream.finalChatCompletion();
    expect(texts.join('')).toBe('Helped along.');
    expect(completion.choices[0]?.message.content).toBe('Helped along.');
    expect(completion.choices[0]?.finish_reason).toBe('stop');
    expect(receiptOf(completion)?.request_id).toBe(completion.id.slice('chatcmpl-'.length));
  });

  test('reads the usage of a stream on its last chunk [stream:chat:usage]', async () => {
    const stream = await client.chat.completions.create({
      model: boundModel,
      messages: [user('[[sandbox: tokens in=40 out=2]]')],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    // In time, each word is a chunk, and the usage has one of its own.
    expect(chunks).toHaveLength(openai ? 16 : 2);
    expect(lastOf(chunks).usage).toEqual({ prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 });
    expect(lastOf(chunks).choices).toHaveLength(openai ? 0 : 1);
    expect(receiptOf(lastOf(chunks))?.credits).toBeGreaterThan(0);
  });

  test('reads streamed tool calls, which carry their index [stream:chat:tool-call-index]', async () => {
    const stream = client.chat.completions.stream({
      model: boundModel,
      messages: [user(askWeather)],
      tools: [weather],
    });
    const completion = await stream.finalChatCompletion();
    const calls = completion.choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => call.type === 'function' && call.function.arguments)).toEqual([
      '{"city":"Lisbon"}',
      '{"city":"Porto"}',
    ]);
  });

  test('takes the message back with its context in a tool loop made by hand [chat:message:context-return] [chat:tools:round-trip]', async () => {
    const messages = [user(askWeather)];
    const first = await client.chat.completions.create({ model: boundModel, messages, tools: [weather] });
    const message = first.choices[0]?.message;
    if (message === undefined) throw new Error('no message');
    expect(message).toHaveProperty('context');
    messages.push(message);
    for (const call of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: call.id, content: 'Sunny, 24 degrees.' });
    const second = await client.chat.completions.create({ model: boundModel, messages, tools: [weather] });
    expect(second.choices[0]?.message.content).toContain('Result of get_weather: "Sunny, 24 degrees.".');
    expect(second.choices[0]?.message.content).toContain('context: ok.');
  });

  test('runs tools by itself, which drops the context [chat:message:context-fallback]', async () => {
    const asked: string[] = [];
    const runner = client.chat.completions.runTools({
      model: boundModel,
      messages: [user(askWeather)],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'Tells the weather of a city.',
            parameters: { type: 'object', properties: { city: { type: 'string' } } },
            parse: (text: string) => JSON.parse(text) as { city: string },
            function: ({ city }: { city: string }) => {
              asked.push(city);
              return `Rain in ${city}.`;
            },
          },
        },
      ],
    });
    const text = await runner.finalContent();
    expect(asked).toEqual(['Lisbon', 'Porto']);
    expect(text).toContain('Rain in Porto.');
    expect(text).toContain('context: ok.');
    // What the client sent back had lost it; the service found it again.
    expect(lastOf(running.wire).sent).toContain('tool_call_id');
    expect(lastOf(running.wire).sent).not.toContain('"context"');
  });

  test('sends images and files inline [chat:part:image-several] [chat:part:file-data-url] [chat:part:input-audio-shape]', async () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${mediaSamples.png}` } } as const;
    const completion = await client.chat.completions.create({
      model: boundModel,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            image,
            image,
            {
              type: 'file',
              file: { filename: 'empty.pdf', file_data: `data:application/pdf;base64,${mediaSamples.pdf}` },
            },
            { type: 'input_audio', input_audio: { data: mediaSamples.wav, format: 'wav' } },
          ],
        },
      ],
    });
    const text = completion.choices[0]?.message.content ?? '';
    expect(text.match(/Media image\/png of 70 bytes/g)).toHaveLength(2);
    expect(text).toContain('Media application/pdf');
    expect(text).toContain('Media audio/wav');
  });

  test('answers json_object and a plain JSON Schema [chat:response-format:types]', async () => {
    const object = await create('Hello', { response_format: { type: 'json_object' } });
    expect(JSON.parse(object.choices[0]?.message.content ?? '')).toHaveProperty('reply');
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const shaped = await create('Hello', {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    });
    expect(JSON.parse(shaped.choices[0]?.message.content ?? '')).toEqual({ ok: expect.any(Boolean) });
    expect(lastOf(running.calls).responseFormat).toMatchObject({ kind: 'json_schema', name: 'answer', schema });
  });

  test('replays byte for byte under the same key [idempotency:replay:equal-answer] [idempotency:replay:no-execution]', async () => {
    const before = running.calls.length;
    const [first, second] = [await post(), await post()];
    expect([first, second].map((answer) => answer.headers.get('idempotency-replayed'))).toEqual(['false', 'true']);
    expect(second.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
    expect(await second.text()).toBe(await first.text());
    expect(running.calls).toHaveLength(before + 1);
  });

  test('sends one identity for a request and its retry where the client property names the header', async () => {
    let lost = false;
    const keyed = new KeyedOpenAI({
      baseURL: running.baseUrl,
      apiKey: running.key,
      // The answer is lost on its way back once; the client tries again.
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (lost) return answer;
        lost = true;
        await answer.text();
        throw new TypeError('the connection was lost');
      },
    });
    const before = { calls: running.calls.length, wire: running.wire.length };
    const { data, response } = await keyed.chat.completions
      .create({ model: boundModel, messages: [user('[[sandbox: echo Not lost.]]')] })
      .withResponse();
    expect(data.choices[0]?.message.content).toBe('Not lost.');
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect(running.calls).toHaveLength(before.calls + 1);
    const sent = running.wire.slice(before.wire);
    expect(sent).toHaveLength(2);
    expect(sent[0]?.identity).toMatch(/^stainless-node-retry-/);
    expect(sent[1]?.identity).toBe(sent[0]?.identity);
    await keyed.chat.completions.create(
      { model: boundModel, messages: [user('Named.')] },
      { idempotencyKey: `named-${openai}` },
    );
    expect(lastOf(running.wire).identity).toBe(`named-${openai}`);
  });

  test('recovers by the id of the request what the client did not get [requests:get:record]', async () => {
    const { response } = await create('[[sandbox: echo Kept.]]', {}).withResponse();
    const id = response.headers.get('x-request-id') ?? '';
    const record = await client.get<object>(`/requests/${id}`);
    expect(record).toMatchObject({
      id,
      status: 'completed',
      response: { id: `chatcmpl-${id}`, choices: [{ message: { content: 'Kept.' } }] },
    });
    const error = await errorOf(create('[[sandbox: unknown]]'));
    expect(await client.get(`/requests/${error.requestID}`)).toMatchObject({
      status: 'uncertain',
      error_code: 'settlement_pending',
      response: null,
    });
  });

  test.each([
    ['fail', 502, 'request_failed'],
    ['unknown', 502, 'request_failed'],
    ['unknown-usage', 502, 'request_failed'],
  ])(
    'does not try again what was registered: %s is %i %s after one request [errors:compat:should-retry] [errors:compat:openai-error]',
    async (directive, status, code) => {
      const before = { calls: running.calls.length, wire: running.wire.length };
      const error = await errorOf(create(`[[sandbox: ${directive}]]`));
      expect([error.status, error.code]).toEqual([status, code]);
      expect(error.requestID).toMatch(/^[0-9a-f-]{36}$/);
      expect((error.error as { request_id: string }).request_id).toBe(error.requestID);
      expect(error.headers?.get('x-should-retry')).toBe('false');
      expect(running.wire).toHaveLength(before.wire + 1);
      expect(running.calls).toHaveLength(before.calls + 1);
    },
  );

  test.each(['unavailable', 'rate-limited'])(
    'tries again what certainly did not run, and pays for what runs in the end: %s',
    async (directive) => {
      const before = running.calls.length;
      const error = await errorOf(create(`[[sandbox: ${directive}]]`));
      expect([error.status, error.code]).toEqual([503, 'service_unavailable']);
      expect(error.headers?.get('x-should-retry')).toBe('true');
      expect(error.headers?.get('retry-after')).toBe('1');
      expect(running.calls).toHaveLength(before + 3);
      const records = await running.gateway.admin.listOperations({ kind: 'project', projectId: running.projectId });
      const failed = records.filter(({ id }) => id === error.requestID);
      expect(failed.map(({ state, chargedMicros, holdMicros }) => [state, chargedMicros, holdMicros])).toEqual([
        ['failed', 0n, 0n],
      ]);
    },
  );

  test('does not try again under an identity that has ended, although nothing ran', async () => {
    const before = running.calls.length;
    const error = await errorOf(create('[[sandbox: unavailable]]', {}, headers('ended')));
    expect([error.status, error.headers?.get('x-should-retry'), error.headers?.get('retry-after')]).toEqual([
      503,
      'false',
      null,
    ]);
    expect(running.calls).toHaveLength(before + 1);
  });

  test('does not try again a conflict, a failed attempt or an operation that is settling [errors:compat:should-retry]', async () => {
    await create('First.', {}, headers('conflict'));
    await errorOf(create('[[sandbox: fail]]', {}, headers('failed')));
    await errorOf(create('[[sandbox: unknown]]', {}, headers('uncertain')));
    const before = running.wire.length;
    const conflict = await errorOf(create('Second.', {}, headers('conflict')));
    const failed = await errorOf(create('[[sandbox: fail]]', {}, headers('failed')));
    const uncertain = await errorOf(create('[[sandbox: unknown]]', {}, headers('uncertain')));
    const errors = [conflict, failed, uncertain];
    expect(errors.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(errors.map(({ code }) => code)).toEqual([
      'ai_idempotency_conflict',
      'previous_request_failed',
      'settlement_pending',
    ]);
    expect(running.wire).toHaveLength(before + 3);
  });

  test('sends one request for a model that is not the one of the key [errors:code:mismatch-is-422]', async () => {
    const before = { calls: running.calls.length, wire: running.wire.length };
    const error = await errorOf(create('Hello', { model: 'pro-2.5' }));
    expect([error.status, error.code]).toEqual([422, 'model_key_mismatch']);
    expect(running.wire).toHaveLength(before.wire + 1);
    expect(running.calls).toHaveLength(before.calls);
  });

  test('sends one request where the account has no credits or the project is paused [errors:status:402] [auth:project:paused]', async () => {
    const { admin } = running.gateway;
    const account = await admin.createAccount({ name: 'Empty' });
    const project = await admin.createProject({ accountId: account.id, name: 'Empty' });
    const key = await admin.createKey({ projectId: project?.id ?? '', model: boundModel });
    const poor = new OpenAI({ baseURL: running.baseUrl, apiKey: key?.key ?? '' });
    const body = { model: boundModel, messages: [user('Hello')] };
    const before = running.wire.length;
    const broke = await errorOf(poor.chat.completions.create(body));
    expect([broke.status, broke.code]).toEqual([402, 'ai_insufficient_credits']);
    await admin.setProjectStatus(project?.id ?? '', 'paused');
    const paused = await errorOf(poor.chat.completions.create(body));
    expect([paused.status, paused.code]).toEqual([403, 'project_paused']);
    expect(running.wire).toHaveLength(before + 2);
  });

  test('lists and reads models [models:list:envelope] [models:get:own]', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toContain(boundModel);
    expect(await client.models.retrieve(boundModel)).toMatchObject({ id: boundModel, usable_with_key: true });
    const error = await errorOf(client.models.retrieve('no-such-model'));
    expect([error.status, error.code]).toEqual([404, undefined]);
  });

  test('works with the automatic model, and with a key that is bound to none [versioning:auto-model-clients] [auth:key:unbound-automatic]', async () => {
    const messages = [user('[[sandbox: echo Chosen for you.]]')];
    const bound = await client.chat.completions.create({ model: 'service-auto', messages });
    const unbound = new OpenAI({ baseURL: running.baseUrl, apiKey: await running.newKey(null) });
    const chosen = await unbound.chat.completions.create({ model: 'service-auto', messages });
    expect([bound, chosen].map(({ choices }) => choices[0]?.message.content)).toEqual([
      'Chosen for you.',
      'Chosen for you.',
    ]);
    expect(bound.model).toBe(boundModel);
  });
});

describe('the openai client with the compatibility option, beyond the contract', () => {
  let running: RunningGateway;
  let client: OpenAI;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { openai: true } } });
    client = new OpenAI({ baseURL: running.baseUrl, apiKey: running.key });
  });
  afterAll(async () => {
    await running.close();
  });

  test('hands sampling fields and the output limit to the provider [chat:compat:openai]', async () => {
    const completion = await client.chat.completions.create({
      model: boundModel,
      messages: [user('[[sandbox: echo These are more words than the limit lets through.]]')],
      max_tokens: 3,
      top_p: 0.25,
      stop: ['END', 'STOP'],
      seed: 42,
      temperature: 0.5,
      user: 'somebody',
      n: 1,
      store: false,
      parallel_tool_calls: false,
    });
    expect(lastOf(running.calls)).toMatchObject({
      outputTokensMax: 3,
      endUser: 'somebody',
      sampling: { temperature: 0.5, topP: 0.25, stopSequences: ['END', 'STOP'], seed: 42, parallelToolCalls: false },
    });
    expect(completion.choices[0]?.finish_reason).toBe('length');
    await client.chat.completions.create({ model: boundModel, messages: [user('Hi')], max_completion_tokens: 77 });
    expect(lastOf(running.calls).outputTokensMax).toBe(77);
  });

  test('puts usage on a unary answer [chat:compat:openai] [chat:usage:unary-option]', async () => {
    const completion = await client.chat.completions.create({
      model: boundModel,
      messages: [user('[[sandbox: tokens in=7 cached=3 out=5 thoughts=2]]')],
    });
    expect(completion.usage).toEqual({ prompt_tokens: 10, completion_tokens: 7, total_tokens: 17 });
  });

  test('parses an answer by a zod schema, whose strict flag reaches the provider [chat:compat:openai]', async () => {
    const City = z.object({ name: z.string(), email: z.email(), people: z.number().int(), tags: z.array(z.string()) });
    const parsed = await client.chat.completions.parse({
      model: boundModel,
      messages: [user('[[sandbox: json {"name":"Lisbon","email":"a@b.example","people":5,"tags":["sea"]}]]')],
      response_format: zodResponseFormat(City, 'city'),
    });
    expect(parsed.choices[0]?.message.parsed).toEqual({
      name: 'Lisbon',
      email: 'a@b.example',
      people: 5,
      tags: ['sea'],
    });
    expect(lastOf(running.calls).responseFormat).toMatchObject({ kind: 'json_schema', name: 'city', strict: true });
    const wrong = client.chat.completions.parse({
      model: boundModel,
      messages: [user('[[sandbox: json {"name":7}]]')],
      response_format: zodResponseFormat(City, 'city'),
    });
    // What is not of the structure asked for is reported as partial, which the client refuses to parse.
    await expect(wrong).rejects.toBeInstanceOf(LengthFinishReasonError);
  });

  test('parses strict tool calls and takes back what parsing adds to them [chat:compat:openai]', async () => {
    const messages = [user('[[sandbox: tool get_weather {"city":"Faro"}]]')];
    const strict: ChatCompletionTool = {
      type: 'function',
      function: {
        name: 'get_weather',
        strict: true,
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    };
    const parsed = await client.chat.completions.parse({ model: boundModel, messages, tools: [strict] });
    const message = parsed.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    if (message === undefined || call?.type !== 'function') throw new Error('no call');
    expect(call.function.parsed_arguments).toEqual({ city: 'Faro' });
    expect(lastOf(running.calls).tools[0]).toMatchObject({ strict: true });
    messages.push(message, { role: 'tool', tool_call_id: call.id, content: 'Windy.' });
    const second = await client.chat.completions.parse({ model: boundModel, messages, tools: [strict] });
    expect(second.choices[0]?.message.content).toContain('Windy.');
    expect(second.choices[0]?.message.content).toContain('context: ok.');
  });

  test('takes image detail, speaker names and empty assistant content [chat:compat:openai] [chat:message:assistant-empty-forms]', async () => {
    const first = await client.chat.completions.create({
      model: boundModel,
      messages: [user(askWeather)],
      tools: [weather],
    });
    const calls = first.choices[0]?.message.tool_calls ?? [];
    const url = `data:image/png;base64,${mediaSamples.png}`;
    await client.chat.completions.create({
      model: boundModel,
      tools: [weather],
      messages: [
        { role: 'system', content: 'Be kind.', name: 'house' },
        { role: 'user', content: [{ type: 'image_url', image_url: { url, detail: 'low' } }], name: 'ana' },
        { role: 'assistant', content: '', tool_calls: calls },
        ...calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: 'Dry.' }) as const),
      ],
    });
    expect(lastOf(running.calls).contents[0]?.parts[0]).toMatchObject({ mimeType: 'image/png', detail: 'low' });
  });

  test('runs tools over the stream [chat:compat:openai-sdk] [stream:chat:tool-call-index]', async () => {
    const asked: string[] = [];
    const runner = client.chat.completions.runTools({
      model: boundModel,
      stream: true,
      messages: [user(askWeather)],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'Tells the weather of a city.',
            parameters: { type: 'object', properties: { city: { type: 'string' } } },
            parse: (text: string) => JSON.parse(text) as { city: string },
            function: ({ city }: { city: string }) => {
              asked.push(city);
              return `Fog in ${city}.`;
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain('Fog in Lisbon.');
    expect(asked).toEqual(['Lisbon', 'Porto']);
  });

  test.each([{ n: 2 }, { store: true }, { logprobs: true }, { modalities: ['audio'] }, { service_tier: 'flex' }])(
    'refuses what it cannot honour rather than drop it: %j [chat:compat:openai]',
    async (rest) => {
      const error = await errorOf(
        client.chat.completions.create({
          model: boundModel,
          messages: [user('Hi')],
          ...(rest as object),
          stream: false,
        }),
      );
      expect(error.status).toBe(422);
      expect(error.message).toContain(Object.keys(rest)[0]);
    },
  );
});

describe('the openai client without the compatibility option', () => {
  let running: RunningGateway;
  let client: OpenAI;
  beforeAll(async () => {
    running = await startGateway();
    client = new OpenAI({ baseURL: running.baseUrl, apiKey: running.key });
  });
  afterAll(async () => {
    expect(running.calls).toEqual([]);
    await running.close();
  });

  test.each([
    { max_tokens: 10 },
    { max_completion_tokens: 10 },
    { top_p: 0.5 },
    { stop: 'END' },
    { seed: 1 },
    { user: 'somebody' },
    { n: 1 },
    { store: false },
    { parallel_tool_calls: true },
    { metadata: {} },
  ])('is refused %j by name, with one request [chat:compat:openai] [chat:request:unsupported-field]', async (rest) => {
    const before = running.wire.length;
    const error = await errorOf(
      client.chat.completions.create({ model: boundModel, messages: [user('Hi')], ...(rest as object), stream: false }),
    );
    expect([error.status, error.code]).toEqual([422, 'unsupported_parameter']);
    expect(error.message).toContain(Object.keys(rest)[0]);
    expect(running.wire).toHaveLength(before + 1);
  });

  test('is refused strict flags, image detail and speaker names [chat:compat:openai]', async () => {
    const url = `data:image/png;base64,${mediaSamples.png}`;
    const bodies: readonly Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>[] = [
      { response_format: zodResponseFormat(z.object({ a: z.string() }), 'a') },
      { tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: {} } }] },
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url, detail: 'low' } }] }] },
      { messages: [{ role: 'user', content: 'Hi', name: 'ana' }] },
    ];
    for (const body of bodies) {
      const sent = { model: boundModel, messages: [user('Hi')], ...body };
      const error = await errorOf(client.chat.completions.create(sent));
      expect([error.status, error.code]).toEqual([422, 'unsupported_parameter']);
    }
  });

  test('gets JSON errors before delivery although it asked for a stream [chat:response:json-error-before-delivery]', async () => {
    const error = await errorOf(client.chat.completions.create({ model: boundModel, messages: [], stream: true }));
    expect([error.status, error.code]).toEqual([422, 'invalid_messages']);
    expect(error.requestID).toMatch(/^[0-9a-f-]{36}$/);
    expect(error.error).not.toHaveProperty('request_id');
  });
});
