import OpenAI4 from 'openai-4';
import OpenAI5 from 'openai-5';
import OpenAI6 from 'openai-6';
import { expect } from 'vitest';
import { describeClient, works, type Feature } from '../../test/clients/client-table.ts';
import { boundModel, type RunningGateway } from '../../test/clients/running-gateway.ts';

const manifest = new URL('package.json', import.meta.url);

const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const weather = {
  type: 'function' as const,
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};

interface Options {
  readonly baseURL: string;
  readonly apiKey: string;
}

/** What is tried is the same for each; their types differ where nothing of it is seen. */
type Client = Pick<OpenAI6, 'chat' | 'embeddings'>;

const featuresOf =
  (create: (options: Options) => Client) =>
  (world: () => RunningGateway): readonly Feature[] => {
    const client = (apiKey = world().key) => create({ baseURL: world().baseUrl, apiKey });
    return [
      works('chat', async () => {
        const answer = await client().chat.completions.create({
          model: boundModel,
          messages: [{ role: 'user', content: '[[sandbox: echo Hello.]]' }],
        });
        expect(answer.choices[0]?.message.content).toBe('Hello.');
      }),
      works('chat as a stream', async () => {
        const stream = await client().chat.completions.create({
          model: boundModel,
          messages: [{ role: 'user', content: '[[sandbox: echo Piece.]]' }],
          stream: true,
        });
        const texts: string[] = [];
        for await (const { choices } of stream) texts.push(choices[0]?.delta.content ?? '');
        expect(texts.join('')).toBe('Piece.');
      }),
      works('streamed tool calls', async () => {
        const stream = client().chat.completions.stream({
          model: boundModel,
          messages: [{ role: 'user', content: askWeather }],
          tools: [weather],
        });
        const { choices } = await stream.finalChatCompletion();
        expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { arguments: '{"city":"Faro"}' } }]);
      }),
      works('embeddings', async () => {
        const embedder = client(await world().newKey('embedding-2'));
        const input = ['a', 'b'];
        const encoded = await embedder.embeddings.create({ model: 'embedding-2', input });
        const floats = await embedder.embeddings.create({ model: 'embedding-2', input, encoding_format: 'float' });
        expect(encoded.data[0]?.embedding).toHaveLength(floats.data[0]?.embedding.length ?? 0);
        expect(encoded.data[1]?.embedding[0]).toBeCloseTo(floats.data[1]?.embedding[0] ?? Number.NaN, 5);
      }),
    ];
  };

describeClient({
  name: 'openai@4',
  dependency: 'openai-4',
  manifest,
  // Its streaming helper stands beside the chat, under `beta`.
  features: featuresOf((options) => {
    const client = new OpenAI4(options);
    const { completions } = client.chat;
    const chat = {
      completions: Object.assign(Object.create(completions), {
        stream: client.beta.chat.completions.stream.bind(client.beta.chat.completions),
      }),
    };
    return { chat, embeddings: client.embeddings } as unknown as Client;
  }),
});
describeClient({
  name: 'openai@5',
  dependency: 'openai-5',
  manifest,
  features: featuresOf((options) => new OpenAI5(options) as unknown as Client),
});
describeClient({
  name: 'openai@6',
  dependency: 'openai-6',
  manifest,
  features: featuresOf((options) => new OpenAI6(options)),
});
