import type { BlobPart, GenerationCall, MediaPart, Part } from '@tollgate/provider';

/** What the user gives to a wire that takes no conversation. */
export interface UserParts {
  readonly text: string;
  readonly media: readonly (MediaPart | BlobPart)[];
}

const isMedia = (part: Part): part is MediaPart | BlobPart => part.kind === 'media' || part.kind === 'blob';

/** The words and media of the user; undefined where the call has a turn of the model, or parts of another kind. */
export const readUserParts = ({ contents }: GenerationCall): UserParts | undefined => {
  if (contents.some(({ role }) => role === 'model')) return undefined;
  const parts = contents.flatMap((content) => content.parts);
  if (parts.some((part) => part.kind !== 'text' && !isMedia(part))) return undefined;
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  return { text, media: parts.filter(isMedia) };
};

/** Whether a part is of this type, as in `image`. */
export const isOfType = ({ mimeType }: MediaPart | BlobPart, type: string): boolean =>
  mimeType.toLowerCase().startsWith(`${type}/`);

/** The name of a part as a file. */
export const fileNameOf = ({ filename, mimeType }: MediaPart | BlobPart): string => {
  const [, subtype = ''] = (mimeType.split(';')[0] ?? '').trim().toLowerCase().split('/');
  const bare = subtype.replace(/^(?:x-|vnd\.)/, '');
  return filename ?? `file.${/^[a-z0-9]{1,8}$/.test(bare) ? bare : 'bin'}`;
};
