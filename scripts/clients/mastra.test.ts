import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { expect } from 'vitest';
import { z } from 'zod';
import { describeClient, works, type Feature } from '../../test/clients/client-table.ts';
import { boundModel, type RunningGateway } from '../../test/clients/running-gateway.ts';

const weather = createTool({
  id: 'get_weather',
  description: 'Tells the weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => Promise.resolve({ said: `Rain in ${city}.` }),
});
const askWeather = '[[sandbox: tool get_weather {"city":"Faro"}]]';

const features = (world: () => RunningGateway): readonly Feature[] => {
  const agent = () =>
    new Agent({
      id: 'guide',
      name: 'Guide',
      instructions: 'Be brief.',
      model: { id: `tollgate/${boundModel}`, url: world().baseUrl, apiKey: world().key },
      tools: { get_weather: weather },
    });
  return [
    works('generate', async () => {
      expect((await agent().generate('[[sandbox: echo Hello.]]')).text).toBe('Hello.');
    }),
    works('stream', async () => {
      const { textStream } = await agent().stream('[[sandbox: echo Piece.]]');
      const texts: string[] = [];
      for await (const text of textStream) texts.push(text);
      expect(texts.join('')).toBe('Piece.');
    }),
    works('several steps with tools', async () => {
      expect((await agent().generate(askWeather)).text).toContain('Rain in Faro.');
    }),
    works('several steps with tools over the stream', async () => {
      expect(await (await agent().stream(askWeather)).text).toContain('Rain in Faro.');
    }),
    works('an object of a schema', async () => {
      const schema = z.object({ name: z.string(), people: z.number() });
      const asked = agent().generate('[[sandbox: json {"name":"Faro","people":5}]]', { structuredOutput: { schema } });
      expect((await asked).object).toEqual({ name: 'Faro', people: 5 });
    }),
  ];
};

describeClient({ name: '@mastra/core', manifest: new URL('package.json', import.meta.url), features });
