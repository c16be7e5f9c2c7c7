import type { BlobPart, JsonObject, MediaPart } from '@tollgate/provider';
import { base64Of } from '@tollgate/provider-http';

const bareType = (mimeType: string): string => (mimeType.split(';')[0] ?? '').trim().toLowerCase();

/** How Responses take media of a type; undefined for a type that they do not take. */
export const mediaTypeOf = ({ mimeType }: MediaPart | BlobPart): 'image' | 'text' | 'file' | undefined => {
  const type = bareType(mimeType);
  if (type === 'text/plain') return 'text';
  if (type.startsWith('image/')) return 'image';
  return type.startsWith('audio/') || type.startsWith('video/') ? undefined : 'file';
};

const dataUrl = (part: MediaPart | BlobPart): unknown => {
  const prefix = `data:${bareType(part.mimeType)};base64,`;
  return part.kind === 'blob' ? base64Of(part, prefix) : `${prefix}${part.data}`;
};

const fileName = ({ filename, mimeType }: MediaPart | BlobPart): string => {
  const [, subtype = ''] = bareType(mimeType).split('/');
  return filename ?? `file.${/^[a-z0-9]{1,8}$/.test(subtype) ? subtype : 'bin'}`;
};

/** One media part as a content part of an input message. Plain text was read into a media part before. */
export const toInputMedia = (part: MediaPart | BlobPart): JsonObject => {
  const type = mediaTypeOf(part);
  if (type === 'text' && part.kind === 'media')
    return { type: 'input_text', text: Buffer.from(part.data, 'base64').toString('utf8') };
  if (type === 'image') return { type: 'input_image', image_url: dataUrl(part), detail: part.detail ?? 'auto' };
  return { type: 'input_file', filename: fileName(part), file_data: dataUrl(part) };
};
