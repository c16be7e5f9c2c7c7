import assert from 'node:assert/strict';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { generationModel, type StartedGateway } from './start-gateway.ts';

/** It repeats by itself without an identity, and each time is a new operation: so it must not. */
const modelOf = ({ baseUrl, key }: StartedGateway): ChatGoogleGenerativeAI =>
  new ChatGoogleGenerativeAI({ model: generationModel, apiKey: key, baseUrl, maxRetries: 0 });

export const langchainChat = async (gateway: StartedGateway): Promise<void> => {
  const model = modelOf(gateway);
  const answer = await model.invoke([
    ['system', 'Be brief.'],
    ['human', '[[sandbox: echo Hello]]'],
  ]);
  assert.equal(answer.text, 'Hello');
  let streamed = '';
  for await (const piece of await model.stream('[[sandbox: echo Hello in a stream]]')) streamed += piece.text;
  assert.equal(streamed, 'Hello in a stream');
};

const getWeather = {
  name: 'get_weather',
  description: 'The weather in a city.',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;

export const langchainTools = async (gateway: StartedGateway): Promise<void> => {
  const model = modelOf(gateway).bindTools([getWeather]);
  const question = '[[sandbox: tool get_weather {"city":"Lisbon"}]]';
  const first = await model.invoke(question);
  const call = first.tool_calls?.[0];
  assert.ok(call?.name === 'get_weather' && call.id !== undefined);
  assert.deepEqual(call.args, { city: 'Lisbon' });
  const result = { role: 'tool', tool_call_id: call.id, name: call.name, content: '{"celsius":21}' };
  const second = await model.invoke([['human', question], first, result]);
  assert.match(second.text, /Result of get_weather/);
};
