import { createHash, randomBytes } from 'node:crypto';
import { blobKeyCharsMax, type BlobStore } from '@tollgate/storage';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../../../test/s3-fault-proxy.ts';
import { startS3Server, type S3Server } from '../../../test/s3-server.ts';
import { s3Blobs } from './s3-blobs.ts';
import type { S3BlobsOptions, S3Fetch } from './s3-options.ts';

const mebibyte = 1024 * 1024;
let server: S3Server;
let proxy: FaultProxy;
let pauses: number[];

beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.stop());
beforeEach(async () => {
  proxy = await startFaultProxy(server.port);
  pauses = [];
});
afterEach(() => proxy.stop());

const sleep = (ms: number): Promise<void> => {
  pauses.push(ms);
  return Promise.resolve();
};

const optionsAt = (endpoint: string): S3BlobsOptions => {
  const { bucket, accessKeyId, secretAccessKey } = server;
  return { endpoint, bucket, accessKeyId, secretAccessKey, sleep, random: () => 1 };
};

const direct = (options: Partial<S3BlobsOptions> = {}): BlobStore =>
  s3Blobs({ ...optionsAt(`http://127.0.0.1:${server.port}`), ...options });
const faulty = (options: Partial<S3BlobsOptions> = {}): BlobStore => s3Blobs({ ...optionsAt(proxy.url), ...options });

/** The bytes in uneven pieces, and no hint of how many there are. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 70_001) yield bytes.subarray(at, at + 70_001);
}

const readAll = async (chunks: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of chunks ?? []) pieces.push(piece);
  return Buffer.concat(pieces);
};

test.each([0, 1, 64 * 1024, 20 * mebibyte])('gives back %i bytes as they were put', async (size) => {
  const bytes = new Uint8Array(randomBytes(size));
  const blobs = direct();
  await blobs.put(`round/${size}`, bytes);
  const found = await blobs.get(`round/${size}`);
  expect(found?.byteLength).toBe(size);
  expect(Buffer.compare(found ?? new Uint8Array(1), bytes)).toBe(0);
});

test.each([
  ['a', 'a'],
  // The server keeps objects as files, whose names are shorter than a key.
  ['the longest', [200, 200, blobKeyCharsMax - 402].map((chars) => 'k'.repeat(chars)).join('/')],
  ['many parts', Array.from({ length: 100 }, (_, at) => `p${at}`).join('/')],
  ['signs', '-_-/__/--/A-z_0'],
])('takes the key: %s', async (_name, key) => {
  const blobs = direct();
  await blobs.put(key, Buffer.from(key));
  expect(Buffer.from((await blobs.get(key)) ?? []).toString()).toBe(key);
});

test.each([
  ['empty', ''],
  ['a / before', '/a'],
  ['a / behind', 'a/'],
  ['two /', 'a//b'],
  ['the folder above', '../a'],
  ['a dot', 'a.b'],
  ['a query', 'a?b'],
  ['a space', 'a b'],
  ['another letter', 'é'],
  ['too long', 'k'.repeat(blobKeyCharsMax + 1)],
])('refuses what is no blob key: %s', async (_name, key) => {
  const blobs = faulty();
  await expect(blobs.put(key, new Uint8Array(1))).rejects.toThrow('not a blob key');
  await expect(blobs.get(key)).rejects.toThrow('not a blob key');
  await expect(blobs.delete(key)).rejects.toThrow('not a blob key');
  await expect(blobs.putStream(key, piecesOf(new Uint8Array(1)))).rejects.toThrow('not a blob key');
  await expect(blobs.getStream(key)).rejects.toThrow('not a blob key');
  expect(proxy.seen).toEqual([]);
});

test('tells a missing blob by undefined', async () => {
  expect(await direct().get('never-put')).toBeUndefined();
  expect(await direct().getStream('never-put')).toBeUndefined();
});

test('replaces what was there', async () => {
  const blobs = direct();
  await blobs.put('replaced', Buffer.from('a first and longer content'));
  await blobs.put('replaced', Buffer.from('second'));
  expect(Buffer.from((await blobs.get('replaced')) ?? []).toString()).toBe('second');
});

test('deletes a blob, and what is not there without an error', async () => {
  const blobs = direct();
  await blobs.put('gone', Buffer.from('x'));
  await blobs.delete('gone');
  await blobs.delete('gone');
  expect(await blobs.get('gone')).toBeUndefined();
});

test('keeps blobs with different prefixes apart', async () => {
  await direct({ prefix: 'one/' }).put('same', Buffer.from('1'));
  await direct({ prefix: 'two/' }).put('same', Buffer.from('2'));
  expect(Buffer.from((await direct().get('one/same')) ?? []).toString()).toBe('1');
  expect(Buffer.from((await direct({ prefix: 'two/' }).get('same')) ?? []).toString()).toBe('2');
});

test('puts and gets 40 blobs at once', async () => {
  const blobs = direct();
  const contents = Array.from({ length: 40 }, (_, at) => Buffer.alloc(10_000 + at, at));
  await Promise.all(contents.map((content, at) => blobs.put(`at-once/${at}`, content)));
  const found = await Promise.all(contents.map((_, at) => blobs.get(`at-once/${at}`)));
  expect(found.every((bytes, at) => Buffer.compare(bytes ?? Buffer.of(), contents[at] ?? Buffer.of()) === 0)).toBe(
    true,
  );
});

test('stores what the bytes were when put was called', async () => {
  const bytes = Buffer.from('before');
  const stored = direct().put('changed-later', bytes);
  bytes.write('after!');
  await stored;
  expect(Buffer.from((await direct().get('changed-later')) ?? []).toString()).toBe('before');
});

test('is refused by the service with a wrong secret, without another attempt', async () => {
  const blobs = faulty({ secretAccessKey: 'not-the-secret' });
  await expect(blobs.put('k', new Uint8Array(1))).rejects.toThrow(/^S3 put: answered 403 SignatureDoesNotMatch$/);
  await expect(blobs.get('k')).rejects.toThrow(/^S3 get: answered 403 SignatureDoesNotMatch$/);
  await expect(blobs.delete('k')).rejects.toThrow(/^S3 delete: answered 403 SignatureDoesNotMatch$/);
  await expect(blobs.putStream('k', piecesOf(new Uint8Array(1)))).rejects.toThrow('SignatureDoesNotMatch');
  await expect(blobs.getStream('k')).rejects.toThrow('SignatureDoesNotMatch');
  expect(proxy.seen).toHaveLength(5);
});

test('takes a bucket that does not exist for an error, not for missing blobs', async () => {
  const blobs = direct({ bucket: 'another-bucket' });
  await expect(blobs.get('k')).rejects.toThrow('answered 404 NoSuchBucket');
  await expect(blobs.put('k', new Uint8Array(1))).rejects.toThrow('answered 404 NoSuchBucket');
});

test('takes a 404 without an S3 code for an error', async () => {
  proxy.plan({ kind: 'status', status: 404, body: '<html>not found</html>' });
  await expect(faulty().get('k')).rejects.toThrow(/^S3 get: answered 404$/);
});

test('signs the digest of the content, and the session token', async () => {
  const bytes = Buffer.from('signed content');
  await faulty({ sessionToken: 'a-token' }).put('signed', bytes);
  const headers = proxy.seen[0]?.headers;
  const digest = createHash('sha256').update(bytes).digest('hex');
  expect(headers?.['x-amz-content-sha256']).toBe(digest);
  expect(headers?.['x-amz-security-token']).toBe('a-token');
  expect(headers?.authorization).toContain(
    'SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-meta-sha256;x-amz-security-token',
  );
});

test('signs for the time that the clock tells', async () => {
  await faulty({ nowMs: () => Date.UTC(2020, 0, 2, 3, 4, 5, 678) }).get('never-put');
  expect(proxy.seen[0]?.headers['x-amz-date']).toBe('20200102T030405Z');
});

test('repeats after answers that may pass, with pauses that double', async () => {
  const blobs = faulty();
  proxy.plan(...[500, 503, 429].map((status) => ({ kind: 'status', status }) as const));
  await blobs.put('patient', Buffer.from('stored'));
  expect(pauses).toEqual([100, 200, 400]);
  proxy.plan(...[502, 504, 408].map((status) => ({ kind: 'status', status }) as const));
  expect(Buffer.from((await blobs.get('patient')) ?? []).toString()).toBe('stored');
  proxy.plan({ kind: 'status', status: 503 });
  expect(Buffer.from(await readAll((await blobs.getStream('patient'))?.chunks)).toString()).toBe('stored');
  proxy.plan({ kind: 'status', status: 503 });
  await blobs.delete('patient');
  expect(await blobs.get('patient')).toBeUndefined();
});

test('gives up after the last attempt and shows nothing of the answer but its code', async () => {
  const body = '<Error><Code>SlowDown</Code><Message>inner-host-7 is busy</Message></Error>';
  const slow = { kind: 'status', status: 503, body } as const;
  proxy.plan(slow, slow, slow);
  await expect(faulty({ retries: 2 }).get('k')).rejects.toThrow(/^S3 get: answered 503 SlowDown$/);
  expect(proxy.seen).toHaveLength(3);
});

test('repeats an upload that the service says has stalled', async () => {
  proxy.plan({ kind: 'status', status: 400, body: '<Error><Code>RequestTimeout</Code></Error>' });
  await faulty().put('stalled', Buffer.from('x'));
  expect(proxy.seen).toHaveLength(2);
});

test.each([400, 403, 412, 501])('does not repeat after status %i', async (status) => {
  proxy.plan({ kind: 'status', status });
  await expect(faulty().put('k', new Uint8Array(1))).rejects.toThrow(`S3 put: answered ${status}`);
  expect(proxy.seen).toHaveLength(1);
});

test('follows no redirect', async () => {
  const other = await startFaultProxy(server.port);
  try {
    const moved = { kind: 'status', status: 307, location: `${other.url}/blobs/k` } as const;
    proxy.plan(moved, moved, moved);
    await expect(faulty().put('k', new Uint8Array(1))).rejects.toThrow('S3 put: answered 307');
    await expect(faulty().get('k')).rejects.toThrow('S3 get: answered 307');
    await expect(faulty().putStream('k', piecesOf(new Uint8Array(1)))).rejects.toThrow('S3 put:');
    expect(other.seen).toEqual([]);
  } finally {
    await other.stop();
  }
});

test('repeats a put whose connection was cut in the middle of the content', async () => {
  const bytes = new Uint8Array(randomBytes(4 * mebibyte));
  proxy.plan({ kind: 'cut_request', bytes: mebibyte });
  await faulty().put('cut-up', bytes);
  expect(proxy.seen).toHaveLength(2);
  expect(Buffer.compare((await direct().get('cut-up')) ?? Buffer.of(), bytes)).toBe(0);
});

test('repeats a put whose answer was lost', async () => {
  proxy.plan({ kind: 'cut_answer', bytes: 0 });
  await faulty().put('answer-lost', Buffer.from('whole'));
  expect(Buffer.from((await direct().get('answer-lost')) ?? []).toString()).toBe('whole');
});

test('repeats a get whose connection was cut in the middle of the content', async () => {
  const bytes = new Uint8Array(randomBytes(4 * mebibyte));
  await direct().put('cut-down', bytes);
  proxy.plan({ kind: 'cut_answer', bytes: mebibyte });
  expect(Buffer.compare((await faulty().get('cut-down')) ?? Buffer.of(), bytes)).toBe(0);
  expect(proxy.seen).toHaveLength(2);
});

test('tells that the connection failed where nothing listens', async () => {
  const port = proxy.url;
  await proxy.stop();
  const blobs = s3Blobs({ ...optionsAt(port), retries: 1 });
  await expect(blobs.get('k')).rejects.toThrow(/^S3 get: the connection failed$/);
  expect(pauses).toEqual([100]);
  proxy = await startFaultProxy(server.port);
});

test('ends an attempt when its time is over', async () => {
  proxy.plan({ kind: 'silence' }, { kind: 'silence' });
  await expect(faulty({ timeoutMs: 50, retries: 1 }).get('k')).rejects.toThrow(/^S3 get: nothing came for 50 ms$/);
  expect(pauses).toEqual([100]);
});

test('ends a get whose content stalls', async () => {
  await direct().put('stalls', new Uint8Array(mebibyte));
  proxy.plan({ kind: 'stall_answer', bytes: 1000 });
  await expect(faulty({ timeoutMs: 100, retries: 0 }).get('stalls')).rejects.toThrow('nothing came for 100 ms');
});

test('asks again for content that is not what was stored, and refuses it in the end', async () => {
  await direct().put('bent', Buffer.from('straight content'));
  proxy.plan({ kind: 'bend_answer' });
  expect(Buffer.from((await faulty().get('bent')) ?? []).toString()).toBe('straight content');
  proxy.plan({ kind: 'bend_answer' });
  await expect(faulty({ retries: 0 }).get('bent')).rejects.toThrow('S3 get: the content is not what was stored');
  proxy.plan({ kind: 'bend_answer' });
  const found = await faulty().getStream('bent');
  await expect(readAll(found?.chunks)).rejects.toThrow('S3 get: the content is not what was stored');
});

test('holds no more in memory than it may', async () => {
  await direct().put('large', new Uint8Array(1001));
  const blobs = faulty({ bytesMax: 1000 });
  await expect(blobs.get('large')).rejects.toThrow('S3 get: more than 1000 bytes');
  expect(proxy.seen).toHaveLength(1);
  await expect(blobs.put('large', new Uint8Array(1001))).rejects.toThrow('S3 put: more than 1000 bytes');
  expect(proxy.seen).toHaveLength(1);
  await blobs.put('large', new Uint8Array(1000));
  expect((await blobs.get('large'))?.byteLength).toBe(1000);
});

test('breaks off an answer that it does not want', async () => {
  await direct().put('unwanted', new Uint8Array(mebibyte));
  const signals: (AbortSignal | null | undefined)[] = [];
  const recording: S3Fetch = (url, init) => {
    signals.push(init.signal);
    return fetch(url, init);
  };
  const blobs = direct({ bytesMax: 1000, fetch: recording });
  await expect(blobs.get('unwanted')).rejects.toThrow('more than 1000 bytes');
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

const partBytes = 5 * mebibyte;

test.each([
  [0, ['PUT']],
  [1, ['PUT']],
  [partBytes - 1, ['PUT']],
  [partBytes, ['POST', 'PUT', 'POST']],
  [2 * partBytes + 7, ['POST', 'PUT', 'PUT', 'PUT', 'POST']],
])('streams %i bytes both ways, without knowing how many there are', async (size, methods) => {
  const bytes = randomBytes(size);
  const blobs = faulty();
  expect(await blobs.putStream(`streamed/${size}`, piecesOf(bytes))).toBe(size);
  expect(proxy.seen.map(({ method }) => method)).toEqual(methods);
  const found = await blobs.getStream(`streamed/${size}`);
  expect(found?.sizeBytes).toBe(size);
  expect(Buffer.compare(await readAll(found?.chunks), bytes)).toBe(0);
  expect(Buffer.compare((await blobs.get(`streamed/${size}`)) ?? Buffer.of(1), bytes)).toBe(0);
});

test('gives the range of a blob that was asked for, and its whole size', async () => {
  const bytes = randomBytes(100_000);
  await direct().put('ranged', bytes);
  for (const [fromByte, toByte] of [
    [0, 100_000],
    [0, 1],
    [99_999, 100_000],
    [500, 500],
    [200_000, 300_000],
    [70_000, 300_000],
  ] as const) {
    const found = await direct().getStream('ranged', { fromByte, toByte });
    expect(found?.sizeBytes).toBe(100_000);
    expect(Buffer.compare(await readAll(found?.chunks), bytes.subarray(fromByte, toByte))).toBe(0);
  }
  expect(await direct().getStream('not/there', { fromByte: 1 })).toBeUndefined();
});

test('repeats a part whose connection was cut, and every step of an upload that may pass', async () => {
  const bytes = randomBytes(partBytes + 3);
  proxy.plan({ kind: 'status', status: 503 }, { kind: 'status', status: 200, body: '<UploadId>x</UploadId>' });
  await expect(faulty().putStream('parts', piecesOf(bytes))).rejects.toThrow('S3 put');
  proxy.plan(...[500, 500].map((status) => ({ kind: 'status', status }) as const), {
    kind: 'status',
    status: 503,
  });
  await faulty().putStream('parts', piecesOf(bytes));
  expect(Buffer.compare((await direct().get('parts')) ?? Buffer.of(1), bytes)).toBe(0);
});

async function* broken(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(partBytes);
  await Promise.resolve();
  throw new Error('the client has left');
}

test('keeps what was there, and aborts the upload, where the source breaks', async () => {
  await direct().put('broken', Buffer.from('before'));
  await expect(faulty().putStream('broken', broken())).rejects.toThrow('the client has left');
  expect(proxy.seen.map(({ method }) => method)).toEqual(['POST', 'PUT', 'DELETE']);
  expect(Buffer.from((await direct().get('broken')) ?? []).toString()).toBe('before');
});

test('takes an error that comes with status 200 for an error', async () => {
  const bytes = randomBytes(partBytes);
  const blobs = s3Blobs({
    ...optionsAt(proxy.url),
    retries: 0,
    fetch: async (url, init) => {
      const isLast = url.includes('uploadId') && init.method === 'POST';
      return isLast ? new Response('<Error><Code>InternalError</Code></Error>') : fetch(url, init);
    },
  });
  await expect(blobs.putStream('late', piecesOf(bytes))).rejects.toThrow('answered 200 with an error');
  expect(await direct().get('late')).toBeUndefined();
});

test('ends a stream with an error where the connection was cut or stalls', async () => {
  await direct().put('breaks', new Uint8Array(4 * mebibyte));
  proxy.plan({ kind: 'cut_answer', bytes: mebibyte });
  const cut = await faulty().getStream('breaks');
  await expect(readAll(cut?.chunks)).rejects.toThrow(/^S3 get: the connection failed$/);
  proxy.plan({ kind: 'stall_answer', bytes: mebibyte });
  const stalled = await faulty({ timeoutMs: 1000 }).getStream('breaks');
  await expect(readAll(stalled?.chunks)).rejects.toThrow(/^S3 get: nothing came for 1000 ms$/);
});

test('lets a stream be left half-way', async () => {
  await direct().put('half', new Uint8Array(4 * mebibyte));
  const found = await direct().getStream('half');
  for await (const chunk of found?.chunks ?? []) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  expect((await direct().get('half'))?.byteLength).toBe(4 * mebibyte);
});
