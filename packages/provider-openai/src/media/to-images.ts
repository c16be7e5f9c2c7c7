import type { GenerationCall, ImageSettings } from '@tollgate/provider';
import type { FormField } from '@tollgate/provider-http';
import type { Obstacle } from '../carried-settings.ts';
import { unplacedSetting } from './unplaced-setting.ts';
import { fileNameOf, isOfType, readUserParts } from './user-parts.ts';

/** Pixels of the shapes that this wire's models draw. */
const pixelsOfRatio: { readonly [ratio: string]: string } = {
  '1:1': '1024x1024',
  '3:2': '1536x1024',
  '2:3': '1024x1536',
};

const pixelsOf = ({ pixels, aspectRatio }: ImageSettings): string | undefined =>
  pixels ?? (aspectRatio === undefined ? undefined : pixelsOfRatio[aspectRatio]);

const placed = [
  'systemInstruction',
  'image',
  'imageCount',
  'imageQuality',
  'imageBackground',
  'imageFormat',
  'endUser',
] as const;

const obstacleOfImage = ({ image }: GenerationCall): Obstacle | undefined => {
  if (image === undefined || image.pixels !== undefined) return undefined;
  const hasShape = image.aspectRatio === undefined || pixelsOf(image) !== undefined;
  const hasSize = image.size === undefined || image.size === '1K';
  return hasShape && hasSize ? undefined : { field: 'image', why: 'the wire has no such shape or size' };
};

/** Why a call cannot be carried by `/images`; undefined where it can. */
export const cannotDraw = (call: GenerationCall): Obstacle | undefined => {
  const unplaced = unplacedSetting(call, placed);
  if (unplaced !== undefined) return unplaced;
  if (call.modalities !== undefined && !call.modalities.includes('image'))
    return { field: 'modalities', why: 'this wire draws images' };
  const parts = readUserParts(call);
  if (parts === undefined || parts.media.some((part) => !isOfType(part, 'image')))
    return { field: 'contents', why: 'this wire takes a prompt, and images to edit' };
  return obstacleOfImage(call);
};

interface ToImagesOptions {
  /** Whether `response_format` is sent, which newer models refuse and older ones need. */
  readonly imageFormatField: 'sent' | 'left_out';
}

/** Fields without a value are left out. */
export type ImageFields = { readonly [name: string]: string | number | undefined };

/** The fields of a request for images; an image to edit is sent beside them. */
export const toImageFields = (call: GenerationCall, options: ToImagesOptions): ImageFields => {
  const { image = {} } = call;
  const prompt = readUserParts(call)?.text ?? '';
  return {
    model: call.upstreamModel,
    prompt: call.systemInstruction === null ? prompt : `${call.systemInstruction}\n\n${prompt}`,
    n: image.count,
    size: pixelsOf(image),
    quality: image.quality,
    background: image.background,
    output_format: image.format,
    response_format: options.imageFormatField === 'sent' ? 'b64_json' : undefined,
    user: call.endUser,
  };
};

/** The same request as a form with the images that are edited; null for one that draws a new image. */
export const toEditForm = (call: GenerationCall, fields: ImageFields): readonly FormField[] | null => {
  const media = readUserParts(call)?.media ?? [];
  if (media.length === 0) return null;
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, text: String(value) }],
  );
  return [...texts, ...media.map((part) => ({ name: 'image[]', filename: fileNameOf(part), media: part }))];
};
