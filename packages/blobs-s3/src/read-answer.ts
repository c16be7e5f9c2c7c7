import { S3Failure } from './s3-failure.ts';

/** Enough of an error's document to hold its code. */
const documentBytesMax = 4096;

/** Reads a short body, so that its connection can be used again; of a longer one the start only. */
export const readStart = async (body: ReadableStream<Uint8Array> | null): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of body ?? []) {
    text += decoder.decode(piece.subarray(0, documentBytesMax - bytes), { stream: true });
    bytes += piece.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes >= documentBytesMax) break;
  }
  return text;
};

const passingStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** What S3 calls an upload that stalled; it answers so with status 400. */
const stalledCode = 'RequestTimeout';

/**
 * Tells success, whose body is left unread, from a missing blob; throws an S3Failure for anything else. Only `NoSuchKey` means
 * missing: a 404 also comes from a bucket or an endpoint that does not exist, and that would look like lost data.
 */
export const readAnswer = async (response: Response): Promise<'done' | 'missing'> => {
  if (response.ok) return 'done';
  const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(await readStart(response.body))?.[1] ?? '';
  if (response.status === 404 && code === 'NoSuchKey') return 'missing';
  const canRepeat = passingStatuses.has(response.status) || code === stalledCode;
  throw new S3Failure(`answered ${response.status} ${code}`.trimEnd(), canRepeat);
};
