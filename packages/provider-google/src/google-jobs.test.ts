import {
  asArray,
  asObject,
  isNotExecuted,
  parseJson,
  type Attempt,
  type BatchCall,
  type BlobPart,
  type CallContext,
  type EmbeddingCall,
  type GenerationCall,
  type ProjectFile,
  type VideoCall,
} from '@tollgate/provider';
import {
  sampleCaller,
  fakeGeminiError,
  fakeGeminiResponse,
  fakeGeminiVideo,
  startFakeGemini,
  type FakeGemini,
} from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { googleProvider, type GoogleProvider } from './google-provider.ts';

const apiKey = 'k-1';

let fake: FakeGemini;
let provider: GoogleProvider;
let attempts: Attempt[];
let context: CallContext;
beforeEach(async () => {
  fake = await startFakeGemini({ apiKey });
  provider = googleProvider({ baseUrl: fake.url, apiKey, sleep: () => Promise.resolve() });
  attempts = [];
  context = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: (attempt) => void attempts.push(attempt),
  };
});
afterEach(async () => {
  await fake.close();
  await provider.close();
});

async function* twice(bytes: Buffer): AsyncGenerator<Uint8Array, void> {
  yield bytes.subarray(0, 5);
  yield await Promise.resolve(bytes.subarray(5));
}

const blobOf = (text: string, mimeType = 'image/png'): BlobPart => ({
  kind: 'blob',
  mimeType,
  sizeBytes: Buffer.byteLength(text),
  read: () => twice(Buffer.from(text)),
});

const readAll = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
};

const failureOf = async (running: Promise<unknown>): Promise<unknown> => {
  try {
    await running;
  } catch (failure) {
    return failure;
  }
  return 'no failure';
};

const reasonOf = async (running: Promise<unknown>): Promise<string> => {
  const failure = await failureOf(running);
  if (isNotExecuted(failure)) return failure.reason;
  return failure instanceof Error ? failure.message : String(failure);
};

const video: VideoCall = {
  operationId: 'operation',
  upstreamModel: 'veo-3.1-generate-preview',
  prompt: 'A lighthouse.',
  durationSeconds: 6,
  resolution: '1080p',
  aspectRatio: '9:16',
  negativePrompt: 'people',
  seed: 7,
};

const lastBody = (): unknown => fake.requests.at(-1)?.body;

test('asks for one video, with its images read while they are sent', async () => {
  await provider.videos.start(
    {
      ...video,
      image: blobOf('the first picture'),
      lastFrame: { kind: 'media', mimeType: 'image/jpeg', data: 'bGFzdA==' },
    },
    context,
  );
  expect(fake.requests[0]?.path).toBe('/v1beta/models/veo-3.1-generate-preview:predictLongRunning');
  expect(lastBody()).toEqual({
    instances: [
      {
        prompt: 'A lighthouse.',
        image: { bytesBase64Encoded: Buffer.from('the first picture').toString('base64'), mimeType: 'image/png' },
        lastFrame: { bytesBase64Encoded: 'bGFzdA==', mimeType: 'image/jpeg' },
      },
    ],
    parameters: {
      sampleCount: 1,
      aspectRatio: '9:16',
      resolution: '1080p',
      durationSeconds: 6,
      negativePrompt: 'people',
      seed: 7,
    },
  });
});

test('names references by their type', async () => {
  const { durationSeconds: _, ...rest } = video;
  await provider.videos.start({ ...rest, references: [{ media: blobOf('style'), type: 'style' }] }, context);
  expect(lastBody()).toMatchObject({
    instances: [{ referenceImages: [{ image: { mimeType: 'image/png' }, referenceType: 'style' }] }],
  });
});

test('downloads a video with the key, measured by the seconds that were asked for, from any process', async () => {
  const { job } = await provider.videos.start(video, context);
  const another = googleProvider({ baseUrl: fake.url, apiKey });
  const progress = await another.videos.poll(job, context);
  if (progress.kind !== 'done') throw new Error('not done');
  const [made] = progress.result.videos;
  if (made === undefined) throw new Error('no video');
  expect((await readAll(made.read())).equals(fakeGeminiVideo)).toBe(true);
  expect(progress.result.usage).toEqual([{ unit: 'video_seconds', quantity: 6, confirmed: true }]);
  expect(fake.requests.at(-1)?.headers['x-goog-api-key']).toBe(apiKey);
  expect(attempts.map(({ status, outcome }) => [status, outcome])).toEqual([
    [200, 'answered'],
    [200, 'answered'],
    [200, 'answered'],
  ]);
  const next = { ...video, extends: { video: blobOf('x', 'video/mp4'), reference: made.reference } };
  await another.videos.start(next, context);
  expect(lastBody()).toMatchObject({ instances: [{ video: { uri: made.reference } }] });
  await another.close();
});

test('continues no video of another upstream', async () => {
  const call = { ...video, extends: { video: blobOf('x', 'video/mp4'), reference: null } };
  expect(await reasonOf(provider.videos.start(call, context))).toBe('unsupported');
  expect(fake.count()).toBe(0);
});

test('takes a video that was withheld, and one that failed, as not executed', async () => {
  const { job } = await provider.videos.start(video, context);
  const withheld = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['words'] };
  // A count of none beside a reason is still a video that is not delivered.
  const uncounted = { ...withheld, raiMediaFilteredCount: 0 };
  fake.scriptJobs(
    { kind: 'answer', responses: [{ done: true, response: { generateVideoResponse: withheld } }] },
    { kind: 'answer', responses: [{ done: true, response: { generateVideoResponse: uncounted } }] },
    { kind: 'answer', responses: [{ done: true, error: { code: 3, message: 'words' } }] },
    { kind: 'answer', responses: [{ done: true, error: { code: 13, message: 'words' } }] },
  );
  const reasons: string[] = [];
  for (let asked = 0; asked < 4; asked += 1) reasons.push(await reasonOf(provider.videos.poll(job, context)));
  expect(reasons).toEqual(['failed', 'failed', 'invalid_request', 'failed']);
});

test.each([
  ['that the key is bad', { kind: 'status', status: 403, body: fakeGeminiError(403, 'PERMISSION_DENIED', 'words') }],
  ['that it knows no such job', { kind: 'status', status: 404, body: fakeGeminiError(404, 'NOT_FOUND', 'words') }],
  ['that the question is wrong', { kind: 'status', status: 400, body: fakeGeminiError(400, 'INVALID_ARGUMENT', 'w') }],
  ['that it failed to answer', { kind: 'status', status: 500, body: fakeGeminiError(500, 'INTERNAL', 'words') }],
  ['what nobody can read', { kind: 'status', status: 200, body: 'no JSON' }],
  ['that it is done, and nothing else', { kind: 'answer', responses: [{ done: true }] }],
] as const)('does not take it for a failed video where the upstream answers %s', async (_, behaviour) => {
  const { job } = await provider.videos.start(video, context);
  fake.scriptJobs(behaviour);
  expect(await reasonOf(provider.videos.poll(job, context))).toMatch(/^outcome unknown/);
  expect((await provider.videos.poll(job, context)).kind).toBe('done');
});

test('asks no provider for a job of another one', async () => {
  for (const job of ['', 'x', '[]', '{"ids":[]}'])
    expect(await reasonOf(provider.interactions.poll(job, context))).toMatch(/^outcome unknown/);
  expect(fake.count()).toBe(0);
});

test('a download that breaks off is no failure of the video', async () => {
  const { job } = await provider.videos.start(video, context);
  const progress = await provider.videos.poll(job, context);
  if (progress.kind !== 'done') throw new Error('not done');
  fake.scriptJobs(
    { kind: 'raw', bytes: Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'), end: 'cut' },
    { kind: 'status', status: 503 },
  );
  for (let tries = 0; tries < 2; tries += 1)
    for (const { read } of progress.result.videos) expect(await reasonOf(readAll(read()))).toMatch(/^outcome unknown/);
  for (const { read } of progress.result.videos) expect((await readAll(read())).equals(fakeGeminiVideo)).toBe(true);
  expect(attempts.slice(2).map(({ outcome }) => outcome)).toEqual(['unknown', 'refused', 'answered']);
});

const to = (location: string) => ({ kind: 'status', status: 302, headers: { location } }) as const;

test('follows a download to another address of the upstream, and to no address without TLS elsewhere', async () => {
  const { job } = await provider.videos.start(video, context);
  const progress = await provider.videos.poll(job, context);
  if (progress.kind !== 'done') throw new Error('not done');
  const [made] = progress.result.videos;
  fake.scriptJobs(to('/v1beta/files/video-9:download?alt=media'));
  expect((await readAll(made?.read() ?? twice(Buffer.alloc(0)))).equals(fakeGeminiVideo)).toBe(true);
  fake.scriptJobs(to('http://elsewhere.example/video'));
  expect(await reasonOf(readAll(made?.read() ?? twice(Buffer.alloc(0))))).toBe('outcome unknown: status_302');
  fake.scriptJobs(...Array.from({ length: 5 }, () => to('/v1beta/files/video-9:download')));
  expect(await reasonOf(readAll(made?.read() ?? twice(Buffer.alloc(0))))).toMatch(/^outcome unknown/);
});

const cache = {
  operationId: 'operation',
  upstreamModel: 'gemini-2.5-flash',
  displayName: 'Handbook',
  ttlSeconds: 600,
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'All of it.' }, blobOf('a page', 'application/pdf')] }],
} as const;

test('keeps a cache: created, extended, named by a generation, removed', async () => {
  const { reference, tokens, usage } = await provider.caches.create(cache, context);
  expect(lastBody()).toEqual({
    model: 'models/gemini-2.5-flash',
    displayName: 'Handbook',
    ttl: '600s',
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'All of it.' },
          { inlineData: { mimeType: 'application/pdf', data: Buffer.from('a page').toString('base64') } },
        ],
      },
    ],
  });
  expect([tokens, usage]).toEqual([2_048, [{ unit: 'input_text_tokens', quantity: 2_048, confirmed: true }]]);
  await provider.caches.extend(reference, 1_200, context);
  expect([fake.requests.at(-1)?.method, fake.requests.at(-1)?.path, lastBody()]).toEqual([
    'PATCH',
    `/v1beta/${reference}`,
    { ttl: '1200s' },
  ]);
  await provider.generate({ ...generation('Hello'), cached: { reference, tokens } }, context);
  expect(lastBody()).toMatchObject({ cachedContent: reference });
  await provider.caches.remove(reference, context);
  expect(fake.caches()).toEqual([]);
  await provider.caches.remove(reference, context);
});

test('keeps an instruction in a cache as its own, or in the first turn for a model that takes none', async () => {
  const instructed = { ...cache, systemInstruction: 'Be kind.' };
  await provider.caches.create(instructed, context);
  expect(lastBody()).toMatchObject({
    systemInstruction: { parts: [{ text: 'Be kind.' }] },
    contents: [{ parts: [{ text: 'All of it.' }, {}] }],
  });
  await provider.caches.create({ ...instructed, upstreamModel: 'gemma-3-27b-it' }, context);
  expect(lastBody()).not.toHaveProperty('systemInstruction');
  expect(lastBody()).toMatchObject({ contents: [{ parts: [{ text: 'Be kind.\n\n' }, { text: 'All of it.' }, {}] }] });
});

test('counts the instruction of a cache that the upstream does not measure', async () => {
  fake.script({ kind: 'answer', responses: [{ name: 'cachedContents/c' }] });
  await provider.caches.create({ ...cache, systemInstruction: 'Be kind.' }, context);
  expect(lastBody()).toMatchObject({ contents: [{ parts: [{ text: 'Be kind.\n\n' }, { text: 'All of it.' }, {}] }] });
});

test('counts a cache that the upstream does not measure, and never calls it not executed', async () => {
  fake.script({ kind: 'answer', responses: [{ name: 'cachedContents/c' }] });
  const { tokens } = await provider.caches.create(cache, context);
  expect(tokens).toBeGreaterThan(0);
  fake.script({ kind: 'answer', responses: [{ name: 'cachedContents/c' }] }, { kind: 'status', status: 500 });
  expect(await reasonOf(provider.caches.create(cache, context))).toMatch(/^outcome unknown/);
});

test('tells a cache that is too small as an invalid request', async () => {
  const message = 'Cached content is too small. total_token_count=9, min_total_token_count=1024';
  fake.script({ kind: 'status', status: 400, body: fakeGeminiError(400, 'INVALID_ARGUMENT', message) });
  expect(await reasonOf(provider.caches.create(cache, context))).toBe('invalid_request');
});

const generation = (text: string): GenerationCall => ({
  operationId: 'operation',
  upstreamModel: 'gemini-2.5-flash',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: { temperature: 0.7 },
  outputTokensMax: 100,
});

const batch: BatchCall = {
  operationId: 'operation',
  upstreamModel: 'gemini-2.5-flash',
  displayName: null,
  items: [
    { key: 'first', kind: 'generation', call: generation('One') },
    {
      key: 'second',
      kind: 'generation',
      call: { ...generation('Two'), contents: [{ role: 'user', parts: [blobOf('picture')] }] },
    },
  ],
};

const requestsOf = (body: unknown): readonly unknown[] => {
  const config = asObject(asObject(asObject(body)?.['batch'])?.['inputConfig']);
  return asArray(asObject(config?.['requests'])?.['requests']);
};

test('hands a batch over in one request, and measures each of its items', async () => {
  const { job } = await provider.batches.start(batch, context);
  expect(fake.requests[0]?.path).toBe('/v1beta/models/gemini-2.5-flash:batchGenerateContent');
  expect(requestsOf(lastBody())).toEqual([
    {
      request: {
        contents: [{ role: 'user', parts: [{ text: 'One' }] }],
        generationConfig: { maxOutputTokens: 100, temperature: 0.7 },
      },
      metadata: { key: '0.0' },
    },
    {
      request: {
        contents: [
          {
            role: 'user',
            parts: [{ inlineData: { mimeType: 'image/png', data: Buffer.from('picture').toString('base64') } }],
          },
        ],
        generationConfig: { maxOutputTokens: 100, temperature: 0.7 },
      },
      metadata: { key: '1.0' },
    },
  ]);
  const progress = await provider.batches.poll(job, context);
  if (progress.kind !== 'done') throw new Error('not done');
  expect(progress.result.items.map((item) => [item.key, item.kind === 'generation' && item.generation.text])).toEqual([
    ['first', 'Hello from upstream.'],
    ['second', 'Hello from upstream.'],
  ]);
  const [item] = progress.result.items;
  expect(item?.kind === 'generation' ? item.generation.usage : []).toContainEqual({
    unit: 'input_text_tokens',
    quantity: 100,
    confirmed: true,
  });
});

const operation = (state: string, rest: object = {}, more: object = {}) => ({
  kind: 'answer' as const,
  responses: [{ name: 'batches/b', metadata: { state, ...rest }, ...more }],
});

test('goes on asking while a batch waits or runs', async () => {
  const { job } = await provider.batches.start(batch, context);
  fake.scriptJobs(operation('BATCH_STATE_PENDING'), operation('BATCH_STATE_RUNNING'));
  expect(await provider.batches.poll(job, context)).toEqual({ kind: 'running' });
  expect(await provider.batches.poll(job, context)).toEqual({ kind: 'running' });
  expect((await provider.batches.poll(job, context)).kind).toBe('done');
});

const entry = (key: string, rest: object): object => ({ metadata: { key }, ...rest });

test.each([
  [
    'its own output',
    (list: unknown) => operation('BATCH_STATE_SUCCEEDED', { output: { inlinedResponses: { inlinedResponses: list } } }),
  ],
  [
    'the answer of the operation',
    (list: unknown) =>
      operation(
        'BATCH_STATE_SUCCEEDED',
        {},
        { done: true, response: { inlinedResponses: { inlinedResponses: list } } },
      ),
  ],
  ['a plain list', (list: unknown) => operation('BATCH_STATE_SUCCEEDED', { output: { inlinedResponses: list } })],
])('reads results from %s, in any order, each with what became of it', async (_, told) => {
  const { job } = await provider.batches.start(batch, context);
  fake.scriptJobs(
    told([entry('1.0', { error: { code: 3, message: 'words' } }), entry('0.0', { response: fakeGeminiResponse() })]),
  );
  const progress = await provider.batches.poll(job, context);
  expect(progress.kind === 'done' && progress.result.items).toMatchObject([
    { key: 'first', kind: 'generation' },
    { key: 'second', kind: 'failed', reason: 'invalid_request' },
  ]);
});

test('reads results from a file', async () => {
  const { job } = await provider.batches.start(batch, context);
  const line = JSON.stringify({ key: '0.0', response: fakeGeminiResponse() });
  fake.scriptJobs(operation('BATCH_STATE_SUCCEEDED', { output: { responsesFile: 'files/results' } }));
  fake.scriptFiles({ kind: 'status', status: 200, body: `${line}\n\n` });
  const progress = await provider.batches.poll(job, context);
  expect(fake.requests.at(-1)?.path).toBe('/download/v1beta/files/results:download?alt=media');
  expect(progress.kind === 'done' && progress.result.items.map(({ kind }) => kind)).toEqual(['generation', 'failed']);
});

test('takes what is not told of a cancelled batch as cancelled', async () => {
  const { job } = await provider.batches.start(batch, context);
  await provider.batches.cancel?.(job, context);
  expect(fake.requests.at(-1)?.path).toMatch(/\/v1beta\/batches\/batch-\d+:cancel$/);
  const progress = await provider.batches.poll(job, context);
  expect(progress.kind === 'done' && progress.result.items).toEqual([
    { key: 'first', kind: 'cancelled' },
    { key: 'second', kind: 'cancelled' },
  ]);
});

test('fails a batch of which nothing is reported, and marks uncertain one that should have reported', async () => {
  const { job } = await provider.batches.start(batch, context);
  fake.scriptJobs(
    operation('BATCH_STATE_EXPIRED'),
    operation('BATCH_STATE_FAILED', {}, { done: true, error: { code: 13, message: 'words' } }),
    operation('BATCH_STATE_SUCCEEDED'),
  );
  const reasons: string[] = [];
  for (let asked = 0; asked < 3; asked += 1) reasons.push(await reasonOf(provider.batches.poll(job, context)));
  expect(reasons).toEqual(['failed', 'failed', 'outcome unknown: unreadable_answer']);
});

const embedding = (texts: readonly string[]): EmbeddingCall => ({
  operationId: 'operation',
  upstreamModel: 'gemini-embedding-001',
  input: { kind: 'texts', texts },
  dimensions: 3,
  task: 'RETRIEVAL_QUERY',
});

const embeddings: BatchCall = {
  operationId: 'operation',
  upstreamModel: 'gemini-embedding-001',
  displayName: 'Vectors',
  items: [
    { key: 'two', kind: 'embedding', call: embedding(['aaaa', 'bbbbbbbb']) },
    { key: 'one', kind: 'embedding', call: embedding(['cccc']) },
  ],
};

const tokens = (quantity: number) => [{ unit: 'embedding_tokens', quantity, confirmed: true }];

test('embeds a batch, a request for each vector, and counts what the upstream does not', async () => {
  const { job } = await provider.batches.start(embeddings, context);
  expect(fake.requests.at(-1)?.path).toBe('/v1beta/models/gemini-embedding-001:asyncBatchEmbedContent');
  expect(requestsOf(lastBody()).map((request) => asObject(asObject(request)?.['metadata'])?.['key'])).toEqual([
    '0.0',
    '0.1',
    '1.0',
  ]);
  expect(requestsOf(lastBody())[0]).toMatchObject({
    request: { taskType: 'RETRIEVAL_QUERY', outputDimensionality: 3, model: 'models/gemini-embedding-001' },
  });
  const progress = await provider.batches.poll(job, context);
  if (progress.kind !== 'done') throw new Error('not done');
  const told = progress.result.items.map((item) =>
    item.kind === 'embedding' ? [item.key, item.embeddings.vectors.length, item.embeddings.usage] : item,
  );
  expect(told).toEqual([
    ['two', 2, tokens(3)],
    ['one', 1, tokens(1)],
  ]);
});

const told = (key: string, tokenCount: string) => entry(key, { response: { embedding: { values: [1] }, tokenCount } });

test('believes the tokens that the upstream tells of a vector', async () => {
  const { job } = await provider.batches.start(embeddings, context);
  const list = [told('0.0', '5'), told('0.1', '6'), told('1.0', '7')];
  fake.scriptJobs(
    operation('BATCH_STATE_SUCCEEDED', { output: { inlinedEmbedContentResponses: { inlinedResponses: list } } }),
  );
  const progress = await provider.batches.poll(job, context);
  const quantities =
    progress.kind === 'done'
      ? progress.result.items.map((item) => (item.kind === 'embedding' ? item.embeddings.usage[0]?.quantity : item))
      : [];
  expect(quantities).toEqual([11, 7]);
});

test('measures nothing of an uncounted embedding', async () => {
  fake.script({ kind: 'status', status: 500 }, { kind: 'status', status: 500 });
  const { job } = await provider.batches.start(embeddings, context);
  const progress = await provider.batches.poll(job, context);
  const [item] = progress.kind === 'done' ? progress.result.items : [];
  expect(item?.kind === 'embedding' && item.embeddings.usage).toEqual([]);
});

test('refuses a batch of two kinds, and one that it cannot send, before anything is sent', async () => {
  const mixed = { ...batch, items: [...batch.items.slice(0, 1), ...embeddings.items.slice(0, 1)] };
  expect(await reasonOf(provider.batches.start(mixed, context))).toBe('unsupported');
  const parts = [{ kind: 'function_call', id: '1', name: 'f', arguments: 'no object' }] as const;
  const call = { ...generation('x'), contents: [{ role: 'model', parts }] } as const;
  const bad = { ...batch, items: [{ key: 'k', kind: 'generation', call }] } as const;
  expect(await reasonOf(provider.batches.start(bad, context))).toBe('unsupported');
  expect(fake.count()).toBe(0);
});

test('keeps in a job only what is needed to find it and to read its results', async () => {
  const { job } = await provider.batches.start(batch, context);
  expect(job).not.toContain('One');
  expect(asObject(parseJson(job))?.['items']).toEqual([
    { key: 'first', outputTokensMax: 100 },
    { key: 'second', outputTokensMax: 100 },
  ]);
});

const projectFile = (references: string[]): ProjectFile => ({
  id: 'f',
  displayName: 'a.txt',
  mimeType: 'text/plain',
  sizeBytes: 5,
  sha256: '',
  expiresAtMs: Date.now() + 1e9,
  reference: null,
  keepReference: (reference) => Promise.resolve(void references.push(reference)),
  read: () => twice(Buffer.from('words')),
});

test('keeps a store: created, a file imported and counted, removed with what it holds', async () => {
  const { reference: store } = await provider.stores.create({ id: 'ours', displayName: null }, context);
  expect(lastBody()).toEqual({ displayName: 'ours' });
  const references: string[] = [];
  const { job } = await provider.stores.imports.start(
    { operationId: 'operation', store, file: projectFile(references) },
    context,
  );
  expect([fake.requests.at(-1)?.path, lastBody()]).toEqual([
    `/v1beta/${store}:importFile`,
    { fileName: fake.files()[0]?.name },
  ]);
  expect(references).toHaveLength(1);
  const progress = await provider.stores.imports.poll(job, context);
  if (progress.kind !== 'done') throw new Error('not done');
  const { reference, usage } = progress.result;
  expect(fake.stores()).toEqual([store, reference]);
  expect(usage).toEqual([{ unit: 'indexing_tokens', quantity: 258, confirmed: true }]);
  await provider.stores.removeDocument(reference, context);
  await provider.stores.removeDocument(reference, context);
  expect(fake.stores()).toEqual([store]);
  await provider.stores.imports.start({ operationId: 'operation', store, file: projectFile(references) }, context);
  await provider.stores.remove(store, context);
  await provider.stores.remove(store, context);
  expect(fake.stores()).toEqual([]);
});

test('measures nothing of an uncounted import, and reports one that failed', async () => {
  const { reference: store } = await provider.stores.create({ id: 'ours', displayName: 'Books' }, context);
  fake.script({ kind: 'status', status: 500 });
  const { job } = await provider.stores.imports.start(
    { operationId: 'operation', store, file: projectFile([]) },
    context,
  );
  fake.scriptJobs(
    { kind: 'answer', responses: [{ done: false }] },
    { kind: 'answer', responses: [{ done: true, response: { documentName: 'd' } }] },
    { kind: 'answer', responses: [{ done: true, error: { code: 3, message: 'words' } }] },
    { kind: 'answer', responses: [{ done: true }] },
  );
  expect(await provider.stores.imports.poll(job, context)).toEqual({ kind: 'running' });
  expect(await provider.stores.imports.poll(job, context)).toEqual({
    kind: 'done',
    result: { reference: `${store}/documents/d`, usage: [] },
  });
  expect(await reasonOf(provider.stores.imports.poll(job, context))).toBe('invalid_request');
  expect(await reasonOf(provider.stores.imports.poll(job, context))).toMatch(/^outcome unknown/);
});
