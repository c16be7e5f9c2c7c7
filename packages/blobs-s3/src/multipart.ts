import { toDigest } from './content-digest.ts';
import { runInTime } from './deadline.ts';
import type { Exchange, S3Request } from './exchange.ts';
import { readAnswer, readStart } from './read-answer.ts';
import { runAttempts } from './run-attempts.ts';
import { S3Failure } from './s3-failure.ts';
import type { S3Settings } from './s3-options.ts';

/** What a service lets an upload have at the most. */
const partsMax = 10_000;

/** One upload in parts, of which nothing is seen before it is completed. */
export interface MultipartUpload {
  /** Sends the next part: of `partBytes`, the last one of fewer. */
  send(part: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  /** Throws the parts away. */
  abort(): Promise<void>;
}

export interface MultipartStore {
  readonly settings: S3Settings;
  readonly send: Exchange;
}

interface Answered {
  readonly etag: string | null;
  readonly text: string;
}

const ask = ({ settings, send }: MultipartStore, request: Omit<S3Request, 'payload' | 'headers'>): Promise<Answered> =>
  runAttempts('put', settings, () =>
    runInTime(settings.timeoutMs, async ({ signal }) => {
      const payload = await toDigest(request.body ?? new Uint8Array());
      const response = await send({ ...request, headers: {}, payload }, signal);
      if ((await readAnswer(response)) === 'missing') throw new S3Failure('answered 404 NoSuchKey', false);
      const text = await readStart(response.body);
      // A service may find out that it fails only after it has said 200.
      if (text.includes('<Error>')) throw new S3Failure('answered 200 with an error', true);
      return { etag: response.headers.get('etag'), text };
    }),
  );

const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };
const plain = (text: string): string => text.replaceAll(/&(\w+);/g, (all, name: string) => entities[name] ?? all);
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const readUploadId = (text: string): string => {
  const id = /<UploadId>([^<]{1,2000})<\/UploadId>/.exec(text)?.[1];
  if (id === undefined) throw new Error('S3 put: the answer names no upload');
  return plain(id);
};

const completion = (etags: readonly string[]): Uint8Array<ArrayBuffer> => {
  const parts = etags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
  return new TextEncoder().encode(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
};

/** Begins an upload under a key. */
export const beginUpload = async (store: MultipartStore, key: string): Promise<MultipartUpload> => {
  const { text } = await ask(store, { method: 'POST', key, query: 'uploads=' });
  const query = `uploadId=${encodeURIComponent(readUploadId(text))}`;
  const etags: string[] = [];
  return {
    send: async (part) => {
      if (etags.length === partsMax) throw new Error(`S3 put: more than ${partsMax} parts`);
      // A copy, so that every attempt sends what the digest was made of.
      const body = Uint8Array.from(part);
      const numbered = `partNumber=${etags.length + 1}&${query}`;
      const { etag } = await ask(store, { method: 'PUT', key, query: numbered, body });
      if (etag === null) throw new Error('S3 put: the answer has no ETag');
      etags.push(etag);
    },
    complete: async () => {
      await ask(store, { method: 'POST', key, query, body: completion(etags) });
    },
    abort: async () => {
      await ask(store, { method: 'DELETE', key, query });
    },
  };
};
