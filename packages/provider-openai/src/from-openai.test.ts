import { contextBytesMax, UnknownOutcome, type Generation } from '@tollgate/provider';
import { fakeCompletion } from '@tollgate/testing/fakes';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromOpenai } from './from-openai.ts';
import { toOpenai } from './to-openai.ts';

const counted = (): (() => string) => {
  let count = 0;
  return () => `made_${(count += 1)}`;
};

const read = (choice: object, rest: object = {}): Generation =>
  fromOpenai(fakeCompletion(choice, rest), { newCallId: counted() });

const message = (content: unknown, rest: object = {}): object => ({
  message: { role: 'assistant', content, ...rest },
});

const called = (tool: unknown): object => ({ ...message(null, { tool_calls: [tool] }), finish_reason: 'tool_calls' });

test('reads a plain answer', () => {
  expect(read({})).toEqual({
    text: 'Hello from upstream.',
    functionCalls: [],
    finish: 'stop',
    usage: [
      { unit: 'input_text_tokens', quantity: 100, confirmed: true },
      { unit: 'output_text_tokens', quantity: 20, confirmed: true },
    ],
  });
});

test.each([
  ['text', 'text'],
  [null, ''],
  [undefined, ''],
  [
    [
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: 'hidden' },
      { type: 'text', text: 'b' },
    ],
    'ab',
  ],
  [[{ text: 'untyped' }, 7, null], 'untyped'],
])('reads the content %j', (content, text) => {
  expect(read(message(content)).text).toBe(text);
});

test('leaves reasoning out of the text', () => {
  expect(read(message('answer', { reasoning_content: 'r', reasoning: 'r' }))).toMatchObject({
    text: 'answer',
    functionCalls: [],
  });
});

test.each([
  ['stop', 'stop'],
  ['tool_calls', 'stop'],
  ['function_call', 'stop'],
  ['eos', 'stop'],
  ['length', 'length'],
  ['MAX_TOKENS', 'length'],
  ['content_filter', 'content_filter'],
])('reads the finish reason %s as %s', (wire, finish) => {
  const generation = read({ finish_reason: wire });
  expect(generation.finish).toBe(finish);
  expect(generation.usage.every(({ confirmed }) => confirmed)).toBe(true);
});

test.each([null, undefined, '', 'abort', 'error'])('confirms nothing of an answer that ended with %j', (wire) => {
  const generation = read({ finish_reason: wire });
  expect(generation.usage).toEqual([
    { unit: 'input_text_tokens', quantity: 100, confirmed: false },
    { unit: 'output_text_tokens', quantity: 20, confirmed: false },
  ]);
});

test.each([
  message(null, { refusal: 'I cannot help.' }),
  message([{ type: 'refusal', refusal: 'I cannot help.' }]),
  { ...message('partial'), finish_reason: 'content_filter' },
])('returns no text for a refusal', (choice) => {
  expect(read(choice)).toMatchObject({ text: '', functionCalls: [], finish: 'content_filter' });
});

test.each([
  ['{"a":1}', '{"a":1}'],
  [{ a: 1 }, '{"a":1}'],
  ['', '{}'],
  [null, '{}'],
  ['not json', 'not json'],
])('reads the arguments %j', (wire, text) => {
  expect(read(called({ id: 'x', type: 'function', function: { name: 'f', arguments: wire } })).functionCalls).toEqual([
    { kind: 'function_call', id: 'x', name: 'f', arguments: text },
  ]);
});

test('gives an id to each call that has none of its own', () => {
  const fn = { name: 'f', arguments: '{}' };
  const tool_calls = [{ function: fn }, { id: '', function: fn }, { id: 'x', function: fn }, { id: 'x', function: fn }];
  const { functionCalls } = read(message(null, { tool_calls }));
  expect(functionCalls.map(({ id }) => id)).toEqual(['made_1', 'made_2', 'x', 'made_3']);
});

test('reads a call in the old form', () => {
  const choice = {
    ...message(null, { function_call: { name: 'f', arguments: '{}' } }),
    finish_reason: 'function_call',
  };
  expect(read(choice).functionCalls).toMatchObject([{ id: 'made_1', name: 'f' }]);
});

test('carries the state of an assistant message to the next call and back', () => {
  const sent = {
    role: 'assistant',
    content: null,
    reasoning_content: 'why',
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz' }],
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' }, extra_content: { s: 'sig' } },
      { id: 'b', type: 'function', function: { name: 'f', arguments: '{"x":2}' } },
    ],
  };
  const { functionCalls } = read({ message: sent, finish_reason: 'tool_calls' });
  expect(functionCalls.map(({ context }) => context === undefined)).toEqual([false, true]);
  const body = toOpenai(
    {
      operationId: 'o',
      upstreamModel: 'm',
      systemInstruction: null,
      contents: [{ role: 'model', parts: functionCalls }],
      tools: [],
      toolChoice: { kind: 'auto' },
      responseFormat: { kind: 'text' },
      sampling: { temperature: 1 },
      outputTokensMax: 1,
    },
    {
      tokenLimitField: 'max_tokens',
      temperature: 'sent',
      topK: 'refused',
      reasoning: 'sent',
      webSearch: 'refused',
      serviceTier: 'sent',
    },
  );
  expect(body['messages']).toEqual([sent]);
});

test('keeps signatures and drops reasoning where both are too large for a context', () => {
  const long = 'x'.repeat(contextBytesMax);
  const tool = { id: 'a', function: { name: 'f', arguments: '{}' }, extra_content: { s: 'sig' } };
  const [kept] = read(message(null, { reasoning: long, tool_calls: [tool] })).functionCalls;
  expect(kept?.context).toBe('{"extra_content":{"a":{"s":"sig"}}}');
  const [dropped] = read(message(null, { tool_calls: [{ ...tool, extra_content: { long } }] })).functionCalls;
  expect(dropped?.context).toBeUndefined();
});

const estimateUsage = (): Generation['usage'] => [{ unit: 'output_text_tokens', quantity: 9, confirmed: true }];

test('asks the host for usage only where a whole answer has none', () => {
  const readWith = (choice: object, rest: object): Generation =>
    fromOpenai(fakeCompletion(choice, rest), { newCallId: counted(), estimateUsage });
  expect(readWith({}, { usage: null }).usage).toEqual(estimateUsage());
  expect(readWith({ finish_reason: null }, { usage: null }).usage).toEqual([]);
  expect(readWith({}, { usage: { prompt_tokens: 0, completion_tokens: 0 } }).usage).toMatchObject([
    { quantity: 0 },
    { quantity: 0 },
  ]);
});

test.each([undefined, null, 7, 'text', [], {}, { choices: [] }, { choices: [{}] }, { choices: [{ message: 'x' }] }])(
  'finds no answer in %j',
  (body) => {
    expect(() => fromOpenai(body, { newCallId: counted() })).toThrow('outcome unknown: unreadable_answer');
  },
);

test('takes a call without a name as unreadable rather than leave it out', () => {
  expect(() => read(called({ id: 'a', function: { arguments: '{}' } }))).toThrow('unreadable_answer');
});

const anything = fc.jsonValue({ maxDepth: 4 });
const wireCall = fc.record(
  {
    id: anything,
    function: fc.oneof(fc.record({ name: fc.string({ minLength: 1 }), arguments: anything }), anything),
    extra_content: anything,
  },
  { requiredKeys: [] },
);
const wireBody = fc.record(
  {
    choices: fc.oneof(
      fc.array(
        fc.record(
          {
            message: fc.record(
              {
                content: anything,
                tool_calls: fc.oneof(fc.array(wireCall, { maxLength: 4 }), anything),
                function_call: anything,
                refusal: anything,
                reasoning: anything,
                reasoning_details: anything,
              },
              { requiredKeys: [] },
            ),
            finish_reason: fc.oneof(fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls'), anything),
          },
          { requiredKeys: ['message'] },
        ),
        { maxLength: 2 },
      ),
      anything,
    ),
    usage: anything,
  },
  { requiredKeys: [] },
);

/** The answer, or undefined where the outcome is unknown; nothing else may be thrown. */
const readAny = (body: unknown): Generation | undefined => {
  try {
    return fromOpenai(body, { newCallId: counted() });
  } catch (error) {
    if (error instanceof UnknownOutcome) return undefined;
    throw error;
  }
};

const inForm = ({ text, functionCalls, finish, usage }: Generation): boolean =>
  typeof text === 'string' &&
  ['stop', 'length', 'content_filter'].includes(finish) &&
  new Set(functionCalls.map(({ id }) => id)).size === functionCalls.length &&
  functionCalls.every((call) => typeof call.arguments === 'string') &&
  usage.every(({ quantity }) => Number.isSafeInteger(quantity) && quantity >= 0);

test('reads any JSON as an answer in its form, or as an unknown outcome', () => {
  let answers = 0;
  fc.assert(
    fc.property(fc.oneof(anything, wireBody), (body) => {
      const generation = readAny(body);
      if (generation === undefined) return true;
      answers += 1;
      return inForm(generation);
    }),
    { numRuns: 2_000 },
  );
  expect(answers).toBeGreaterThan(0);
});

test.each([
  ['default', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['of another year', undefined],
  [7, undefined],
  [undefined, undefined],
])('reads the service tier %s that was served', (told, tier) => {
  expect(read({}, { service_tier: told }).servedTier).toBe(tier);
});
