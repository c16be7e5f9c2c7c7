import type { BlobPart, JsonObject } from '@tollgate/provider';
import type { GoogleRequest } from './to-google.ts';
import { toState, type WireContent, type WirePart } from './to-google-contents.ts';
import type { WireBody } from './wire-body.ts';

/** A piece of the body: JSON text, or a blob whose base64 stands between two texts. */
export type Segment = string | BlobPart;

/** Encodes a request. A blob is read, encoded and sent piece by piece, and is never in memory whole. */
export const encodeRequest = ({ contents, rest }: GoogleRequest): WireBody =>
  encodeSegments(['{"contents":', ...listOf(contents.map(contentSegments)), tailOf(JSON.stringify(rest))]);

/** Encodes a request that has one turn, in the same manner. */
export const encodeOneTurn = (content: WireContent, rest: JsonObject): WireBody =>
  encodeSegments(['{"content":', ...contentSegments(content), tailOf(JSON.stringify(rest))]);

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

/** The members of an object after another member: `,"a":1}` of `{"a":1}`. */
const tailOf = (object: string): string => (object === '{}' ? '}' : `,${object.slice(1)}`);

const listOf = (items: readonly (readonly Segment[])[]): readonly Segment[] => [
  '[',
  ...items.flatMap((item, index) => (index === 0 ? item : [',', ...item])),
  ']',
];

const contentSegments = ({ role, parts }: WireContent): readonly Segment[] => [
  `{"role":"${role}","parts":`,
  ...listOf(parts.map(partSegments)),
  '}',
];

const partSegments = (part: WirePart): readonly Segment[] => {
  if (part.kind === 'json') return [JSON.stringify(part.value)];
  const { blob } = part;
  const state = tailOf(JSON.stringify(toState(blob)));
  return [`{"inlineData":{"mimeType":${JSON.stringify(blob.mimeType)},"data":"`, blob, `"}${state}`];
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
