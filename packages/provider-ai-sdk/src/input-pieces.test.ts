import { expect, test } from 'vitest';
import { createInputReader } from './input-pieces.ts';

type Piece = Parameters<ReturnType<typeof createInputReader>>[0];

const read = (...pieces: readonly Piece[]): readonly string[] => {
  const reader = createInputReader();
  return pieces.flatMap((piece) => {
    const given = reader(piece);
    return given === undefined ? [] : [`${given.id} ${given.name} ${given.arguments}`];
  });
};

const start = (id: string, rest: object = {}): Piece => ({ type: 'tool-input-start', id, toolName: 'look', ...rest });
const delta = (id: string, text: string): Piece => ({ type: 'tool-input-delta', id, delta: text });
const end = (id: string): Piece => ({ type: 'tool-input-end', id });

test('reads the input of a call as it comes', () => {
  expect(read(start('a'), delta('a', '{'), start('b'), delta('b', '{}'), delta('a', '}'), end('a'), end('b'))).toEqual([
    'a look ',
    'a look {',
    'b look ',
    'b look {}',
    'a look }',
  ]);
});

test('passes over tools that the upstream runs, input that is no JSON, and what has no beginning', () => {
  expect(
    read(
      start('a', { providerExecuted: true }),
      delta('a', '{}'),
      start('b', { inputEncoding: 'text' }),
      delta('b', 'raw'),
      delta('c', '{}'),
      start('d'),
      end('d'),
      start('d'),
      delta('d', '{}'),
    ),
  ).toEqual(['d look ']);
});

test('holds white space back until something follows it', () => {
  expect(read(start('a'), delta('a', ' '), delta('a', '\n'))).toEqual(['a look ']);
  expect(read(start('a'), delta('a', ' '), delta('a', '{}'))).toEqual(['a look ', 'a look  {}']);
});
