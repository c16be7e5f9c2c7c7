import { z } from 'zod';
import { fieldPath } from '../../fields/field-path.ts';
import { GatewayError } from '../../http/gateway-error.ts';
import { MediaData } from '../../media/lifted-data.ts';
import { chatBounds, videoBounds } from '../../limits.ts';
import { imageTypes } from '../../media/media-type.ts';
import { toMediaValue, type MediaValue, type WireMediaValue } from '../../media/media-value.ts';
import { listError } from '../../fields/refused-value.ts';
import { parseStrictBody, requireRecord } from '../../http/strict-body.ts';

const { textFieldCharsMax } = chatBounds;
// videos:body:references
/** Reference images of one video at the most. */
const referencesMax = 3;
/** A day: lengths that no model makes and no price list could price. */
const durationSecondsMax = 86_400;
/** Seeds are 32 bits wide everywhere. */
const seedMax = 4_294_967_295;
// videos:extension:resolution
/** What a video that continues another one must be. */
const extensionResolution = '720p';

const shortText = z.string().min(1).max(textFieldCharsMax);
const image = {
  data: MediaData.exactOptional(),
  uri: shortText.exactOptional(),
  mime_type: shortText.exactOptional(),
};
const Image = z
  .strictObject(image)
  .meta({ description: 'Either data with mime_type, or uri as files/<file_id>; PNG, JPEG or WebP.' });
const Reference = z.strictObject({ ...image, reference_type: z.enum(['asset', 'style']).default('asset') });

/** The body of POST /videos as the contract publishes it. `parseVideoRequest` checks more than a schema can. */
export const VideoRequestBody = z.strictObject({
  model: shortText.exactOptional(),
  prompt: z.string().min(1).max(videoBounds.promptCharsMax).exactOptional(),
  duration_seconds: z.int().min(1).max(durationSecondsMax).exactOptional(),
  resolution: shortText.exactOptional(),
  aspect_ratio: shortText.exactOptional(),
  image: Image.exactOptional(),
  last_frame: Image.exactOptional(),
  reference_images: z.array(Reference).min(1).max(referencesMax).exactOptional(),
  /** The id of a completed video of the project, which is continued. */
  video: z.string().exactOptional(),
  negative_prompt: z.string().max(videoBounds.promptCharsMax).exactOptional(),
  seed: z.int().min(0).max(seedMax).exactOptional(),
});
type Body = z.infer<typeof VideoRequestBody>;

/** A checked request for a video: its images are complete, or files by their id. */
export interface VideoRequest extends Readonly<
  Pick<
    Body,
    'model' | 'prompt' | 'duration_seconds' | 'resolution' | 'aspect_ratio' | 'video' | 'negative_prompt' | 'seed'
  >
> {
  readonly image?: MediaValue;
  readonly lastFrame?: MediaValue;
  readonly references: readonly { readonly media: MediaValue; readonly type: 'asset' | 'style' }[];
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const parseBody = (value: unknown): Body => {
  // Counted before the entries are checked, so that a very long list costs one fault and not one per entry.
  const references = requireRecord(value)['reference_images'];
  if (Array.isArray(references) && references.length > referencesMax)
    throw listError(['reference_images'], references, [0, referencesMax]);
  return parseStrictBody(VideoRequestBody, value);
};

const exclude = (body: Body, one: keyof Body, others: readonly (keyof Body)[]): void => {
  if (body[one] === undefined) return;
  for (const other of others)
    if (body[other] !== undefined)
      throw invalid(`The fields ${one} and ${other} cannot be sent together; accepted is one of the two.`);
};

// videos:extension:exclusive, videos:body:exclusive-references
/** Which of the fields make sense together. */
const checkTogether = (body: Body): void => {
  if (body.prompt === undefined && body.image === undefined && body.video === undefined)
    throw invalid('The field prompt is missing; accepted is text: only a video from an image or a video needs none.');
  if (body.last_frame !== undefined && body.image === undefined)
    throw invalid('The field last_frame stands alone; accepted is one beside the field image.');
  exclude(body, 'video', ['image', 'last_frame', 'reference_images']);
  exclude(body, 'reference_images', ['image', 'last_frame']);
  if (body.video !== undefined && (body.resolution ?? extensionResolution) !== extensionResolution)
    throw invalid(
      `The field resolution is ${body.resolution ?? 'missing'}; accepted is ${extensionResolution}, in which a video is continued.`,
    );
};

const toImage = (value: WireMediaValue, path: readonly (string | number)[]): MediaValue => {
  const media = toMediaValue(value, path);
  if (media.mimeType !== undefined && !imageTypes.has(media.mimeType))
    throw new GatewayError('unsupported_content', {
      detail: `The field ${fieldPath([...path, 'mime_type'])} is no type of image; accepted are image/png, image/jpeg and image/webp.`,
    });
  return media;
};

/** Reads the parsed JSON body of POST /videos. Throws nothing but a `GatewayError` whose message names the field. */
export const parseVideoRequest = (value: unknown): VideoRequest => {
  const body = parseBody(value);
  checkTogether(body);
  const { image: first, last_frame: last, reference_images: references = [], ...fields } = body;
  return {
    ...fields,
    ...(body.video === undefined ? {} : { resolution: extensionResolution }),
    ...(first === undefined ? {} : { image: toImage(first, ['image']) }),
    ...(last === undefined ? {} : { lastFrame: toImage(last, ['last_frame']) }),
    references: references.map(({ reference_type: type, ...media }, index) => ({
      media: toImage(media, ['reference_images', index]),
      type,
    })),
  };
};
