import { isBlobKey, type BlobStore } from '@tollgate/storage';
import { checkDigest, digestHeader, emptyDigest, readDigest, toDigest } from './content-digest.ts';
import { runInTime } from './deadline.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { createIncomingStream } from './incoming-stream.ts';
import { createOutgoingStream } from './outgoing-stream.ts';
import { readAnswer, readStart } from './read-answer.ts';
import { readBytes, readLength } from './read-bytes.ts';
import { runAttempts } from './run-attempts.ts';
import { S3Failure } from './s3-failure.ts';
import { parseS3Options, type S3BlobsOptions, type S3Settings } from './s3-options.ts';
import { unsignedPayload } from './sign-request.ts';

/** A blob as it arrives. */
export interface S3BlobStream {
  readonly bytes: number;
  /** Ends with an error where the content breaks off or is not what was stored. Read it to its end, or cancel it. */
  readonly stream: ReadableStream<Uint8Array>;
}

/** A blob store that can also pass content on without holding it. */
export interface S3Blobs extends BlobStore {
  /**
   * Stores exactly that many bytes, at most 5 GiB. Durable when it resolves. Attempted once, since a stream can be read once,
   * and cancelled when it fails; the service then keeps what was there before.
   */
  putStream(key: string, stream: ReadableStream<Uint8Array>, bytes: number): Promise<void>;
  getStream(key: string): Promise<S3BlobStream | undefined>;
}

interface Store {
  readonly settings: S3Settings;
  readonly send: Exchange;
}

/** Of one upload in one piece, by every service. */
const streamBytesMax = 5 * 1024 ** 3;

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

const putStream = async (
  { settings, send }: Store,
  key: string,
  source: ReadableStreamDefaultReader<Uint8Array>,
  bytes: number,
): Promise<void> => {
  checkKey(key);
  if (!Number.isSafeInteger(bytes) || bytes < 0 || bytes > streamBytesMax) {
    throw new Error(`S3 put: the length is not from 0 to ${streamBytesMax} bytes`);
  }
  const headers = { 'content-length': String(bytes) };
  await runAttempts('put', { ...settings, retries: 0 }, () =>
    runInTime(settings.timeoutMs, async (deadline) => {
      const body = createOutgoingStream(source, bytes, deadline);
      const response = await send({ method: 'PUT', key, headers, payload: unsignedPayload, body }, deadline.signal);
      if ((await readAnswer(response)) === 'missing') throw new S3Failure('answered 404 NoSuchKey', false);
      await readStart(response.body);
    }),
  );
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

const getStream = async ({ settings, send }: Store, key: string): Promise<S3BlobStream | undefined> => {
  checkKey(key);
  return runAttempts('get', settings, () =>
    runInTime(settings.timeoutMs, async (deadline) => {
      const response = await send({ method: 'GET', key, headers: {}, payload: emptyDigest }, deadline.signal);
      if ((await readAnswer(response)) === 'missing') return undefined;
      const bytes = readLength(response);
      const body = response.body ?? new Blob([]).stream();
      return { bytes, stream: createIncomingStream({ body, bytes, digest: readDigest(response) }, deadline) };
    }),
  );
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
 * credentials need GetObject, PutObject, DeleteObject and, at AWS, ListBucket: without it AWS says 403 for a missing blob.
 *
 * Content that `put` sends is signed by its SHA-256, so the service refuses what was changed on its way; the digest is kept as
 * metadata and compared by `get` and `getStream`. What `putStream` sends is guarded by its length and by TLS. ETags are not
 * trusted, being no digest of the content at many services and with many kinds of encryption.
 *
 * Known to work: s3rver, which the tests run against and which checks signatures, though not content against them; signatures are
 * also compared with AWS's published example. Made for AWS S3, Cloudflare R2, Backblaze B2, MinIO, Ceph and others, but not run
 * against them: it sends single PUT, GET and DELETE requests signed in headers, with one metadata header. It sends no
 * `x-amz-checksum-*` header, which B2 refuses, and no signed chunks, which R2 has refused.
 */
export const s3Blobs = (options: S3BlobsOptions): S3Blobs => {
  const settings = parseS3Options(options);
  const store: Store = { settings, send: createExchange(settings) };
  return {
    put: (key, bytes) => put(store, key, bytes),
    get: (key) => get(store, key),
    delete: (key) => remove(store, key),
    putStream: async (key, stream, bytes) => {
      const source = stream.getReader();
      try {
        await putStream(store, key, source, bytes);
      } finally {
        // A source that broke has nothing left to cancel, and its failure was told already.
        await source.cancel().catch(() => undefined);
      }
    },
    getStream: (key) => getStream(store, key),
  };
};
