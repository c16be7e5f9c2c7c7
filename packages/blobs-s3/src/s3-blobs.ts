import {
  isBlobKey,
  rangeWithin,
  regroupChunks,
  type BlobRange,
  type BlobStore,
  type BlobStream,
} from '@tollgate/storage';
import { checkDigest, digestHeader, emptyDigest, readDigest, toDigest } from './content-digest.ts';
import { runInTime, type Deadline } from './deadline.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { createIncomingStream } from './incoming-stream.ts';
import { beginUpload, type MultipartUpload } from './multipart.ts';
import { readAnswer, readStart } from './read-answer.ts';
import { readBytes, readLength } from './read-bytes.ts';
import { runAttempts } from './run-attempts.ts';
import { S3Failure } from './s3-failure.ts';
import { parseS3Options, type S3BlobsOptions, type S3Settings } from './s3-options.ts';

interface Store {
  readonly settings: S3Settings;
  readonly send: Exchange;
}

const checkKey = (key: string): void => {
  if (!isBlobKey(key)) throw new Error('not a blob key');
};

const put = async ({ settings, send }: Store, key: string, bytes: Uint8Array): Promise<void> => {
  checkKey(key);
  if (bytes.byteLength > settings.bytesMax) throw new Error(`S3 put: more than ${settings.bytesMax} bytes`);
  // A copy, so that every attempt sends what the digest was made of.
  const body = Uint8Array.from(bytes);
  const digest = await toDigest(body);
  const headers = { [digestHeader]: digest };
  await runAttempts('put', settings, () =>
    runInTime(settings.timeoutMs, async ({ signal }) => {
      const response = await send({ method: 'PUT', key, headers, payload: digest, body }, signal);
      if ((await readAnswer(response)) === 'missing') throw new S3Failure('answered 404 NoSuchKey', false);
      await readStart(response.body);
    }),
  );
};

/**
 * What fits into one part is put in one piece, with its digest; anything longer in parts, of which nothing is seen before the last.
 */
const putStream = async (store: Store, key: string, chunks: AsyncIterable<Uint8Array>): Promise<number> => {
  checkKey(key);
  const { partBytes } = store.settings;
  let upload: MultipartUpload | undefined;
  let sizeBytes = 0;
  try {
    for await (const part of regroupChunks(chunks, partBytes)) {
      sizeBytes += part.length;
      if (upload === undefined && part.length < partBytes) {
        await put(store, key, part);
        return sizeBytes;
      }
      upload ??= await beginUpload(store, key);
      await upload.send(part);
    }
    if (upload === undefined) await put(store, key, new Uint8Array());
    else await upload.complete();
  } catch (cause) {
    // The first error is the one that tells; parts that stay behind are for the bucket's own rule.
    await upload?.abort().catch(() => undefined);
    throw cause;
  }
  return sizeBytes;
};

const get = async ({ settings, send }: Store, key: string): Promise<Uint8Array | undefined> => {
  checkKey(key);
  return runAttempts('get', settings, () =>
    runInTime(settings.timeoutMs, async ({ signal }) => {
      const response = await send({ method: 'GET', key, headers: {}, payload: emptyDigest }, signal);
      if ((await readAnswer(response)) === 'missing') return undefined;
      const length = readLength(response);
      if (length > settings.bytesMax) throw new S3Failure(`more than ${settings.bytesMax} bytes`, false);
      const bytes = await readBytes(response.body, length);
      checkDigest(readDigest(response), await toDigest(bytes));
      return bytes;
    }),
  );
};

interface Opened {
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly deadline: Deadline;
}

/** The size of the whole blob, and how many bytes of it come. */
const readSizes = (
  response: Response,
  range: string | undefined,
): { readonly whole: number; readonly bytes: number } => {
  const bytes = readLength(response);
  if (range === undefined) return { whole: bytes, bytes };
  const [, from, total] = /^bytes (\d+)-\d+\/(\d{1,15})$/.exec(response.headers.get('content-range') ?? '') ?? [];
  if (response.status !== 206 || !range.startsWith(`bytes=${from}-`))
    throw new S3Failure('the answer is not the range', false);
  return { whole: Number(total), bytes };
};

const openStream = ({ settings, send }: Store, key: string, range: string | undefined): Promise<Opened | undefined> =>
  runAttempts('get', settings, () =>
    runInTime(settings.timeoutMs, async (deadline) => {
      const headers: Readonly<Record<string, string>> = range === undefined ? {} : { range };
      const response = await send({ method: 'GET', key, headers, payload: emptyDigest }, deadline.signal);
      if ((await readAnswer(response)) === 'missing') return undefined;
      const { whole, bytes } = readSizes(response, range);
      const body = response.body ?? new Blob([]).stream();
      // The digest is that of the whole.
      const digest = range === undefined ? readDigest(response) : undefined;
      return { sizeBytes: whole, chunks: createIncomingStream({ body, bytes, digest }, deadline), deadline };
    }),
  );

async function* firstBytes(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

const leave = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  await chunks[Symbol.asyncIterator]().return?.();
};

/** A service answers 416 to a range of no bytes, so the size is asked for first. */
const openRange = async (store: Store, key: string, range: BlobRange): Promise<Opened | undefined> => {
  const whole = await openStream(store, key, undefined);
  if (whole === undefined) return undefined;
  const { fromByte, toByte } = rangeWithin(whole.sizeBytes, range);
  if (fromByte === 0 && toByte === whole.sizeBytes) return whole;
  await leave(whole.chunks);
  if (fromByte === toByte) return { ...whole, chunks: new Blob([]).stream() };
  const part = await openStream(store, key, `bytes=${fromByte}-${toByte - 1}`);
  // Some services send more than was asked for.
  return part && { ...part, chunks: firstBytes(part.chunks, toByte - fromByte) };
};

const getStream = async (store: Store, key: string, range?: BlobRange): Promise<BlobStream | undefined> => {
  checkKey(key);
  if (range !== undefined) rangeWithin(0, range);
  const opened = await (range === undefined ? openStream(store, key, undefined) : openRange(store, key, range));
  if (opened === undefined) return undefined;
  // A receiver that does not begin to read in time loses the connection.
  opened.deadline.start();
  return { sizeBytes: opened.sizeBytes, chunks: opened.chunks };
};

const remove = async ({ settings, send }: Store, key: string): Promise<void> => {
  checkKey(key);
  await runAttempts('delete', settings, () =>
    runInTime(settings.timeoutMs, async ({ signal }) => {
      const response = await send({ method: 'DELETE', key, headers: {}, payload: emptyDigest }, signal);
      if ((await readAnswer(response)) === 'done') await readStart(response.body);
    }),
  );
};

/**
 * Blobs as objects of a bucket at an S3-compatible service. Throws where an option is wrong; asks the service nothing.
 *
 * A blob that the service says it does not have is undefined; everything else that goes wrong is an Error without the service's
 * text, after `retries` further attempts where it may pass (connections, times run out, 408, 429, 500, 502, 503, 504). The
 * credentials need GetObject, PutObject, DeleteObject, AbortMultipartUpload and, at AWS, ListBucket: without it AWS says 403 for a missing blob.
 *
 * All content is signed by its SHA-256, so the service refuses what was changed on its way. Of what was put in one piece the digest
 * is kept as metadata, and compared by `get` and `getStream`. ETags are not trusted, being no digest of the content at many services
 * and with many kinds of encryption.
 *
 * A stream longer than `partBytes` is uploaded in parts. What a process that died left of such an upload is removed by the bucket's own
 * rule for incomplete uploads, which should be set.
 *
 * Known to work: s3rver, which the tests run against and which checks signatures, though not content against them; signatures are
 * also compared with AWS's published example. Made for AWS S3, Cloudflare R2, Backblaze B2, MinIO, Ceph and others, but not run
 * against them: it sends PUT, GET, DELETE and multipart requests signed in headers, with one metadata header. It sends no
 * `x-amz-checksum-*` header, which B2 refuses, and no signed chunks, which R2 has refused.
 */
export const s3Blobs = (options: S3BlobsOptions): BlobStore => {
  const settings = parseS3Options(options);
  const store: Store = { settings, send: createExchange(settings) };
  return {
    put: (key, bytes) => put(store, key, bytes),
    get: (key) => get(store, key),
    delete: (key) => remove(store, key),
    putStream: (key, chunks) => putStream(store, key, chunks),
    getStream: (key, range) => getStream(store, key, range),
  };
};
