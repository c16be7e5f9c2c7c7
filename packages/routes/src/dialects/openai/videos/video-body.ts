import {
  decodeBase64,
  fieldPath,
  GatewayError,
  imageTypes,
  isLifted,
  isMediaOf,
  isRecord,
  isUuid,
  MediaData,
  readAt,
  readDeclared,
  videoBounds,
  type JsonRecord,
  type MediaValue,
  type VideoRequest,
} from '@tollgate/contract';
import { z } from 'zod';
import { imageTypeOf } from '../../../media-json/image-type.ts';
import { isFormFile, type FormFields, type FormFile } from '../../../multipart/form-fields.ts';
import { present } from '../../../present.ts';
import { readVideoSize } from './video-size.ts';

const textCharsMax = 512;
/** A day, as for every video. */
const secondsMax = 86_400;

const prompt = z.string().min(1).max(videoBounds.promptCharsMax);
const seconds = z
  .union([z.int(), z.string().regex(/^\d{1,5}$/)])
  .transform(Number)
  .pipe(z.int().min(1).max(secondsMax))
  .nullish();
const id = z.string().min(1).max(textCharsMax);

const reference = z.union([
  z.custom<FormFile>(isFormFile),
  z.strictObject({ file_id: id }),
  z.strictObject({ image_url: MediaData }),
]);

const CreateBody = z.strictObject({
  prompt,
  model: z.string().min(1).max(textCharsMax).nullish(),
  seconds,
  size: z.string().max(textCharsMax).nullish(),
  input_reference: reference.nullish(),
});

const ExtendBody = z.strictObject({ prompt, seconds, video: z.strictObject({ id }) });

/** The fields of the form that are files. */
export const videoFormFields: FormFields = { input_reference: 'file' };

/** Whether a body of JSON has the form of this wire: by the fields that the contract's has not. */
export const isOwnForm = (body: unknown): boolean =>
  isRecord(body) && ['seconds', 'size', 'input_reference'].some((name) => Object.hasOwn(body, name));

const memberName = /^(\w{1,32})\[(\w{1,32})\]$/;

/** Forms write the members of an object as fields of their own: `input_reference[file_id]`. */
const foldMembers = (body: JsonRecord): JsonRecord => {
  const folded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const [, field, member] = memberName.exec(name) ?? [];
    if (field === undefined || member === undefined) folded[name] = value;
    else folded[field] = { ...(isRecord(folded[field]) ? folded[field] : {}), [member]: value };
  }
  return folded;
};

const noImage = (path: readonly string[]): GatewayError =>
  new GatewayError('invalid_image', {
    detail: `The field ${fieldPath(path)} is no complete image; accepted is a PNG, JPEG or WebP image, as a file of a form, a data URL in base64, or file_id.`,
  });

const place = ['input_reference'];

const mediaOf = (sent: z.infer<typeof reference>): MediaValue => {
  if (isFormFile(sent)) {
    const type = imageTypeOf(sent.data);
    if (type === undefined) throw noImage(place);
    return { kind: 'data', mimeType: type.mimeType, data: sent.data };
  }
  if ('file_id' in sent) {
    if (!isUuid(sent.file_id))
      throw new GatewayError('not_found', {
        detail: 'The file of input_reference.file_id was not found in this project.',
      });
    return { kind: 'file', fileId: sent.file_id.toLowerCase() };
  }
  const { declared, data } = readDeclared(sent.image_url);
  const type = declared === null ? undefined : imageTypes.get(declared);
  if (type === undefined || !isMediaOf(data, type)) throw noImage([...place, 'image_url']);
  return { kind: 'data', mimeType: type.mimeType, data };
};

const record = (body: unknown): JsonRecord => (isRecord(body) ? foldMembers(body) : {});

/** The body of `POST /videos` in the form of this wire. */
export const parseVideo = (body: unknown): VideoRequest => {
  const asked = readAt(CreateBody, record(body));
  const shape = asked.size === undefined || asked.size === null ? null : readVideoSize(asked.size);
  return {
    prompt: asked.prompt,
    ...present('model', asked.model),
    ...present('duration_seconds', asked.seconds),
    ...present('resolution', shape?.resolution),
    ...present('aspect_ratio', shape?.aspectRatio),
    ...present('image', asked.input_reference ? mediaOf(asked.input_reference) : null),
    references: [],
  };
};

/** A video is continued in this resolution alone. */
const extensionResolution = '720p';

/** The body of `POST /videos/extensions`. */
export const parseExtension = (body: unknown): VideoRequest => {
  const asked = readAt(ExtendBody, record(body));
  return {
    prompt: asked.prompt,
    video: asked.video.id,
    resolution: extensionResolution,
    ...present('duration_seconds', asked.seconds),
    references: [],
  };
};

/** A long image in a body of JSON is no part of the record: its bytes, or null where there is none. */
export const longImageOf = ({ image }: VideoRequest, charsMax: number): Uint8Array | null =>
  image?.kind === 'data' && !isLifted(image.data) && image.data.length > charsMax ? decodeBase64(image.data) : null;
