import { expect, test } from 'vitest';
import { toVectors } from './embed-chunks.ts';

const asked = { operationId: 'o1', texts: ['a', 'b'], dimensions: 2, task: 'RETRIEVAL_DOCUMENT' } as const;
const vectorsOf = (vectors: readonly (readonly number[])[], dimensions: number | null = 2) =>
  toVectors({ ...asked, dimensions }, { vectors, usage: [] });

test('takes as many vectors as there are texts, as long as was asked for', () => {
  expect(
    vectorsOf([
      [1, 0],
      [0.5, 1],
    ]),
  ).toEqual([new Float32Array([1, 0]), new Float32Array([0.5, 1])]);
  expect(
    vectorsOf(
      [
        [1, 0, 2],
        [1, 1, 1],
      ],
      null,
    ),
  ).toHaveLength(2);
});

test.each([
  ['one vector too few', [[1, 0]], '1 vectors for 2 texts'],
  ['a vector that is empty', [[1, 0], []], 'a vector of 0 dimensions'],
  [
    'a vector that is too long',
    [
      [1, 0],
      [1, 0, 0],
    ],
    'a vector of 3 dimensions',
  ],
  [
    'what is no number',
    [
      [1, 0],
      [Number.NaN, 1],
    ],
    'what is no number',
  ],
  [
    'a vector without a direction',
    [
      [1, 0],
      [0, 0],
    ],
    'without a direction',
  ],
])('refuses %s', (_what, vectors, message) => {
  expect(() => vectorsOf(vectors)).toThrow(message);
});

test('refuses a vector that is empty where any length will do', () => {
  expect(() => vectorsOf([[1, 0], []], null)).toThrow('a vector of 0 dimensions');
});
