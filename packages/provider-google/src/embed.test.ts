import { isNotExecuted, type Attempt, type EmbeddingCall } from '@tollgate/provider';
import { sampleCaller, fakeGeminiError, startFakeGemini, type FakeGemini } from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fromGoogleEmbeddings } from './from-google-embeddings.ts';
import { googleProvider, type GoogleProvider } from './google-provider.ts';

let fake: FakeGemini;
let provider: GoogleProvider;
let attempts: Attempt['outcome'][];
beforeEach(async () => {
  fake = await startFakeGemini();
  provider = googleProvider({ baseUrl: fake.url, apiKey: 'k', sleep: () => Promise.resolve() });
  attempts = [];
});
afterEach(async () => {
  await fake.close();
  await provider.close();
});

const embed = (call: Pick<EmbeddingCall, 'input'> & Partial<EmbeddingCall>) =>
  provider.embed(
    { operationId: 'operation', upstreamModel: 'gemini-embedding-001', ...call },
    {
      caller: sampleCaller,
      signal: new AbortController().signal,
      recordAttempt: ({ outcome }) => void attempts.push(outcome),
    },
  );

const texts = (...given: readonly string[]) => ({ input: { kind: 'texts', texts: given } }) as const;

test('embeds texts in one request, with task, title and dimensions', async () => {
  const { vectors, usage } = await embed({
    ...texts('a', 'b'),
    task: 'RETRIEVAL_DOCUMENT',
    title: 'Letters',
    dimensions: 2,
  });
  expect(vectors.map(({ length }) => length)).toEqual([2, 2]);
  expect(usage).toEqual([{ unit: 'embedding_tokens', quantity: 8, confirmed: true }]);
  const settings = {
    model: 'models/gemini-embedding-001',
    taskType: 'RETRIEVAL_DOCUMENT',
    title: 'Letters',
    outputDimensionality: 2,
  };
  expect(fake.requests[0]).toMatchObject({
    path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
    body: {
      requests: [
        { content: { parts: [{ text: 'a' }] }, ...settings },
        { content: { parts: [{ text: 'b' }] }, ...settings },
      ],
    },
  });
});

test('embeds a content of text, media and blobs as one vector', async () => {
  const bytes = Buffer.from('%PDF');
  const blob = {
    kind: 'blob',
    mimeType: 'application/pdf',
    sizeBytes: bytes.length,
    async *read() {
      yield await Promise.resolve(bytes);
    },
  } as const;
  const { vectors } = await embed({
    input: {
      kind: 'content',
      parts: [{ kind: 'text', text: 'a' }, { kind: 'media', mimeType: 'image/png', data: 'AAAA' }, blob],
      documentOcr: false,
    },
  });
  expect(vectors).toHaveLength(1);
  expect(fake.requests[0]).toMatchObject({
    path: '/v1beta/models/gemini-embedding-001:embedContent',
    body: {
      model: 'models/gemini-embedding-001',
      content: {
        parts: [
          { text: 'a' },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { inlineData: { mimeType: 'application/pdf', data: bytes.toString('base64') } },
        ],
      },
    },
  });
});

test('has the input counted by an upstream that does not say what it used', async () => {
  fake.script({ kind: 'embeddings', rest: { usageMetadata: undefined } });
  const { usage } = await embed(texts('twelve chars', 'four'));
  expect(usage).toEqual([{ unit: 'embedding_tokens', quantity: 4, confirmed: true }]);
  expect(attempts).toEqual(['answered', 'answered']);
  expect(fake.requests[1]?.path).toBe('/v1beta/models/gemini-embedding-001:countTokens');
});

test('measures nothing where the count fails too, and keeps the vectors', async () => {
  fake.script({ kind: 'embeddings', rest: { usageMetadata: {} } }, { kind: 'status', status: 404 });
  const { vectors, usage } = await embed(texts('a'));
  expect([vectors.length, usage]).toEqual([1, []]);
});

const failureOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'no failure',
    (failure: unknown) => (isNotExecuted(failure) ? failure.reason : String(failure)),
  );

test.each([
  ['reading documents', { documentOcr: true }],
  ['taking the sound out', { audioTrackExtraction: true }],
])('refuses %s, which the upstream does not take', async (_, flags) => {
  const run = embed({ input: { kind: 'content', parts: [{ kind: 'text', text: 'a' }], ...flags } });
  expect([await failureOf(run), attempts]).toEqual(['unsupported', []]);
});

test('refuses more texts than one request may hold', async () => {
  const run = embed(texts(...Array.from({ length: 101 }, String)));
  expect([await failureOf(run), attempts]).toEqual(['unsupported', []]);
});

test('takes an error inside the answer for what it is', async () => {
  fake.script({ kind: 'status', status: 200, body: fakeGeminiError(400, 'INVALID_ARGUMENT', 'x') });
  expect(await failureOf(embed(texts('a')))).toBe('invalid_request');
});

test.each([
  ['too few', { embeddings: [] }, 1],
  ['too many', { embeddings: [{ values: [1] }, { values: [1] }] }, 1],
  ['empty', { embedding: { values: [] } }, 1],
  ['no numbers', { embedding: { values: ['1'] } }, 1],
  ['missing', {}, 1],
])('cannot make anything of vectors that are %s', (_, body, count) => {
  expect(() => fromGoogleEmbeddings(body, count)).toThrow('outcome unknown: unreadable_answer');
});
