import type { EmbeddingWirePart } from './embedding-request-body.ts';
import { fileIdOfUri } from '../files/file-uri.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { MediaData } from '../media/lifted-data.ts';
import { isMediaOf } from '../media/media-data.ts';
import { mediaTypeError } from '../media/media-type-error.ts';
import { mediaTypes } from '../media/media-type.ts';

/** A checked part: media is of the type it names and complete; a file id is a bare uuid. */
export type EmbeddingPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'media'; readonly mimeType: string; readonly data: MediaData }
  | { readonly kind: 'file'; readonly fileId: string };

const refused = (path: string, why: string): GatewayError =>
  new GatewayError('unsupported_content', { detail: `The field ${path} ${why}` });

const toMedia = (mimeType: string, data: MediaData, path: string): EmbeddingPart => {
  const type = mediaTypes.get(mimeType.toLowerCase());
  if (type === undefined) throw mediaTypeError([path, 'inlineData', 'mimeType'], mimeType);
  if (!isMediaOf(data, type))
    throw refused(
      `${path}.inlineData.data`,
      `is not a complete ${type.mimeType} file in base64; accepted is a whole file of the type that it declares.`,
    );
  return { kind: 'media', mimeType: type.mimeType, data };
};

const toFile = (uri: string, path: string): EmbeddingPart => {
  const fileId = fileIdOfUri(uri);
  if (fileId !== undefined) return { kind: 'file', fileId };
  if (uri.includes('://'))
    throw refused(`${path}.fileData.fileUri`, 'is an address; accepted is files/<file_id> of this project.');
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
