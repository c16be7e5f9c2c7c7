import {
  isNotExecuted,
  type Attempt,
  type BlobPart,
  type CallContext,
  type Content,
  type GenerationCall,
  type ProjectFile,
} from '@tollgate/provider';
import { sampleCaller, fakeGeminiError, startFakeGemini, type FakeGemini } from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { googleProvider, type GoogleProvider } from './google-provider.ts';
import type { GoogleProviderOptions } from './upstream.ts';

const mebibyte = 1_048_576;

let fake: FakeGemini;
let providers: GoogleProvider[];
beforeEach(async () => {
  fake = await startFakeGemini();
  providers = [];
});
afterEach(async () => {
  await fake.close();
  await Promise.all(providers.map((provider) => provider.close()));
});

const open = (options: Partial<GoogleProviderOptions> = {}): GoogleProvider => {
  const provider = googleProvider({ baseUrl: fake.url, apiKey: 'k', sleep: () => Promise.resolve(), ...options });
  providers.push(provider);
  return provider;
};

interface Recorded extends CallContext {
  readonly attempts: (readonly [status: number | null, outcome: Attempt['outcome']])[];
}

const record = (): Recorded => {
  const attempts: Recorded['attempts'] = [];
  return {
    attempts,
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: ({ status, outcome }) => void attempts.push([status, outcome]),
  };
};

/** Bytes that differ from place to place. */
const bytesOf = (sizeBytes: number): Buffer => {
  const bytes = Buffer.alloc(sizeBytes);
  for (let at = 0; at + 4 <= sizeBytes; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  return bytes;
};

const chunksOf = async function* (bytes: Buffer, chunkBytes = 65_537): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes)
    yield await Promise.resolve(bytes.subarray(at, at + chunkBytes));
};

const blobOf = (bytes: Buffer, rest: Partial<BlobPart> = {}): BlobPart => ({
  kind: 'blob',
  mimeType: 'video/mp4',
  sizeBytes: bytes.length,
  read: () => chunksOf(bytes),
  ...rest,
});

interface HostFile {
  readonly blob: () => BlobPart;
  readonly file: () => ProjectFile;
  readonly reference: () => string | null;
}

const hostFile = (bytes: Buffer, kept: string | null = null): HostFile => {
  let reference = kept;
  const file = (): ProjectFile => ({
    id: 'f1',
    displayName: 'clip.mp4',
    mimeType: 'video/mp4',
    sizeBytes: bytes.length,
    sha256: '0'.repeat(64),
    expiresAtMs: 4_000_000_000_000,
    reference,
    keepReference: (given) => {
      reference = given;
      return Promise.resolve();
    },
    read: () => chunksOf(bytes),
  });
  return { file, blob: () => blobOf(bytes, { file: file() }), reference: () => reference };
};

const callWith = (...blobs: readonly BlobPart[]): GenerationCall => ({
  operationId: 'operation',
  upstreamModel: 'gemini-2.5-flash',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Look.' }, ...blobs] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
});

const paths = (): readonly string[] => fake.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);

const generatePath = 'POST /v1beta/models/gemini-2.5-flash:generateContent';
const uploadPath = 'POST /upload/v1beta/files';

/** What the failure of a call says. */
const failureOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'no failure',
    (failure: unknown) => (isNotExecuted(failure) ? failure.reason : String(failure)),
  );

const sentParts = (): readonly Record<string, unknown>[] => {
  const body = fake.requests.at(-1)?.body as { contents: Content[] };
  return body.contents[0]?.parts as unknown as Record<string, unknown>[];
};

test('sends blobs inside the request while all of them fit', async () => {
  const bytes = bytesOf(mebibyte + 1);
  const context = record();
  await open().generate(callWith(blobOf(bytes), blobOf(bytes.subarray(0, 10))), context);
  expect(paths()).toEqual([generatePath]);
  const [, first, second] = sentParts();
  expect(first).toEqual({ inlineData: { mimeType: 'video/mp4', data: bytes.toString('base64') } });
  expect(second).toEqual({ inlineData: { mimeType: 'video/mp4', data: bytes.subarray(0, 10).toString('base64') } });
  expect(fake.requests[0]?.headers['content-length']).toBe(String(fake.requests[0]?.bytes.length));
  expect(context.attempts).toEqual([[200, 'answered']]);
});

test('reads a blob again for an upstream request that is repeated', async () => {
  const bytes = bytesOf(200_000);
  fake.script({ kind: 'status', status: 503 });
  await open().generate(callWith(blobOf(bytes)), record());
  const [first, second] = fake.requests;
  expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
  expect(sentParts()[1]).toEqual({ inlineData: { mimeType: 'video/mp4', data: bytes.toString('base64') } });
});

test('uploads what does not fit, in pieces, and names it by its address', async () => {
  const bytes = bytesOf(2 * mebibyte + 100);
  const context = record();
  const limits = { inlineBytesMax: mebibyte, uploadChunkBytes: mebibyte };
  const small = blobOf(bytes.subarray(0, 100));
  await open({ limits }).generate(callWith(small, blobOf(bytes)), context);
  expect(paths()).toEqual([uploadPath, uploadPath, uploadPath, uploadPath, generatePath]);
  const [, inline, named] = sentParts();
  expect(inline).toHaveProperty('inlineData');
  expect(named).toEqual({ fileData: { mimeType: 'video/mp4', fileUri: fake.files()[0]?.uri } });
  expect(fake.files()[0]?.bytes.equals(bytes)).toBe(true);
  expect(context.attempts.length).toBe(5);
});

test('counts the media that a call holds itself among what goes inside the request', async () => {
  const call = callWith(blobOf(bytesOf(600)));
  const media = { kind: 'media', mimeType: 'image/png', data: 'A'.repeat(800) } as const;
  const provider = open({ limits: { inlineBytesMax: 1_000 } });
  await provider.generate(call, record());
  await provider.generate({ ...call, contents: [{ role: 'user', parts: [media] }, ...call.contents] }, record());
  expect(paths()).toEqual([generatePath, uploadPath, uploadPath, generatePath]);
});

test('gives the upstream a file of the project once, and names it afterwards', async () => {
  const host = hostFile(bytesOf(1_000));
  const provider = open();
  await provider.generate(callWith(host.blob(), host.blob()), record());
  await provider.generate(callWith(host.blob()), record());
  expect(paths()).toEqual([uploadPath, uploadPath, generatePath, generatePath]);
  const [copy] = fake.files();
  const reference = JSON.parse(host.reference() ?? '{}') as { name: string; uri: string; expiresAtMs: number };
  expect([reference.name, reference.uri, typeof reference.expiresAtMs]).toEqual([copy?.name, copy?.uri, 'number']);
  expect([copy?.displayName, copy?.mimeType]).toEqual(['clip.mp4', 'video/mp4']);
});

test.each([false, true])('gives a file again that the upstream lost, once, as a stream: %s', async (isStream) => {
  const host = hostFile(bytesOf(1_000));
  const provider = open();
  await provider.files.upload(host.file(), record());
  const before = host.reference();
  fake.forgetFiles();
  const context = record();
  if (isStream) await provider.generateStream(callWith(host.blob()), context, () => {});
  else await provider.generate(callWith(host.blob()), context);
  expect(context.attempts.map(([status]) => status)).toEqual([403, 200, 200, 200]);
  expect(host.reference()).not.toBe(before);
});

test('gives up on a file that the upstream will not know', async () => {
  const host = hostFile(bytesOf(1_000));
  const lost = { kind: 'status', status: 404, body: fakeGeminiError(404, 'NOT_FOUND', 'File abc not found') } as const;
  fake.script(lost, lost, lost);
  const context = record();
  expect(await failureOf(open().generate(callWith(host.blob()), context))).toBe('unavailable');
  expect(context.attempts.map(([status]) => status)).toEqual([200, 200, 404, 200, 200, 404]);
});

test('gives a file again whose copy expires soon, without asking', async () => {
  const reference = JSON.stringify({
    name: 'files/old',
    uri: 'https://u.example/old',
    expiresAtMs: Date.now() + 60_000,
  });
  const host = hostFile(bytesOf(10), reference);
  await open().generate(callWith(host.blob()), record());
  expect(paths()).toEqual([uploadPath, uploadPath, generatePath]);
});

test('waits until a copy can be used', async () => {
  await fake.close();
  fake = await startFakeGemini({ processingReads: 3 });
  const host = hostFile(bytesOf(10));
  await open().generate(callWith(host.blob()), record());
  expect(paths().filter((path) => path.startsWith('GET'))).toHaveLength(4);
  expect(paths().at(-1)).toBe(generatePath);
});

test('runs nothing for a file that does not become ready in time', async () => {
  await fake.close();
  fake = await startFakeGemini({ processingReads: 1_000 });
  const context = record();
  const limits = { fileReadyMs: 0 };
  expect(await failureOf(open({ limits }).generate(callWith(hostFile(bytesOf(10)).blob()), context))).toBe(
    'unavailable',
  );
  expect(paths()).toEqual([uploadPath, uploadPath]);
});

test('is certain that nothing ran when an upload is lost', async () => {
  fake.scriptFiles({ kind: 'raw', bytes: Buffer.from('HTTP/1.1 200'), end: 'cut' });
  const context = record();
  expect(await failureOf(open().generate(callWith(hostFile(bytesOf(10)).blob()), context))).toBe('unavailable');
  expect(context.attempts).toEqual([[null, 'unknown']]);
});

test('is certain that nothing ran when a blob cannot be read to its end', async () => {
  const bytes = bytesOf(500_000);
  const context = record();
  const short = blobOf(bytes, { sizeBytes: bytes.length + 1 });
  expect(await failureOf(open().generate(callWith(short), context))).toBe('failed');
  expect([fake.count(), context.attempts]).toEqual([0, [[null, 'not_sent']]]);
});

test.each([
  ['is certain that nothing ran', {}, 'unavailable', [null, 'not_sent']],
  [
    'knows no outcome if an answer has begun',
    { begun: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{' },
    'UnknownOutcome: outcome unknown: connection_lost',
    [200, 'unknown'],
  ],
])('%s when the connection is lost before the end of the request', async (_, rest, reason, attempt) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const bytes = bytesOf(3 * mebibyte);
  // The rest of the blob comes when the connection is gone.
  const slow = blobOf(bytes, {
    async *read() {
      yield bytes.subarray(0, mebibyte);
      await promise;
      yield bytes.subarray(mebibyte);
    },
  });
  fake.script({ kind: 'cut_in_request', bytes: 100_000, ...rest });
  const context = record();
  expect(await failureOf(open().generate(callWith(slow), context))).toBe(reason);
  resolve();
  expect(context.attempts).toEqual([attempt]);
});

test('uploads pieces of the configured size, whatever the chunks it reads', async () => {
  const limits = { uploadChunkBytes: 262_144 };
  for (const sizeBytes of [0, 1, 262_143, 262_144, 262_145, 524_288, 700_000]) {
    const bytes = bytesOf(sizeBytes);
    for (const chunkBytes of [1_000_000, 262_144, 100_003]) {
      const file = { ...hostFile(bytes).file(), read: () => chunksOf(bytes, chunkBytes) };
      expect(await open({ limits }).files.upload(file, record())).toBe('active');
      expect(fake.files().at(-1)?.bytes.equals(bytes)).toBe(true);
    }
  }
});

test.each([9, 11])('notes no copy of a file of 10 bytes that is said to have %i', async (sizeBytes) => {
  const host = hostFile(bytesOf(10));
  const run = open().files.upload({ ...host.file(), sizeBytes }, record());
  expect([await failureOf(run), host.reference()]).toEqual(['failed', null]);
});

test('sends one piece of an upload again, and not those before it', async () => {
  const limits = { uploadChunkBytes: 262_144 };
  const bytes = bytesOf(600_000);
  fake.scriptFiles({ kind: 'answer' }, { kind: 'answer' }, { kind: 'status', status: 503 });
  await open({ limits }).files.upload(hostFile(bytes).file(), record());
  const offsets = fake.requests.slice(1).map(({ headers }) => headers['x-goog-upload-offset']);
  expect(offsets).toEqual(['0', '262144', '262144', '524288']);
  expect(fake.files()[0]?.bytes.equals(bytes)).toBe(true);
});

test('sends the pieces to its own upstream only', async () => {
  const url = 'https://elsewhere.example/upload/v1beta/files?upload_id=upload-1';
  fake.scriptFiles({ kind: 'status', status: 200, body: {}, headers: { 'x-goog-upload-url': url } });
  expect(await failureOf(open().files.upload(hostFile(bytesOf(10)).file(), record()))).toBe('unavailable');
  expect(fake.requests[1]?.path).toBe('/upload/v1beta/files?upload_id=upload-1');
});

test('tells how far a copy is, and makes one where there is none', async () => {
  await fake.close();
  fake = await startFakeGemini({ processingReads: 1 });
  const host = hostFile(bytesOf(10));
  const provider = open();
  const states = [
    await provider.files.state(host.file(), record()),
    await provider.files.state(host.file(), record()),
    await provider.files.state(host.file(), record()),
  ];
  expect(states).toEqual(['processing', 'processing', 'active']);
  fake.forgetFiles();
  expect(await provider.files.state(host.file(), record())).toBe('processing');
  expect(fake.files()).toHaveLength(1);
});

test('removes a copy, and minds none that is gone or never was', async () => {
  const host = hostFile(bytesOf(10));
  const provider = open();
  await provider.files.upload(host.file(), record());
  await provider.files.remove?.(host.file(), record());
  expect(fake.files()).toEqual([]);
  await provider.files.remove?.(host.file(), record());
  const context = record();
  await provider.files.remove?.(hostFile(bytesOf(10)).file(), context);
  await provider.files.remove?.(hostFile(bytesOf(10), '{"name":"of another provider"}').file(), context);
  expect(context.attempts).toEqual([]);
});

test('counts text, system text and declarations, and media inside the request', async () => {
  const call: GenerationCall = {
    ...callWith(blobOf(bytesOf(10))),
    systemInstruction: 'Be short.',
    tools: [{ kind: 'function', name: 'f' }],
  };
  const usage = await open().countTokens(call, record());
  expect(usage).toEqual([
    { unit: 'input_text_tokens', quantity: 8, confirmed: true },
    { unit: 'input_image_tokens', quantity: 258, confirmed: true },
  ]);
  expect(sentParts()[0]).toEqual({ text: 'Be short.\n{"name":"f"}\n\n' });
});

test('does not upload media only to count them', async () => {
  const context = record();
  const run = open({ limits: { inlineBytesMax: 10 } }).countTokens(callWith(blobOf(bytesOf(11))), context);
  expect([await failureOf(run), context.attempts]).toEqual(['unsupported', []]);
});
