import { isNotExecuted, type BlobPart, type GenerationCall } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { inlineBlobs } from './inline-blobs.ts';

async function* chunksOf(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

async function* broken(): AsyncIterable<Uint8Array> {
  yield await Promise.reject(new Error('disk'));
}

const unread = (): never => {
  throw new Error('read');
};

const blob = (sizeBytes: number, rest: Partial<BlobPart> = {}): BlobPart => ({
  kind: 'blob',
  mimeType: 'application/pdf',
  sizeBytes,
  read: () => chunksOf('%PDF', '-1.4'),
  ...rest,
});

const callOf = (...parts: readonly BlobPart[]): GenerationCall => ({
  operationId: 'operation',
  upstreamModel: 'upstream-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Read' }, ...parts] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
});

const options = { inlineBytesMax: 16, signal: new AbortController().signal };

const reasonOf = async (inlining: Promise<GenerationCall>): Promise<string> =>
  inlining.then(
    () => 'inlined',
    (failure: unknown) => (isNotExecuted(failure) ? failure.reason : 'unknown'),
  );

test('puts the bytes of a blob in its place, with its name and detail', async () => {
  const { contents } = await inlineBlobs(callOf(blob(8, { filename: 'a.pdf', detail: 'low' })), options);
  expect(contents[0]?.parts).toEqual([
    { kind: 'text', text: 'Read' },
    {
      kind: 'media',
      mimeType: 'application/pdf',
      data: Buffer.from('%PDF-1.4').toString('base64'),
      filename: 'a.pdf',
      detail: 'low',
    },
  ]);
});

test('leaves a call without blobs as it is', async () => {
  const call = callOf();
  expect(await inlineBlobs(call, options)).toBe(call);
});

test('refuses blobs that are too large together, and reads none', async () => {
  const call = callOf(blob(9, { read: unread }), blob(8, { read: unread }));
  expect(await reasonOf(inlineBlobs(call, options))).toBe('input_limit');
  expect(await reasonOf(inlineBlobs(callOf(blob(8), blob(8)), options))).toBe('inlined');
});

test.each([
  ['is longer than it says', blob(7)],
  ['is shorter than it says', blob(9)],
  ['cannot be read', blob(8, { read: broken })],
])('sends nothing where a blob %s', async (_, part) => {
  expect(await reasonOf(inlineBlobs(callOf(part), options))).toBe('failed');
});

test('stops reading for a call that is given up', async () => {
  expect(await reasonOf(inlineBlobs(callOf(blob(8)), { ...options, signal: AbortSignal.abort() }))).toBe('cancelled');
});
