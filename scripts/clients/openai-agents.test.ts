import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import OpenAI from 'openai';
import { expect } from 'vitest';
import { z } from 'zod';
import { describeClient, works, type Feature } from '../../test/clients/client-table.ts';
import { boundModel, lastOf, type RunningGateway } from '../../test/clients/running-gateway.ts';

const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';
const weather = tool({
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `Rain in ${city}.`,
});
const named = { name: 'Guide', instructions: 'Be brief.', model: boundModel };

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
  ];
};

describeClient({ name: '@openai/agents', manifest: new URL('package.json', import.meta.url), features });
