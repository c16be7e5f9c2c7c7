import type { JsonObject } from '@tollgate/provider';
import { encodeSegments, type Segment, type WireBody } from '@tollgate/provider-http';
import type { GoogleRequest } from './to-google.ts';
import { toState, type WireContent, type WirePart } from './to-google-contents.ts';

/** Encodes a request. A blob is read, encoded and sent piece by piece, and is never in memory whole. */
export const encodeRequest = ({ contents, rest }: GoogleRequest): WireBody =>
  encodeSegments(['{"contents":', ...listOf(contents.map(contentSegments)), tailOf(JSON.stringify(rest))]);

/** Encodes a request that has one turn, in the same manner. */
export const encodeOneTurn = (content: WireContent, rest: JsonObject): WireBody =>
  encodeSegments(['{"content":', ...contentSegments(content), tailOf(JSON.stringify(rest))]);

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
