import { Ollama, type ChatResponse, type Message } from 'ollama';
import { expect } from 'vitest';
import { ask } from '../../docs/snippets/ollama-client.ts';
import { describeClient, refuses, works, type Feature } from './client-table.ts';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, type RunningGateway } from './running-gateway.ts';

const embeddingModel = 'embedding-2';
const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather.',
    parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
};

const user = (content: string): Message => ({ role: 'user', content });

const features = (world: () => RunningGateway): readonly Feature[] => {
  const clientAt = (host: string) => new Ollama({ host, headers: { authorization: `Bearer ${world().key}` } });
  const client = () => clientAt(world().origin);
  const chat = (content: string, rest: object = {}): Promise<ChatResponse> =>
    client().chat({ model: boundModel, messages: [user(content)], ...rest, stream: false });
  return [
    works('chat, at the root and below the base path', async () => {
      for (const host of [world().origin, world().baseUrl]) {
        const messages = [user('[[sandbox: echo Good day.]] [[sandbox: tokens in=40 out=2]]')];
        const answer = await clientAt(host).chat({ model: `${boundModel}:latest`, messages });
        expect(answer).toMatchObject({
          model: boundModel,
          message: { role: 'assistant', content: 'Good day.' },
          done: true,
          done_reason: 'stop',
          prompt_eval_count: 40,
          eval_count: 2,
        });
      }
    }),
    works('chat as a stream', async () => {
      const messages = [user('[[sandbox: echo One two three.]]')];
      const texts: string[] = [];
      const ends: (string | undefined)[] = [];
      for await (const part of await client().chat({ model: boundModel, messages, stream: true })) {
        texts.push(part.message.content);
        if (part.done) ends.push(part.done_reason);
      }
      expect(texts.length).toBeGreaterThan(2);
      expect([texts.join(''), ends]).toEqual(['One two three.', ['stop']]);
    }),
    works('the code of its page', async () => {
      expect(await ask(world().origin, world().key, '[[sandbox: echo Good day.]]')).toBe('Good day.');
    }),
    works('tools, with the results sent back', async () => {
      const messages = [user('[[sandbox: tool get_weather {"city":"Faro"}]]')];
      const first = await client().chat({ model: boundModel, messages, tools: [weather] });
      expect(first.message.tool_calls?.[0]?.function).toMatchObject({
        name: 'get_weather',
        arguments: { city: 'Faro' },
      });
      messages.push(first.message, { role: 'tool', content: 'Windy.', tool_name: 'get_weather' });
      const second = await client().chat({ model: boundModel, messages, tools: [weather] });
      expect(second.message.content).toContain('Windy.');
    }),
    works('tools in a stream', async () => {
      const messages = [user('[[sandbox: tool get_weather {"city":"Faro"}]]')];
      const calls = [];
      for await (const { message } of await client().chat({
        model: boundModel,
        messages,
        tools: [weather],
        stream: true,
      }))
        calls.push(...(message.tool_calls ?? []));
      expect(calls.map((call) => call.function.arguments)).toEqual([{ city: 'Faro' }]);
    }),
    works('images', async () => {
      const images = [Buffer.from(mediaSamples.png, 'base64')];
      const { message } = await client().chat({
        model: boundModel,
        messages: [{ role: 'user', content: 'What is it?', images }],
      });
      expect(message.content).toContain('Media image/png of 70 bytes');
    }),
    works('a schema of the answer, and any JSON', async () => {
      const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
      const told = '[[sandbox: json {"name":"Faro"}]]';
      for (const format of [schema, 'json']) {
        expect(JSON.parse((await chat(told, { format })).message.content)).toEqual({ name: 'Faro' });
        expect(lastOf(world().calls).responseFormat.kind).toBe(format === 'json' ? 'json_object' : 'json_schema');
      }
    }),
    works('thoughts', async () => {
      const answer = await chat('[[sandbox: echo Done.]]', { think: 'low' });
      expect([answer.message.content, typeof answer.message.thinking]).toEqual(['Done.', 'string']);
    }),
    works('options, and those of a machine without effect', async () => {
      const options = { temperature: 0, top_p: 0.5, top_k: 3, seed: 7, stop: ['END'], num_predict: 30, num_ctx: 4_096 };
      await chat('Hi', { options, keep_alive: '5m' });
      expect(lastOf(world().calls)).toMatchObject({
        outputTokensMax: 30,
        sampling: { temperature: 0, topP: 0.5, topK: 3, seed: 7, stopSequences: ['END'] },
      });
    }),
    works('generate, whole and as a stream', async () => {
      const asked = { model: boundModel, prompt: '[[sandbox: echo One two.]]', system: 'Be brief.' };
      expect((await client().generate(asked)).response).toBe('One two.');
      expect(lastOf(world().calls).systemInstruction).toBe('Be brief.');
      const texts: string[] = [];
      for await (const { response = '' } of await client().generate({ ...asked, stream: true })) texts.push(response);
      expect(texts.join('')).toBe('One two.');
    }),
    works('embed, and its older form', async () => {
      const headers = { authorization: `Bearer ${await world().newKey(embeddingModel)}` };
      const embedder = new Ollama({ host: world().origin, headers });
      const { embeddings } = await embedder.embed({ model: embeddingModel, input: ['a', 'b'], dimensions: 256 });
      expect(embeddings.map(({ length }) => length)).toEqual([256, 256]);
      const { embedding } = await embedder.embeddings({ model: embeddingModel, prompt: 'a' });
      expect(embedding.length).toBeGreaterThan(256);
    }),
    works('the models, one of them, and the version', async () => {
      const { models } = await client().list();
      expect(models.map(({ name }) => name)).toContain(boundModel);
      const shown = await client().show({ model: boundModel });
      expect(shown.capabilities).toEqual(expect.arrayContaining(['completion', 'tools', 'vision']));
      expect((await client().ps()).models).toEqual([]);
      expect((await client().version()).version).toMatch(/^\d+\.\d+\.\d+$/);
    }),
    works('errors, with the message of the gateway', async () => {
      const stranger = new Ollama({ host: world().origin, headers: { authorization: 'Bearer wrong' } });
      await expect(stranger.list()).rejects.toMatchObject({
        status_code: 401,
        error: expect.stringContaining('API key'),
      });
      const messages = [user('[[sandbox: echo One two three.]] [[sandbox: cut 1]]')];
      const stream = await client().chat({ model: boundModel, messages, stream: true });
      const read = async () => {
        for await (const part of stream) expect(part.done).toBe(false);
      };
      await expect(read()).rejects.toThrow(/query the request/);
    }),
    refuses('a penalty that the models do not know', 'options.repeat_penalty', async () =>
      chat('Hi', { options: { repeat_penalty: 1.1 } }),
    ),
    refuses('log probabilities', 'logprobs', async () => chat('Hi', { logprobs: true })),
    refuses('a template', 'template', async () =>
      client().generate({ model: boundModel, prompt: 'Hi', template: '{{ .Prompt }}' }),
    ),
    refuses('getting a model', 'models', async () => client().pull({ model: 'other' })),
  ];
};

describeClient({ name: 'ollama', setup: { options: { compatibility: { ollama: true } } }, features });
