import type { EmbeddingCall } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { fromOpenaiEmbedding } from './from-openai-embedding.ts';
import { cannotEmbed, toOpenaiEmbedding } from './to-openai-embedding.ts';

const call: EmbeddingCall = {
  operationId: 'operation',
  upstreamModel: 'upstream-model',
  input: { kind: 'texts', texts: ['a', 'b'] },
};

test('asks for floats, and for dimensions where they are set', () => {
  expect(toOpenaiEmbedding(call)).toEqual({ model: 'upstream-model', input: ['a', 'b'], encoding_format: 'float' });
  expect(toOpenaiEmbedding({ ...call, dimensions: 64 })).toMatchObject({ dimensions: 64 });
  expect(toOpenaiEmbedding({ ...call, endUser: 'user-1' })).toMatchObject({ user: 'user-1' });
});

test('embeds a content of texts as one text', () => {
  const parts = [
    { kind: 'text', text: 'a' },
    { kind: 'text', text: 'b' },
  ] as const;
  expect(toOpenaiEmbedding({ ...call, input: { kind: 'content', parts } })['input']).toEqual(['a\nb']);
});

/** Every setting of an embedding, and whether the wire can carry it. */
const fates: { readonly [Name in keyof EmbeddingCall]-?: readonly [Partial<EmbeddingCall>, boolean] } = {
  operationId: [{}, true],
  upstreamModel: [{}, true],
  input: [{ input: { kind: 'content', parts: [{ kind: 'media', mimeType: 'image/png', data: 'aGk=' }] } }, false],
  dimensions: [{ dimensions: 64 }, true],
  task: [{ task: 'RETRIEVAL_QUERY' }, false],
  title: [{ title: 'A' }, false],
  endUser: [{ endUser: 'user-1' }, true],
};

test.each(Object.entries(fates))('carries or refuses %s', (_, [setting, carried]) => {
  expect(cannotEmbed({ ...call, ...setting }) === undefined).toBe(carried);
});

test.each(['documentOcr', 'audioTrackExtraction'])('refuses %s', (flag) => {
  expect(cannotEmbed({ ...call, input: { kind: 'content', parts: [], [flag]: true } })).toBeDefined();
});

test('says of an answer without its vectors what it measured', () => {
  expect(() => fromOpenaiEmbedding({ data: [], usage: { prompt_tokens: 5 } }, 2)).toThrow(
    expect.objectContaining({ usageAtLeast: [{ unit: 'embedding_tokens', quantity: 5, confirmed: false }] }),
  );
});

test('puts vectors in the order of their input', () => {
  const data = [
    { index: 1, embedding: [2] },
    { index: 0, embedding: [1] },
  ];
  expect(fromOpenaiEmbedding({ data, usage: { prompt_tokens: 5 } }, 2)).toEqual({
    vectors: [[1], [2]],
    usage: [{ unit: 'embedding_tokens', quantity: 5, confirmed: true }],
  });
});

test('takes vectors without an index as they come, and a total for the input', () => {
  const { vectors, usage } = fromOpenaiEmbedding({ data: [{ embedding: [1] }], usage: { total_tokens: 0 } }, 1);
  expect([vectors, usage]).toEqual([[[1]], [{ unit: 'embedding_tokens', quantity: 0, confirmed: true }]]);
});

test('measures nothing where there is no usage', () => {
  expect(fromOpenaiEmbedding({ data: [{ embedding: [1] }] }, 1).usage).toEqual([]);
});

test.each([
  undefined,
  {},
  { data: [{ index: 0, embedding: [1] }] },
  { data: [{ embedding: [1] }, { embedding: ['1'] }] },
  { data: [{ embedding: [1] }, { embedding: [] }] },
])('cannot tell the outcome of %j', (body) => {
  expect(() => fromOpenaiEmbedding(body, 2)).toThrow('outcome unknown: unreadable_answer');
});
