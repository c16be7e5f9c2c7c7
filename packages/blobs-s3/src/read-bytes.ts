import { S3Failure } from './s3-failure.ts';

/** A body's length as announced, which every S3 service does for an object. */
export const readLength = (response: Response): number => {
  const text = response.headers.get('content-length') ?? '';
  if (!/^\d{1,15}$/.test(text)) throw new S3Failure('the answer has no length', false);
  return Number(text);
};

/** Reads a body of exactly that many bytes into one array. */
export const readBytes = async (
  body: ReadableStream<Uint8Array> | null,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(length);
  let at = 0;
  for await (const piece of body ?? []) {
    if (at + piece.byteLength > length) throw new S3Failure('the answer is longer than announced', true);
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  if (at < length) throw new S3Failure('the answer is shorter than announced', true);
  return bytes;
};
