import type { BlobPart, JsonObject, MediaPart } from '@tollgate/provider';
import { base64Of } from '@tollgate/provider-http';

/** The type without its parameters, in lower case. */
const bareType = (mimeType: string): string => (mimeType.split(';')[0] ?? '').trim().toLowerCase();

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Files that are sent as the text that they are. */
export const isTextType = (mimeType: string): boolean => {
  const type = bareType(mimeType);
  return type.startsWith('text/') || type === 'application/json';
};

/** Whether this upstream reads media of this type. */
export const isReadable = (mimeType: string): boolean => {
  const type = bareType(mimeType);
  return imageTypes.has(type) || type === 'application/pdf' || isTextType(mimeType);
};

/** The base64 of a part; that of a blob is read when the body is written. */
const base64Text = (part: MediaPart | BlobPart): unknown => (part.kind === 'blob' ? base64Of(part) : part.data);

/** One media part as a block. A blob of text is read into the call before. */
export const toMediaBlock = (part: MediaPart | BlobPart): JsonObject => {
  const type = bareType(part.mimeType);
  if (imageTypes.has(type))
    return { type: 'image', source: { type: 'base64', media_type: type, data: base64Text(part) } };
  const title = part.filename;
  if (part.kind === 'media' && isTextType(type)) {
    const data = Buffer.from(part.data, 'base64').toString('utf8');
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title };
  }
  return { type: 'document', source: { type: 'base64', media_type: type, data: base64Text(part) }, title };
};
