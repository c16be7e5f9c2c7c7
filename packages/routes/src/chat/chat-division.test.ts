import { expect, test } from 'vitest';
import { createChatDivision, divideMessage, type ChatPiece } from './chat-division.ts';

const message: ChatPiece = {
  content: 'Hello you',
  reasoning: 'hm',
  calls: [{ id: 'c1', name: 'f', arguments: '{"a":1}' }],
  citations: [{ url: 'u' }],
};

const divide = (chunks: unknown, whole: ChatPiece = message) => divideMessage(JSON.stringify({ chunks }), whole);

test('divides a message as it was sent', () => {
  const pieces: readonly ChatPiece[] = [
    { content: '', reasoning: 'hm', calls: [], citations: [] },
    { content: 'Hello', reasoning: '', calls: [], citations: [] },
    { content: ' you', reasoning: '', calls: message.calls, citations: message.citations },
  ];
  const recorder = createChatDivision(1_000);
  for (const piece of pieces) recorder.add(piece);
  expect(divideMessage(recorder.encode() ?? '', message)).toEqual({ pieces, rest: '' });
});

test('leaves over the content that no chunk has', () => {
  expect(divide([[5, 2, 1, 1]])?.rest).toBe(' you');
});

test.each([
  ['more content than there is', [[10, 2, 1, 1]]],
  ['less reasoning', [[9, 1, 1, 1]]],
  ['fewer calls', [[9, 2, 0, 1]]],
  ['fewer citations', [[9, 2, 1]]],
  ['a size that is none', [[9, 2, 1, -1]]],
  ['a size of too many numbers', [[9, 2, 1, 1, 0, 0]]],
  ['a size of too few', [[9, 2]]],
  ['a text instead of a size', ['9']],
  ['a text among the numbers of a size', [['9', 2, 1, 1]]],
  [
    'arguments that are longer than they are',
    [
      [9, 2, 0, 1],
      [0, 0, 1, 0, 9],
    ],
  ],
])('finds no division with %s', (_what, chunks) => {
  expect(divide(chunks)).toBeNull();
});

test('divides the arguments of a call as they were sent', () => {
  const divided = divide([
    [9, 2, 0, 1],
    [0, 0, 1, 0, 3],
    [0, 0, 0, 0, 4],
  ]);
  expect(divided?.pieces.map(({ callText }) => callText)).toEqual([
    undefined,
    { begins: { id: 'c1', name: 'f' }, text: '{"a' },
    { begins: null, text: '":1}' },
  ]);
});
