import {
  Agent,
  codeInterpreterTool,
  hostedMcpTool,
  imageGenerationTool,
  OpenAIProvider,
  Runner,
  tool,
  webSearchTool,
} from '@openai/agents';
import OpenAI from 'openai';
import { expect } from 'vitest';
import { z } from 'zod';
import { describeClient, refuses, works, type Feature } from '../../test/clients/client-table.ts';
import { boundModel, lastOf, type RunningGateway } from '../../test/clients/running-gateway.ts';

const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const weather = tool({
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `Rain in ${city}.`,
});
const named = { name: 'Guide', instructions: 'Be brief.', model: boundModel };

/** The hosted tools that were called, as the client reads their items. */
const hostedIn = (items: readonly { readonly rawItem?: unknown }[]): readonly string[] =>
  items.flatMap(({ rawItem }) => {
    const { type, name } = rawItem as { readonly type?: string; readonly name?: string };
    return type === 'hosted_tool_call' ? [name ?? ''] : [];
  });

const features = (world: () => RunningGateway): readonly Feature[] => {
  const runner = (useResponses = false) =>
    new Runner({
      tracingDisabled: true,
      modelProvider: new OpenAIProvider({
        openAIClient: new OpenAI({ baseURL: world().baseUrl, apiKey: world().key, maxRetries: 0 }),
        useResponses,
      }),
    });
  return [
    works('a run', async () => {
      const { finalOutput } = await runner().run(new Agent(named), '[[sandbox: echo Hello.]]');
      expect(finalOutput).toBe('Hello.');
    }),
    works('a run as a stream', async () => {
      const result = await runner().run(new Agent(named), '[[sandbox: echo Piece.]]', { stream: true });
      const texts: string[] = [];
      for await (const text of result.toTextStream()) texts.push(text);
      await result.completed;
      expect(texts.join('')).toBe('Piece.');
    }),
    works('a run with tools, of several turns', async () => {
      const agent = new Agent({ ...named, tools: [weather] });
      const first = await runner().run(agent, askWeather);
      expect(first.finalOutput).toContain('Rain in Faro.');
      const second = await runner().run(agent, [...first.history, { role: 'user', content: 'And then?' }]);
      expect(second.finalOutput).toContain('reply to');
    }),
    works('an output of a schema', async () => {
      const agent = new Agent({ ...named, outputType: z.object({ name: z.string(), people: z.number() }) });
      const { finalOutput } = await runner().run(agent, '[[sandbox: json {"name":"Faro","people":5}]]');
      expect(finalOutput).toEqual({ name: 'Faro', people: 5 });
      expect(lastOf(world().calls).responseFormat).toMatchObject({ kind: 'json_schema', strict: true });
    }),
    works('handing over to another agent', async () => {
      const other = new Agent({ ...named, name: 'Forecaster', tools: [weather] });
      const agent = Agent.create({ ...named, handoffs: [other] });
      const { lastAgent } = await runner().run(agent, '[[sandbox: tool transfer_to_Forecaster {}]]');
      expect(lastAgent?.name).toBe('Forecaster');
    }),
    works('a run over Responses, which it calls by default', async () => {
      const { finalOutput } = await runner(true).run(new Agent(named), '[[sandbox: echo Hello.]]');
      expect(finalOutput).toBe('Hello.');
    }),
    works('a run over Responses as a stream, with tools, of several turns', async () => {
      const agent = new Agent({ ...named, tools: [weather] });
      const first = await runner(true).run(agent, askWeather, { stream: true });
      await first.completed;
      expect(first.finalOutput).toContain('Rain in Faro.');
      const second = await runner(true).run(agent, [...first.history, { role: 'user', content: 'And then?' }]);
      expect(second.finalOutput).toContain('reply to');
    }),
    works('a conversation over Responses that the gateway stores', async () => {
      const agent = new Agent({ ...named, tools: [weather] });
      const first = await runner(true).run(agent, askWeather);
      const previousResponseId = first.lastResponseId ?? '';
      const second = await runner(true).run(agent, 'And then?', { previousResponseId });
      expect(second.finalOutput).toContain('reply to');
      expect(lastOf(world().calls).contents.length).toBeGreaterThan(3);
    }),
    works('a hosted search of the web, which the provider makes', async () => {
      const agent = new Agent({ ...named, tools: [webSearchTool()] });
      const { rawResponses, finalOutput } = await runner(true).run(agent, 'What is new in Faro?');
      expect(finalOutput).not.toBe('');
      expect(lastOf(world().calls).tools).toEqual([{ kind: 'web_search' }]);
      expect(JSON.stringify(rawResponses)).toContain('"url_citation"');
    }),
    works('a hosted search over the stream, beside a tool of its own', async () => {
      const agent = new Agent({ ...named, tools: [webSearchTool(), weather] });
      const run = await runner(true).run(agent, askWeather, { stream: true });
      await run.completed;
      expect(run.finalOutput).toContain('Rain in Faro.');
    }),
    works('a hosted interpreter of code', async () => {
      const agent = new Agent({ ...named, tools: [codeInterpreterTool()] });
      const { newItems, history } = await runner(true).run(agent, '[[sandbox: code print(2)]]');
      expect(hostedIn(newItems)).toContain('code_interpreter_call');
      const again = await runner(true).run(agent, [...history, { role: 'user', content: 'And then?' }]);
      expect(again.finalOutput).not.toBe('');
    }),
    works('a run with a hosted tool that is left out', async () => {
      const agent = new Agent({ ...named, tools: [imageGenerationTool()] });
      expect((await runner(true).run(agent, '[[sandbox: echo Hello.]]')).finalOutput).toBe('Hello.');
    }),
    refuses('a hosted server whose calls are to be approved', 'require_approval', async () => {
      const server = hostedMcpTool({ serverLabel: 'a', serverUrl: 'https://mcp.example', requireApproval: 'always' });
      return runner(true).run(new Agent({ ...named, tools: [server] }), 'Hi');
    }),
  ];
};

describeClient({ name: '@openai/agents', manifest: new URL('package.json', import.meta.url), features });
