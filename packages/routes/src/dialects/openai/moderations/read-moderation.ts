import {
  cameAs,
  fieldPath,
  GatewayError,
  isRecord,
  MediaData,
  noObjectError,
  readAt,
  readDeclared,
  type Path,
} from '@tollgate/contract';
import type { ModeratedPart, ModerationCall } from '@tollgate/provider';
import { z } from 'zod';
import { imageTypeOf } from '../../../media-json/image-type.ts';
import { mediaPart } from '../../../media-json/media-part.ts';

/** Inputs of one request, and parts of one input. */
const inputsMax = 128;
/** Of all text that is no input. */
const textCharsMax = 512;

const text = z.string().min(1);
const Image = z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: MediaData }) });
const Part = z.discriminatedUnion('type', [z.strictObject({ type: z.literal('text'), text }), Image]);
type Part = z.infer<typeof Part>;

const Body = z.strictObject({
  model: z.string().min(1).max(textCharsMax).nullish(),
  input: z.union([text, z.array(text).min(1).max(inputsMax), z.array(Part).min(1).max(inputsMax)]),
});

/** Where images stand in a body. */
export const moderationPlaces = ['input.*.image_url.url'];

export interface AskedModeration {
  readonly model: string | undefined;
  readonly inputs: ModerationCall['inputs'];
}

const toPart = (part: Part, path: Path): ModeratedPart => {
  if (part.type === 'text') return { kind: 'text', text: part.text };
  const { url } = part.image_url;
  const { declared, data } = readDeclared(url);
  const type = declared === null ? undefined : imageTypeOf(data);
  if (type !== undefined) return mediaPart(type.mimeType, data);
  throw new GatewayError('invalid_image', {
    detail: `The field ${fieldPath([...path, 'image_url', 'url'])} ${cameAs(url, false)}; accepted is a complete PNG, JPEG or WebP image as a data URL in base64.`,
  });
};

const isText = (input: string | Part): input is string => typeof input === 'string';

/** Each text is an input of its own; parts that may be images are one input together. */
const toInputs = (input: z.infer<typeof Body>['input']): ModerationCall['inputs'] => {
  const values: readonly (string | Part)[] = typeof input === 'string' ? [input] : input;
  if (values.every(isText)) return values.map((value) => [{ kind: 'text', text: value }]);
  return [values.flatMap((value, index) => (isText(value) ? [] : [toPart(value, ['input', index])]))];
};

export const readModeration = (body: unknown): AskedModeration => {
  if (!isRecord(body)) throw noObjectError(body);
  const { model, input } = readAt(Body, body);
  return { model: model ?? undefined, inputs: toInputs(input) };
};
