import type { BlobPart } from '@tollgate/provider';

/** A body that is in memory, or one that is read while it is sent. */
export type WireBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | {
      readonly kind: 'pieces';
      /** Exactly as many bytes as `read` gives. */
      readonly byteLength: number;
      /** Reads the body from its beginning; may be called again. */
      readonly read: () => AsyncIterable<Uint8Array>;
    };

export const jsonBody = (value: unknown): WireBody => ({ kind: 'bytes', bytes: Buffer.from(JSON.stringify(value)) });

/** A piece of the body: JSON text, or a blob whose base64 stands between two texts. */
export type Segment = string | BlobPart;

/** The segments as one body; without a blob it is in memory. */
export const encodeSegments = (given: readonly Segment[]): WireBody => {
  const segments = joinTexts(given);
  if (segments.every((segment) => typeof segment === 'string')) {
    return { kind: 'bytes', bytes: Buffer.from(segments.join('')) };
  }
  return {
    kind: 'pieces',
    byteLength: segments.reduce((sum, segment) => sum + lengthOf(segment), 0),
    read: () => readSegments(segments),
  };
};

const joinTexts = (segments: readonly Segment[]): readonly Segment[] => {
  const joined: Segment[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    if (texts.length > 0) joined.push(texts.join(''));
    texts = [];
  };
  for (const segment of segments) {
    if (typeof segment === 'string') texts.push(segment);
    else {
      flush();
      joined.push(segment);
    }
  }
  flush();
  return joined;
};

const lengthOf = (segment: Segment): number =>
  typeof segment === 'string' ? Buffer.byteLength(segment) : 4 * Math.ceil(segment.sizeBytes / 3);

const readSegments = async function* (segments: readonly Segment[]): AsyncIterable<Uint8Array> {
  for (const segment of segments) {
    if (typeof segment === 'string') yield Buffer.from(segment);
    else yield* readBase64(segment);
  }
};

/** Base64 of the bytes as they come; up to two bytes wait for the next chunk. */
const readBase64 = async function* (blob: BlobPart): AsyncIterable<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  let sizeBytes = 0;
  for await (const chunk of blob.read()) {
    sizeBytes += chunk.length;
    if (sizeBytes > blob.sizeBytes) break;
    const bytes =
      rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
    rest = Buffer.from(bytes.subarray(whole));
  }
  if (sizeBytes !== blob.sizeBytes) throw new Error(`a blob of ${blob.sizeBytes} bytes has another size`);
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1');
};
