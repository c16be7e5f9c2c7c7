import { MediaData } from '@tollgate/contract';
import { z } from 'zod';
import { isFormFile, type FormFields, type FormFile } from '../../../multipart/form-fields.ts';

/** Characters of what an image is to show. */
const promptCharsMax = 65_536;
/** Of all text that is no prompt. */
const textCharsMax = 512;
/** Images of one answer. */
export const imagesMax = 10;
/** Images that one edit begins with. */
const sourcesMax = 16;

const text = z.string().min(1).max(textCharsMax);

/** How an image is made. Fields with one value say what happens in any case. */
export const imageFields = {
  size: text.nullish(),
  quality: text.nullish(),
  background: z.enum(['auto', 'transparent', 'opaque']).nullish(),
  output_format: z.enum(['png', 'jpeg', 'webp']).nullish(),
  output_compression: z.literal(100).nullish(),
  moderation: z.literal('auto').nullish(),
  /** Models of this service show no image before it is whole, so that a stream has its end alone. */
  partial_images: z.int().min(0).max(3).nullish(),
};

const shared = {
  ...imageFields,
  model: text.nullish(),
  prompt: z.string().min(1).max(promptCharsMax),
  n: z.int().min(1).max(imagesMax).nullish(),
  response_format: z.literal('b64_json').nullish(),
  stream: z.boolean().nullish(),
  user: z.string().max(textCharsMax).nullish(),
  safety_identifier: z.string().max(textCharsMax).nullish(),
};

export const GenerationBody = z.strictObject(shared);
export type GenerationBody = z.infer<typeof GenerationBody>;

const Source = z.union([
  z.strictObject({ image_url: MediaData }),
  z.strictObject({ file_id: text }),
  z.custom<FormFile>(isFormFile),
]);
export type Source = z.infer<typeof Source>;

/** Sources stand in `image` of a form, and in `images` of a body of JSON. */
export const EditBody = z.strictObject({ ...shared, image: z.array(Source).min(1).max(sourcesMax) });
export type EditBody = z.infer<typeof EditBody>;

/** The fields of an edit that comes as a form. A mask is read as the file that it is, so that it is refused by its name. */
export const editForm: FormFields = {
  image: 'files',
  mask: 'file',
  n: 'number',
  stream: 'flag',
  partial_images: 'number',
  output_compression: 'number',
};
