import { fakeChunk, fakeChunks, fakeCompletion } from '@tollgate/testing/fakes';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStreamedCompletion } from './streamed-completion.ts';
import { fromOpenai } from './from-openai.ts';

const wholeOf = (...chunks: readonly unknown[]): unknown => {
  const completion = createStreamedCompletion();
  for (const chunk of chunks) completion.add(chunk);
  return completion.whole();
};

const callsOf = (...deltas: readonly object[]): unknown => {
  const body = wholeOf(
    ...deltas.map((call) => fakeChunk({ tool_calls: [call] })),
    fakeChunk({}, { finish_reason: 'tool_calls' }),
  );
  return fromOpenai(body, { newCallId: () => 'made' }).functionCalls.map(({ id, name, arguments: args }) => [
    id,
    name,
    args,
  ]);
};

const fn = (name: string | undefined, args: unknown): object => ({ function: { name, arguments: args } });

test('hands over the words of each chunk', () => {
  const completion = createStreamedCompletion();
  expect(completion.add(fakeChunk({ content: 'Hel' }))).toMatchObject({ text: 'Hel', thought: '' });
  expect(completion.add(fakeChunk({ reasoning_content: 'hm', reasoning: 'hm' }))).toMatchObject({
    text: '',
    thought: 'hm',
  });
  expect(completion.add(fakeChunk({ content: [{ type: 'text', text: 'lo' }] }))).toMatchObject({
    text: 'lo',
    thought: '',
  });
});

const piecesOf = (...deltas: readonly object[]): readonly string[] => {
  const completion = createStreamedCompletion();
  return deltas.flatMap((call) =>
    completion
      .add(fakeChunk({ tool_calls: [call] }))
      .calls.map(({ id, name, arguments: text }) => `${id} ${name} ${text}`),
  );
};

test('hands over the arguments of a call as they come, also of calls that alternate', () => {
  expect(
    piecesOf(
      { index: 0, id: 'a', ...fn('f', '') },
      { index: 0, ...fn(undefined, '{"x"') },
      { index: 1, id: 'b', ...fn('g', '{') },
      { index: 0, ...fn(undefined, ':1}') },
      { index: 1, ...fn(undefined, '}') },
    ),
  ).toEqual(['a f ', 'a f {"x"', 'b g {', 'a f :1}', 'b g }']);
});

test('hands nothing over of a call before its id and name are there, and of a second call of an id', () => {
  expect(
    piecesOf(
      { index: 0, ...fn('f', '{"x"') },
      { index: 0, id: 'a', ...fn(undefined, ':1}') },
      { index: 1, id: 'a', ...fn('f', '{}') },
      { index: 2, ...fn('h', '{}') },
    ),
  ).toEqual(['a f {"x":1}']);
});

test('holds white space back, which becomes an empty object where nothing else comes', () => {
  const blank = [
    { index: 0, id: 'a', ...fn('f', ' ') },
    { index: 0, ...fn(undefined, '\n') },
  ];
  expect(piecesOf(...blank)).toEqual(['a f ']);
  expect(callsOf(...blank)).toEqual([['a', 'f', '{}']]);
  expect(piecesOf(...blank, { index: 0, ...fn(undefined, '{}') })).toEqual(['a f ', 'a f  \n{}']);
});

const usageOf = (...chunks: readonly object[]): readonly unknown[] =>
  fromOpenai(wholeOf(...chunks), { newCallId: () => 'made' }).usage;

test('takes a usage that more of the answer came after for none', () => {
  const usage = { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 };
  const measured = fakeChunk({ content: 'a' }, {}, { usage });
  const end = fakeChunk({}, { finish_reason: 'stop' });
  expect(usageOf(measured, end)).not.toEqual([]);
  expect(usageOf(measured, fakeChunk({ content: 'b' }), end)).toEqual([]);
  expect(usageOf(measured, fakeChunk({ tool_calls: [{ index: 0, ...fn('f', '{}') }] }), end)).toEqual([]);
  expect(usageOf(measured, fakeChunk({ content: 'b' }), end, { choices: [], usage })).not.toEqual([]);
});

test('puts the deltas of a call together by their index', () => {
  expect(
    callsOf(
      { index: 0, id: 'a', ...fn('f', '') },
      { index: 1, id: 'b', ...fn('g', '{') },
      { index: 0, ...fn(undefined, '{"x":') },
      { index: 0, ...fn(undefined, '1}') },
      { index: 1, ...fn('', '}') },
    ),
  ).toEqual([
    ['a', 'f', '{"x":1}'],
    ['b', 'g', '{}'],
  ]);
});

test.each([
  [
    'give all calls one index',
    [
      { index: 0, id: 'a', ...fn('f', '{}') },
      { index: 0, id: 'b', ...fn('g', '{}') },
    ],
  ],
  ['give no index', [{ id: 'a', ...fn('f', '{') }, fn(undefined, '}'), { id: 'b', ...fn('g', {}) }]],
  [
    'repeat the head of a call',
    [
      { index: 0, id: 'a', ...fn('f', '{') },
      { index: 0, id: 'a', ...fn('f', '}') },
      { index: 1, id: 'b', ...fn('g', '{}') },
    ],
  ],
])('tells calls apart of servers that %s', (_, deltas) => {
  expect(callsOf(...deltas)).toEqual([
    ['a', 'f', '{}'],
    ['b', 'g', '{}'],
  ]);
});

test('tells whole calls apart that have neither index nor id', () => {
  expect(callsOf(fn('f', '{}'), fn('g', {}))).toMatchObject([
    ['made', 'f', '{}'],
    ['made', 'g', '{}'],
  ]);
});

test('keeps the last usage and the last reason', () => {
  const body = wholeOf(
    fakeChunk({ content: 'a' }, {}, { usage: { prompt_tokens: 1, completion_tokens: 1 } }),
    fakeChunk({}, { finish_reason: 'length' }, { usage: null }),
    fakeChunk({}, {}, { choices: [], usage: { prompt_tokens: 1, completion_tokens: 9 } }),
  );
  expect(body).toMatchObject({
    choices: [{ message: { content: 'a' }, finish_reason: 'length' }],
    usage: { completion_tokens: 9 },
  });
});

test('is nothing without a choice', () => {
  expect(wholeOf({}, null, 'text', { choices: [] })).toBeUndefined();
});

const text = fc.string({ unit: 'binary' });

test('comes to the completion that it was cut from', () => {
  const message = fc.record({
    role: fc.constant('assistant'),
    content: fc.option(text),
    reasoning_content: text,
    tool_calls: fc.array(
      fc.record({
        id: fc.uuid(),
        function: fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), arguments: fc.json() }),
        extra_content: fc.constantFrom({ google: { thought_signature: 'c2ln' } }, undefined),
      }),
      { maxLength: 4 },
    ),
  });
  const finish_reason = fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter');
  fc.assert(
    fc.property(message, finish_reason, fc.boolean(), (made, reason, includeThoughts) => {
      const completion = fakeCompletion({ message: made, finish_reason: reason });
      const options = { newCallId: () => 'made', includeThoughts };
      expect(fromOpenai(wholeOf(...fakeChunks(completion)), options)).toEqual(fromOpenai(completion, options));
    }),
  );
});
