import type { EmbeddingWirePart } from './embedding-request-body.ts';
import { fileIdOfUri } from './file-uri.ts';
import { GatewayError } from './gateway-error.ts';
import type { MediaData } from './lifted-data.ts';
import { isMediaOf } from './media-data.ts';
import { mediaTypes } from './media-type.ts';

/** A checked part: media is of the type it names and complete; a file id is a bare uuid. */
export type EmbeddingPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'media'; readonly mimeType: string; readonly data: MediaData }
  | { readonly kind: 'file'; readonly fileId: string };

const refused = (path: string, why: string): GatewayError =>
  new GatewayError('unsupported_content', { detail: `The field ${path} ${why}` });

const toMedia = (mimeType: string, data: MediaData, path: string): EmbeddingPart => {
  const type = mediaTypes.get(mimeType.toLowerCase());
  if (type === undefined) throw refused(`${path}.inlineData.mimeType`, 'is not an accepted media type.');
  if (!isMediaOf(data, type))
    throw refused(`${path}.inlineData.data`, 'is not a complete base64 file of the type it declares.');
  return { kind: 'media', mimeType: type.mimeType, data };
};

const toFile = (uri: string, path: string): EmbeddingPart => {
  const fileId = fileIdOfUri(uri);
  if (fileId !== undefined) return { kind: 'file', fileId };
  if (uri.includes('://'))
    throw refused(`${path}.fileData.fileUri`, 'must name a file of this project, not an address.');
  // A name that is no uuid is answered like an unknown one [errors:path:unknown].
  throw new GatewayError('not_found', {
    detail: `The file of ${path}.fileData.fileUri was not found in this project.`,
  });
};

/** Checks the media of a part. `path` names the part in the error. */
export const toEmbeddingPart = (part: EmbeddingWirePart, path: string): EmbeddingPart => {
  if ('text' in part) return { kind: 'text', text: part.text };
  if ('inlineData' in part) return toMedia(part.inlineData.mimeType, part.inlineData.data, path);
  return toFile(part.fileData.fileUri, path);
};
