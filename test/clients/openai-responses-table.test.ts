import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import type {
  FunctionTool,
  ResponseFunctionToolCall,
  ResponseInput,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import { expect } from 'vitest';
import { z } from 'zod';
import { describeClient, refuses, works, type Feature } from './client-table.ts';
import { mediaSamples } from './media-samples.ts';
import { sandboxProvider } from '../../packages/provider-sandbox/src/index.ts';
import { webSearch } from '../../packages/tools/src/index.ts';
import { boundModel, lastOf, type GatewaySetup, type RunningGateway } from './running-gateway.ts';

const model = boundModel;
const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const askSearch = '[[sandbox: tool search_web {"queries":["rivers"]}]]';
const page = { title: 'Rivers', url: 'https://rivers.example/', snippet: 'The Tagus.' };
const server = {
  type: 'mcp',
  server_label: 'a',
  server_url: 'https://mcp.example',
  require_approval: 'never',
} as const;
const echo = '[[sandbox: echo Piece.]] [[sandbox: tokens in=30 out=12]]';
const City = z.object({ name: z.string(), people: z.number() });
const weather: FunctionTool = {
  type: 'function',
  name: 'get_weather',
  strict: false,
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const tools = [weather];

const callIn = (output: readonly ResponseOutputItem[]): ResponseFunctionToolCall => {
  const call = output.find((item) => item.type === 'function_call');
  if (call === undefined) throw new Error('no call');
  return call;
};
const resultOf = (call: ResponseFunctionToolCall) =>
  ({ type: 'function_call_output', call_id: call.call_id, output: 'Rain in Faro.' }) as const;

const image = { model: 'flash-3.1-image', tools: [{ type: 'image_generation' as const, size: '1536x1024' }] };
const imageIn = (output: readonly ResponseOutputItem[]): string =>
  output.find((item) => item.type === 'image_generation_call')?.result ?? '';

const features = (world: () => RunningGateway): readonly Feature[] => {
  const responses = () => new OpenAI({ apiKey: world().key, baseURL: world().baseUrl, maxRetries: 0 }).responses;
  const drawing = async () => {
    const apiKey = await world().newKey(image.model);
    return new OpenAI({ apiKey, baseURL: world().baseUrl, maxRetries: 0 }).responses;
  };
  return [
    works('a response, with usage', async () => {
      const response = await responses().create({ model, input: echo, instructions: 'Be brief.' });
      expect([response.output_text, response.status]).toEqual(['Piece.', 'completed']);
      expect(response.usage).toMatchObject({ input_tokens: 30, output_tokens: 12, total_tokens: 42 });
    }),
    works('a stream, event by event', async () => {
      const types: string[] = [];
      for await (const { type } of await responses().create({ model, input: echo, stream: true })) types.push(type);
      expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed']);
    }),
    works('a stream, gathered', async () => {
      const response = await responses().stream({ model, input: echo }).finalResponse();
      expect(response.output_text).toBe('Piece.');
    }),
    works('tools, with the items and the results sent back', async () => {
      const first = await responses().create({ model, tools, input: askWeather });
      const items = [{ role: 'user', content: askWeather }, ...first.output, resultOf(callIn(first.output))];
      // The types of items differ in members that no item here has.
      const input = items as ResponseInput;
      expect((await responses().create({ model, tools, input })).output_text).toContain('Rain in Faro.');
    }),
    works('tools over the stream', async () => {
      const { output } = await responses().stream({ model, tools, input: askWeather }).finalResponse();
      expect(JSON.parse(callIn(output).arguments)).toEqual({ city: 'Faro' });
    }),
    works('the input of a custom tool, while the model writes it', async () => {
      const patch = '[[sandbox: tool patch {"input":"*** Begin Patch, and a line that is somewhat longer."}]]';
      const custom = [{ type: 'custom' as const, name: 'patch' }];
      const deltas: string[] = [];
      let whole = '';
      for await (const event of await responses().create({ model, input: patch, tools: custom, stream: true })) {
        if (event.type === 'response.custom_tool_call_input.delta') deltas.push(event.delta);
        if (event.type === 'response.custom_tool_call_input.done') whole = event.input;
      }
      expect(deltas.length).toBeGreaterThan(1);
      expect([deltas.join(''), whole]).toEqual([whole, '*** Begin Patch, and a line that is somewhat longer.']);
    }),
    works('a stored conversation', async () => {
      const first = await responses().create({ model, tools, input: askWeather });
      const input = [resultOf(callIn(first.output))];
      const second = await responses().create({ model, tools, input, previous_response_id: first.id });
      expect(second.output_text).toContain('Rain in Faro.');
    }),
    works('reasoning, with a summary', async () => {
      const { output } = await responses().create({
        model,
        input: 'Why?',
        reasoning: { effort: 'low', summary: 'auto' },
      });
      expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    }),
    works('an output of a schema', async () => {
      const { output_parsed: city } = await responses().parse({
        model,
        input: '[[sandbox: json {"name":"Faro","people":5}]]',
        text: { format: zodTextFormat(City, 'city') },
      });
      expect(city).toEqual({ name: 'Faro', people: 5 });
      expect(lastOf(world().calls).responseFormat).toMatchObject({ kind: 'json_schema', strict: true });
    }),
    works('image and document', async () => {
      const content = [
        {
          type: 'input_image' as const,
          image_url: `data:image/png;base64,${mediaSamples.png}`,
          detail: 'low' as const,
        },
        {
          type: 'input_file' as const,
          file_data: `data:application/pdf;base64,${mediaSamples.pdf}`,
          filename: 'a.pdf',
        },
      ];
      const { output_text: text } = await responses().create({ model, input: [{ role: 'user', content }] });
      expect(text).toMatch(/Media image\/png.*Media application\/pdf/s);
    }),
    works('a stored response, its input, and its deletion', async () => {
      const { id } = await responses().create({ model, input: echo });
      expect((await responses().retrieve(id)).output_text).toBe('Piece.');
      expect((await responses().inputItems.list(id)).data).toHaveLength(1);
      await responses().delete(id);
      await expect(responses().retrieve(id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    }),
    works('a count of tokens', async () => {
      expect((await responses().inputTokens.count({ model, input: 'Hi' })).input_tokens).toBeGreaterThan(0);
    }),
    works('an error in the middle of a stream', async () => {
      const input = '[[sandbox: echo One two three.]] [[sandbox: cut 2]]';
      const response = await responses().stream({ model, input }).finalResponse();
      expect([response.status, response.error?.message]).toEqual(['failed', expect.stringContaining('outcome')]);
    }),
    works('a response in the background, polled', async () => {
      let response = await responses().create({ model, input: echo, background: true });
      expect(response.status).toBe('queued');
      while (response.status === 'queued' || response.status === 'in_progress')
        response = await responses().retrieve(response.id);
      expect([response.status, response.output_text]).toEqual(['completed', 'Piece.']);
    }),
    works('a response in the background, cancelled', async () => {
      const { id } = await responses().create({ model, input: echo, background: true });
      const { status } = await responses().cancel(id);
      expect(['queued', 'in_progress', 'cancelled', 'completed']).toContain(status);
    }),
    works('a stream in the background, resumed behind an event', async () => {
      const live = await responses().create({ model, input: echo, background: true, stream: true });
      const numbers: number[] = [];
      let id = '';
      for await (const event of live) {
        numbers.push(event.sequence_number);
        if (event.type === 'response.created') ({ id } = event.response);
      }
      const rest: number[] = [];
      for await (const event of await responses().retrieve(id, { stream: true, starting_after: 2 }))
        rest.push(event.sequence_number);
      expect(rest).toEqual(numbers.filter((number) => number > 2));
    }),
    works('a search of the web between model rounds, with citations', async () => {
      const response = await responses().create({ model, input: askSearch, tools: [{ type: 'web_search' }] });
      expect(response.output.map(({ type }) => type)).toEqual(['web_search_call', 'message']);
      const [, message] = response.output;
      const [content] = message?.type === 'message' ? message.content : [];
      expect(content).toMatchObject({ annotations: [{ type: 'url_citation', url: page.url }] });
    }),
    works('the tools of the gateway over the stream', async () => {
      const stream = responses().stream({ model, input: askSearch, tools: [{ type: 'web_search' }] });
      const { output, output_text: text } = await stream.finalResponse();
      expect([output.length, text === '']).toEqual([2, false]);
    }),
    works('a call of the client beside the tools of the gateway', async () => {
      const both = [...tools, { type: 'web_search' as const }];
      const first = await responses().create({ model, input: askWeather, tools: both });
      const input = [resultOf(callIn(first.output))];
      const second = await responses().create({ model, input, tools: both, previous_response_id: first.id });
      expect(second.output_text).toContain('Rain in Faro.');
    }),
    works('an image among the items', async () => {
      const { output } = await (await drawing()).create({ ...image, input: 'A ferry.' });
      expect(output.map(({ type }) => type)).toEqual(['message', 'image_generation_call']);
      expect(Buffer.from(imageIn(output), 'base64').toString('latin1', 1, 4)).toBe('PNG');
      expect(lastOf(world().calls)).toMatchObject({ modalities: ['text', 'image'], image: { aspectRatio: '3:2' } });
    }),
    works('an image over the stream', async () => {
      const types: string[] = [];
      let last = '';
      for await (const event of await (await drawing()).create({ ...image, input: 'A ferry.', stream: true })) {
        if (event.type.includes('image_generation_call')) types.push(event.type.replace(/^.*\./, ''));
        if (event.type === 'response.completed') last = imageIn(event.response.output);
      }
      expect([types, last === '']).toEqual([['in_progress', 'generating', 'completed'], false]);
    }),
    works('an image of an earlier response, changed', async () => {
      const images = await drawing();
      const first = await images.create({ ...image, input: 'A ferry.' });
      const second = await images.create({ ...image, input: 'Larger.', previous_response_id: first.id });
      expect(imageIn(second.output)).not.toBe('');
      expect(
        lastOf(world().calls)
          .contents.at(-2)
          ?.parts.map(({ kind }) => kind),
      ).toEqual(['text', 'media']);
    }),
    refuses('an image that the choice forces on a model that makes none', 'tool_choice', async () =>
      responses().create({ ...image, model, input: 'Hi', tool_choice: { type: 'image_generation' } }),
    ),
    refuses('a server whose calls are to be approved', 'require_approval', async () =>
      responses().create({ model, input: 'Hi', tools: [{ ...server, require_approval: 'always' }] }),
    ),
    refuses('a server where nothing calls servers', 'mcp_server', async () =>
      responses().create({ model, input: 'Hi', tools: [server] }),
    ),
  ];
};

const setup = {
  options: {
    compatibility: { openai: true },
    // A provider that searches itself would leave nothing to the gateway.
    provider: { ...sandboxProvider(), runsTool: (tool) => tool !== 'web_search' },
    tools: {
      web_search: webSearch({ search: () => Promise.resolve({ kind: 'found', pages: [page] }) }),
    },
  },
} satisfies GatewaySetup;

describeClient({ name: 'openai Responses', dependency: 'openai', setup, features });
