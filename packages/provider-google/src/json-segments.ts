import { asObject, type BlobPart } from '@tollgate/provider';
import { encodeSegments, type Segment } from './request-body.ts';
import { toState, type WireContent, type WirePart } from './to-google-contents.ts';
import type { WireBody } from './wire-body.ts';

const base64Key = Symbol('base64');

/** Stands in JSON for the base64 of a blob that is read while the request is sent. */
export interface Base64Text {
  readonly [base64Key]: BlobPart;
}

export const base64Of = (blob: BlobPart): Base64Text => ({ [base64Key]: blob });

const isBase64 = (value: unknown): value is Base64Text =>
  typeof value === 'object' && value !== null && base64Key in value;

const listed = (open: string, items: readonly (readonly Segment[])[], close: string): readonly Segment[] => [
  open,
  ...items.flatMap((item, index) => (index === 0 ? item : [',', ...item])),
  close,
];

const segmentsOf = (value: unknown): readonly Segment[] => {
  if (isBase64(value)) return ['"', value[base64Key], '"'];
  // Sound: `Array.isArray` proves an array and unknown takes any element.
  if (Array.isArray(value)) return listed('[', (value as readonly unknown[]).map(segmentsOf), ']');
  const object = asObject(value);
  if (object === undefined) return [JSON.stringify(value)];
  const members = Object.entries(object).filter(([, member]) => member !== undefined);
  return listed(
    '{',
    members.map(([name, member]) => [`${JSON.stringify(name)}:`, ...segmentsOf(member)]),
    '}',
  );
};

/** Encodes a JSON object whose blobs are read, encoded and sent piece by piece. Members that are undefined are left out. */
export const encodeJson = (value: object): WireBody => encodeSegments(segmentsOf(value));

const partOf = (part: WirePart): unknown =>
  part.kind === 'json'
    ? part.value
    : { inlineData: { mimeType: part.blob.mimeType, data: base64Of(part.blob) }, ...toState(part.blob) };

/** A turn as JSON, for a request that holds it somewhere inside. */
export const contentJson = ({ role, parts }: WireContent): object => ({ role, parts: parts.map(partOf) });
