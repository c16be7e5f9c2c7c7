import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import OpenAI, {
  APIUserAbortError,
  AzureOpenAI,
  AuthenticationError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
  toFile,
} from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { describeClient, refuses, works, type Feature } from './client-table.ts';
import { mediaSamples } from './media-samples.ts';
import { batchFeatures } from './openai-batches.ts';
import { videoFeatures } from './openai-videos.ts';
import { vectorStoreFeatures } from './openai-vector-stores.ts';
import { boundModel, lastOf, type RunningGateway } from './running-gateway.ts';

const embeddingModel = 'embedding-2';
const limitedBy = { keyId: '' };

/** Serves one image, as a site of the public internet would. */
const site = createServer((_, response) => response.end(Buffer.from(mediaSamples.png, 'base64')));
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => site.close());

const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });
const part = (text: string) => [{ type: 'text' as const, text }];
const dataUrl = `data:image/png;base64,${mediaSamples.png}`;
const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const weather: ChatCompletionTool = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};
const runnable = (asked: string[]) => ({
  type: 'function' as const,
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
});
const City = z.object({ name: z.string(), people: z.number() });
const askCity = '[[sandbox: json {"name":"Faro","people":5}]]';

const clientOf = (running: RunningGateway, options: object = {}): OpenAI =>
  new OpenAI({ baseURL: running.baseUrl, apiKey: running.key, ...options });

const chatFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = () => clientOf(world());
  const create = async (content: string, rest: object = {}) =>
    client().chat.completions.create({ model: boundModel, messages: [user(content)], ...rest, stream: false });
  const textOf = async (content: string, rest: object = {}) =>
    (await create(content, rest)).choices[0]?.message.content ?? '';
  return [
    works('chat', async () => {
      const answer = await create('[[sandbox: echo Good morning.]]');
      expect([answer.object, answer.choices[0]?.message.content]).toEqual(['chat.completion', 'Good morning.']);
      expect(answer.usage?.total_tokens).toBeGreaterThan(0);
    }),
    works('chat as a stream, with usage', async () => {
      const stream = await client().chat.completions.create({
        model: boundModel,
        messages: [user('[[sandbox: echo Piece.]] [[sandbox: tokens in=40 out=2]]')],
        stream: true,
        stream_options: { include_usage: true },
      });
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Piece.');
      expect(lastOf(chunks).usage).toEqual({ prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 });
    }),
    works('the streaming helper', async () => {
      const stream = client().chat.completions.stream({
        model: boundModel,
        messages: [user(askWeather)],
        tools: [weather],
      });
      const { choices } = await stream.finalChatCompletion();
      expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'get_weather' } }]);
    }),
    works('tool calls, sent back by hand', async () => {
      const messages = [user(askWeather)];
      const first = await client().chat.completions.create({ model: boundModel, messages, tools: [weather] });
      const message = first.choices[0]?.message;
      if (message?.tool_calls?.[0] === undefined) throw new Error('no call');
      expect(first.choices[0]?.finish_reason).toBe('tool_calls');
      messages.push(message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Windy.' });
      const second = await client().chat.completions.create({ model: boundModel, messages, tools: [weather] });
      expect(second.choices[0]?.message.content).toContain('Windy.');
      expect(second.choices[0]?.finish_reason).toBe('stop');
    }),
    works('runTools', async () => {
      const asked: string[] = [];
      const messages = [user(askWeather)];
      const runner = client().chat.completions.runTools({ model: boundModel, messages, tools: [runnable(asked)] });
      expect(await runner.finalContent()).toContain('Rain in Faro.');
      expect(asked).toEqual(['Faro']);
    }),
    works('runTools over the stream', async () => {
      const asked: string[] = [];
      const runner = client().chat.completions.runTools({
        model: boundModel,
        stream: true,
        messages: [user(askWeather)],
        tools: [runnable(asked)],
      });
      expect(await runner.finalContent()).toContain('Rain in Faro.');
      expect(asked).toEqual(['Faro']);
    }),
    works('parse, of a zod schema', async () => {
      const parsed = await client().chat.completions.parse({
        model: boundModel,
        messages: [user(askCity)],
        response_format: zodResponseFormat(City, 'city'),
      });
      expect(parsed.choices[0]?.message.parsed).toEqual({ name: 'Faro', people: 5 });
    }),
    works('parse, of strict tools', async () => {
      const tools = [zodFunction({ name: 'get_weather', parameters: z.object({ city: z.string() }) })];
      const parsed = await client().chat.completions.parse({ model: boundModel, messages: [user(askWeather)], tools });
      const call = parsed.choices[0]?.message.tool_calls?.[0];
      expect(call?.type === 'function' && call.function.parsed_arguments).toEqual({ city: 'Faro' });
    }),
    works('json_object', async () => {
      expect(JSON.parse(await textOf(askCity, { response_format: { type: 'json_object' } }))).toMatchObject({
        people: 5,
      });
    }),
    works('max_tokens and max_completion_tokens', async () => {
      for (const name of ['max_tokens', 'max_completion_tokens']) {
        await create('[[sandbox: echo One two three four five.]]', { [name]: 3 });
        expect(lastOf(world().calls).outputTokensMax).toBe(3);
      }
    }),
    works('settings of the sampling and of the reasoning', async () => {
      const rest = { top_p: 0.5, stop: ['END'], seed: 7, frequency_penalty: 1, presence_penalty: -1 };
      await create('Hi', { ...rest, temperature: 0, reasoning_effort: 'low', n: 1, user: 'ana' });
      expect(lastOf(world().calls)).toMatchObject({
        sampling: { temperature: 0, topP: 0.5, stopSequences: ['END'], seed: 7, frequencyPenalty: 1 },
        endUser: 'ana',
      });
    }),
    works('hints that change no answer', async () => {
      const hints = { prompt_cache_key: 'a', safety_identifier: 'b', verbosity: 'low', service_tier: 'auto' };
      expect(await textOf('[[sandbox: echo ok]]', { ...hints, store: false, metadata: {}, logprobs: false })).toBe(
        'ok',
      );
    }),
    works('a search of the web, and what the message cites', async () => {
      const { choices } = await create('Who won?', { web_search_options: {} });
      const [citation] = choices[0]?.message.annotations ?? [];
      expect(citation?.url_citation).toMatchObject({ url: 'https://example.com/who-won', start_index: 0 });
    }),
    works('an image as a data URL', async () => {
      const content = [
        { type: 'text' as const, text: 'What is it?' },
        { type: 'image_url' as const, image_url: { url: dataUrl, detail: 'low' as const } },
      ];
      const answer = await create('', { messages: [{ role: 'user', content }] });
      expect(answer.choices[0]?.message.content).toContain('Media image/png of 70 bytes');
    }),
    works('an image by address', async () => {
      const content = [{ type: 'image_url' as const, image_url: { url: 'http://pictures.site.org/dot.png' } }];
      const answer = await create('', { messages: [{ role: 'user', content }, user('And?')] });
      expect(answer.choices[0]?.message.content).toContain('reply to 2 turns');
      const parts = lastOf(world().calls).contents.flatMap((each) => each.parts);
      expect(parts.map(({ kind }) => kind)).toContain('blob');
    }),
    works('a document and sound', async () => {
      const content = [
        { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${mediaSamples.pdf}` } },
        { type: 'input_audio', input_audio: { data: mediaSamples.wav, format: 'wav' } },
      ];
      const text = await textOf('', { messages: [{ role: 'user', content }] });
      expect(text).toMatch(/Media application\/pdf.*Media audio\/wav/s);
    }),
    works('the role developer, and lists of text parts in every role', async () => {
      await create('', {
        messages: [
          { role: 'developer', content: part('Be brief.') },
          { role: 'user', content: part('Hi') },
          { role: 'assistant', content: part('Hello.') },
          { role: 'user', content: part('And?') },
        ],
      });
      expect(lastOf(world().calls)).toMatchObject({ systemInstruction: 'Be brief.', contents: { length: 3 } });
    }),
    refuses('two answers', 'n', async () => create('Hi', { n: 2 })),
    refuses('logprobs', 'logprobs', async () => create('Hi', { logprobs: true })),
    refuses('sound in the answer', 'modalities', async () => create('Hi', { modalities: ['text', 'audio'] })),
    refuses('keeping the answer', 'store', async () => create('Hi', { store: true })),
  ];
};

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it was answered',
    (cause: unknown) => cause,
  );

const callFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const body = { model: boundModel, messages: [user('[[sandbox: echo Once.]]')] };
  return [
    works('its classes of errors', async () => {
      const { admin } = world().gateway;
      const empty = await admin.createAccount({ name: 'Empty' });
      const project = await admin.createProject({ accountId: empty.id, name: 'Empty' });
      const key = await admin.createKey({ projectId: project?.id ?? '', model: null });
      const client = clientOf(world(), { maxRetries: 0 });
      const stranger = clientOf(world(), { apiKey: 'wrong' });
      expect(await failureOf(stranger.models.list())).toBeInstanceOf(AuthenticationError);
      expect(await failureOf(client.models.retrieve('none'))).toBeInstanceOf(NotFoundError);
      expect(await failureOf(client.chat.completions.create({ ...body, messages: [] }))).toBeInstanceOf(
        UnprocessableEntityError,
      );
      const poor = clientOf(world(), { apiKey: key?.key });
      expect(await failureOf(poor.chat.completions.create({ ...body, model: 'service-auto' }))).toMatchObject({
        status: 402,
        code: 'ai_insufficient_credits',
        requestID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      await admin.setProjectStatus(project?.id ?? '', 'paused');
      expect(await failureOf(poor.chat.completions.create({ ...body, model: 'service-auto' }))).toBeInstanceOf(
        PermissionDeniedError,
      );
      const broken = { ...body, messages: [user('[[sandbox: fail]]')] };
      expect(await failureOf(client.chat.completions.create(broken))).toBeInstanceOf(InternalServerError);
      limitedBy.keyId = 'every';
      expect(await failureOf(client.models.list())).toBeInstanceOf(RateLimitError);
      limitedBy.keyId = '';
    }),
    works('retries of what did not run, once each', async () => {
      const before = world().calls.length;
      const messages = [user('[[sandbox: unavailable]]')];
      const failure = await failureOf(
        clientOf(world(), { maxRetries: 1 }).chat.completions.create({ ...body, messages }),
      );
      expect(failure).toMatchObject({ status: 503, code: 'service_unavailable' });
      expect(world().calls).toHaveLength(before + 2);
    }),
    works('no retry of what may have run', async () => {
      const before = world().calls.length;
      const messages = [user('[[sandbox: unknown]]')];
      expect(await failureOf(clientOf(world()).chat.completions.create({ ...body, messages }))).toMatchObject({
        status: 502,
        code: 'request_failed',
      });
      expect(world().calls).toHaveLength(before + 1);
    }),
    works('Idempotency-Key as a header', async () => {
      const headers = { 'Idempotency-Key': 'openai-table' };
      const client = clientOf(world());
      const before = world().calls.length;
      const first = await client.chat.completions.create(body, { headers }).withResponse();
      const second = await client.chat.completions.create(body, { headers }).withResponse();
      expect(second.data).toEqual(first.data);
      expect(second.request_id).toBe(first.request_id);
      expect(second.response.headers.get('idempotency-replayed')).toBe('true');
      expect(world().calls).toHaveLength(before + 1);
    }),
    works('abort', async () => {
      const controller = new AbortController();
      const slow = { ...body, messages: [user('[[sandbox: slow 100]]')] };
      const { calls, gateway, projectId } = world();
      const before = calls.length;
      const asked = failureOf(clientOf(world()).chat.completions.create(slow, { signal: controller.signal }));
      while (calls.length === before) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      expect(await asked).toBeInstanceOf(APIUserAbortError);
      // What ran is settled all the same; the audit at the end finds it in the ledger.
      const states = async () =>
        (await gateway.admin.listOperations({ kind: 'project', projectId })).map(({ state }) => state);
      while ((await states()).includes('processing')) await new Promise((resolve) => setImmediate(resolve));
      expect(calls).toHaveLength(before + 1);
    }),
  ];
};

const otherFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = () => clientOf(world(), { maxRetries: 0 });
  const embedder = async () => clientOf(world(), { apiKey: await world().newKey(embeddingModel) });
  const embed = async (rest: object) => {
    const { data } = await (await embedder()).embeddings.create({ model: embeddingModel, input: ['a', 'b'], ...rest });
    return data.map(({ embedding }) => embedding);
  };
  return [
    works('embeddings in base64, which it asks for by itself, and as floats', async () => {
      const [encoded, floats] = [await embed({}), await embed({ encoding_format: 'float' })];
      expect(encoded.map(({ length }) => length)).toEqual(floats.map(({ length }) => length));
      for (const [at, vector] of encoded.entries()) expect(vector[0]).toBeCloseTo(floats[at]?.[0] ?? Number.NaN, 5);
    }),
    works('embeddings of a length', async () => {
      expect((await embed({ dimensions: 256 })).map(({ length }) => length)).toEqual([256, 256]);
    }),
    works('the list of models, and one of them', async () => {
      const ids: string[] = [];
      for await (const { id } of client().models.list()) ids.push(id);
      expect(ids).toContain(boundModel);
      expect(await client().models.retrieve(boundModel)).toMatchObject({ id: boundModel, object: 'model' });
    }),
    works('files: create, retrieve, list, content, delete', async () => {
      const bytes = Buffer.from('Notes.');
      const file = await client().files.create({ file: await toFile(bytes, 'notes.txt'), purpose: 'user_data' });
      expect(await client().files.retrieve(file.id)).toMatchObject({ id: file.id, bytes: bytes.length });
      const ids: string[] = [];
      for await (const { id } of client().files.list()) ids.push(id);
      expect(ids).toContain(file.id);
      const batch = await client().files.create({ file: await toFile(bytes, 'lines.jsonl'), purpose: 'batch' });
      const ofBatches: string[] = [];
      for await (const { id, purpose } of client().files.list({ purpose: 'batch', limit: 1 })) {
        expect(purpose).toBe('batch');
        ofBatches.push(id);
      }
      expect(ofBatches[0]).toBe(batch.id);
      expect(await (await client().files.content(file.id)).text()).toBe('Notes.');
      expect(await client().files.delete(file.id)).toMatchObject({ deleted: true });
    }),
    works('files.waitForProcessing, and a chat about the file', async () => {
      const file = await client().files.create({
        file: await toFile(Buffer.from('Notes.'), 'a.txt'),
        purpose: 'user_data',
      });
      expect(await client().files.waitForProcessing(file.id, { pollInterval: 5 })).toMatchObject({
        status: 'processed',
      });
      const content = [{ type: 'file' as const, file: { file_id: file.id } }];
      const messages: ChatCompletionMessageParam[] = [{ role: 'user', content }];
      const answer = await client().chat.completions.create({ model: boundModel, messages });
      expect(answer.choices[0]?.message.content).not.toBe('');
    }),
    ...batchFeatures(world),
    ...vectorStoreFeatures(world),
    ...videoFeatures(world),
    works('the paths and the header of Azure', async () => {
      const { baseUrl, key } = world();
      const azure = new AzureOpenAI({ endpoint: baseUrl, apiKey: key, apiVersion: '2026-01-01', maxRetries: 0 });
      const said = await azure.chat.completions.create({
        model: boundModel,
        messages: [user('[[sandbox: echo Hello.]]')],
      });
      expect(said.choices[0]?.message.content).toBe('Hello.');
    }),
    works('completions of the older wire, whole and streamed', async () => {
      const { completions } = client();
      const prompt = '[[sandbox: echo Piece.]]';
      const whole = await completions.create({ model: boundModel, prompt });
      expect(whole.choices[0]?.text).toBe('Piece.');
      const texts: string[] = [];
      for await (const chunk of await completions.create({ model: boundModel, prompt, stream: true }))
        texts.push(chunk.choices[0]?.text ?? '');
      expect(texts.join('')).toBe('Piece.');
    }),
  ];
};

describeClient({
  name: 'openai',
  setup: {
    options: {
      remoteImages: {
        resolve: () => Promise.resolve(['93.184.216.34']),
        connect: () => connect((site.address() as AddressInfo).port, '127.0.0.1'),
      },
      limiter: () =>
        Promise.resolve(limitedBy.keyId === '' ? { kind: 'ok' } : { kind: 'limited', retryAfterMs: 1_000 }),
    },
  },
  features: (world) => [...chatFeatures(world), ...callFeatures(world), ...otherFeatures(world)],
});
