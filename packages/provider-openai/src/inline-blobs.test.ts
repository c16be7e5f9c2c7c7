import { isNotExecuted, type BlobPart, type GenerationCall } from '@tollgate/provider';
import { encodeJson, type WireBody } from '@tollgate/provider-http';
import { expect, test } from 'vitest';
import { checkBlobs, inlinePlainTexts } from './inline-blobs.ts';
import { toMediaPart } from './media-part.ts';

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

const { signal } = new AbortController();

const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (failure: unknown) => (isNotExecuted(failure) ? failure.reason : 'unknown'),
  );

const textOf = async (body: WireBody): Promise<string> => {
  if (body.kind === 'bytes') return body.bytes.toString();
  const pieces: Uint8Array[] = [];
  for await (const piece of body.read()) pieces.push(Uint8Array.from(piece));
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(body.byteLength);
  return bytes.toString();
};

test('writes the base64 of a blob into the body, as it writes what comes inside the call', async () => {
  const data = Buffer.from('%PDF-1.4').toString('base64');
  for (const [mimeType, rest] of [
    ['application/pdf', { filename: 'a "quoted" name.pdf' }],
    ['image/png', { detail: 'low' }],
    ['audio/wav', {}],
    ['video/mp4', {}],
  ] as const) {
    const inside = toMediaPart({ kind: 'media', mimeType, data, ...rest });
    const body = encodeJson({ parts: [toMediaPart(blob(8, { mimeType, ...rest }))] });
    expect(await textOf(body)).toBe(JSON.stringify({ parts: [inside] }));
  }
});

test('reads plain text into the call, and leaves every other part as it is', async () => {
  const pdf = blob(8);
  const { contents } = await inlinePlainTexts(callOf(pdf, blob(8, { mimeType: 'text/plain; charset=utf-8' })), signal);
  const text = {
    kind: 'media',
    mimeType: 'text/plain; charset=utf-8',
    data: Buffer.from('%PDF-1.4').toString('base64'),
  };
  expect(contents[0]?.parts).toEqual([{ kind: 'text', text: 'Read' }, pdf, text]);
});

test('tells blobs by their sizes, and refuses those that are too large together', () => {
  expect(checkBlobs(callOf(), 16)).toBe(false);
  expect(checkBlobs(callOf(blob(8, { read: unread }), blob(8, { read: unread })), 16)).toBe(true);
  expect(() => checkBlobs(callOf(blob(9), blob(8)), 16)).toThrow(expect.objectContaining({ reason: 'input_limit' }));
});

test.each([
  ['is longer than it says', { sizeBytes: 7 }],
  ['is shorter than it says', { sizeBytes: 9 }],
  ['cannot be read', { read: broken }],
])('sends nothing where plain text %s', async (_, rest) => {
  const text = blob(8, { mimeType: 'text/plain', ...rest });
  expect(await reasonOf(inlinePlainTexts(callOf(text), signal))).toBe('failed');
});

test('stops reading for a call that is given up', async () => {
  const aborted = AbortSignal.abort();
  expect(await reasonOf(inlinePlainTexts(callOf(blob(8, { mimeType: 'text/plain' })), aborted))).toBe('cancelled');
});
