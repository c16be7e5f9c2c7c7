import { defaultCatalog, parseChatRequest, type CatalogModel, type ChatRequest } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { checkCapabilities } from '../check-capabilities.ts';
import { toGenerationCall } from './to-generation-call.ts';

const rowOf = (change: Partial<CatalogModel>): CatalogModel => {
  const row = defaultCatalog.find(({ id }) => id === 'flash-3.8');
  if (row === undefined) throw new Error('the row is missing');
  return { ...row, ...change };
};

const callOf = (fields: object, openaiCompat: boolean, row = rowOf({})) => {
  const messages = [{ role: 'user', content: 'Hello' }];
  const chat = parseChatRequest({ messages, ...fields }, { openaiCompat, extraFields: [] });
  const images = { partOf: () => ({ kind: 'text', text: '' }) as const };
  const call = toGenerationCall(chat, row, { contexts: new Map(), files: new Map(), images, openaiCompat });
  checkCapabilities(row, call, { runsTool: () => true });
  return call;
};

const refusing = rowOf({ settingsRefused: ['temperature'] });

test('adds a temperature of 0.7 in the strict mode, to a model that takes one [chat:temperature:default]', () => {
  expect(callOf({}, false).sampling).toEqual({ temperature: 0.7 });
  expect(callOf({}, false, refusing).sampling).toEqual({});
});

test('adds nothing in the compatible mode that the client did not send', () => {
  expect(callOf({}, true)).toEqual({ ...callOf({ temperature: 1 }, true), sampling: {} });
  expect(callOf({ temperature: 0 }, true).sampling).toEqual({ temperature: 0 });
});

test('refuses a temperature that a client sends to a model that takes none', () => {
  for (const openaiCompat of [true, false])
    expect(() => callOf({ temperature: 0.7 }, openaiCompat, refusing)).toThrow(
      expect.objectContaining({ code: 'model_incompatible' }),
    );
});

test('hands on penalties that are any, and refuses those that the model does not take', () => {
  const fields = { frequency_penalty: 0.5, presence_penalty: -1 };
  expect(callOf(fields, true).sampling).toEqual({ frequencyPenalty: 0.5, presencePenalty: -1 });
  expect(callOf({ frequency_penalty: 0, presence_penalty: 0 }, true).sampling).toEqual({});
  const row = rowOf({ settingsRefused: ['frequencyPenalty'] });
  expect(() => callOf(fields, true, row)).toThrow(expect.objectContaining({ code: 'model_incompatible' }));
});

test.each([
  ['none', { budgetTokens: 0 }],
  ['minimal', { level: 'minimal' }],
  ['high', { level: 'high' }],
])('hands on the reasoning effort %s', (reasoning_effort, thinking) => {
  expect(callOf({ reasoning_effort }, true).thinking).toEqual(thinking);
  expect(callOf({}, true).thinking).toBeUndefined();
});

const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];

/** Of each field a value that changes the call, or what else reads it. A new field does not compile before it has its row. */
const fates = {
  messages: { messages: [{ role: 'user', content: 'Bye' }] },
  temperature: { temperature: 0.1 },
  top_p: { top_p: 0.5 },
  seed: { seed: 7 },
  stop: { stop: 'x' },
  frequency_penalty: { frequency_penalty: 1 },
  presence_penalty: { presence_penalty: 1 },
  reasoning_effort: { reasoning_effort: 'low' },
  parallel_tool_calls: { tools, parallel_tool_calls: false },
  tools: { tools },
  tool_choice: { tools, tool_choice: 'none' },
  response_format: { response_format: { type: 'json_object' } },
  max_tokens: { max_tokens: 5 },
  max_completion_tokens: { max_completion_tokens: 5 },
  user: { user: 'ada' },
  service_tier: { service_tier: 'priority' },
  web_search_options: { web_search_options: {} },
  model: 'the key and the route choose the model',
  stream: 'the response has the form of a stream',
  stream_options: 'the response has the form of a stream',
  legacyFunctions: 'the response has the form of functions',
} as const satisfies Readonly<Record<keyof ChatRequest, object | string>>;

test.each(Object.entries(fates))('%s reaches the call, or has a reader of its own', (_, fate) => {
  if (typeof fate === 'string') return;
  const besides = 'tools' in fate && Object.keys(fate).length > 1 ? { tools: fate.tools } : {};
  expect(callOf(fate, true)).not.toEqual(callOf(besides, true));
});
