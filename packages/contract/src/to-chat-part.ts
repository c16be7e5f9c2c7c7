import type { ChatPart, WirePart } from './chat-part.ts';
import { readDeclared } from './data-url.ts';
import type { ErrorCode } from './error-code.ts';
import { fileIdOfUri } from './file-uri.ts';
import { GatewayError } from './gateway-error.ts';
import type { MediaData } from './lifted-data.ts';
import { isMediaOf } from './media-data.ts';
import { audioFormats, imageTypes, mediaTypeByExtension, mediaTypes, type MediaType } from './media-type.ts';

type Part<K extends WirePart['type']> = Extract<WirePart, { type: K }>;

const refusal = (code: ErrorCode, path: string, why: string): GatewayError =>
  new GatewayError(code, { detail: `The field ${path} ${why}` });

const toImage = ({ image_url: image }: Part<'image_url'>, path: string): ChatPart => {
  const { declared, data } = readDeclared(image.url);
  const type = declared === null ? undefined : imageTypes.get(declared);
  if (type === undefined) {
    throw refusal('invalid_image', `${path}.image_url.url`, 'must be an inline PNG, JPEG or WebP data URL in base64.');
  }
  if (!isMediaOf(data, type)) {
    throw refusal('invalid_image', `${path}.image_url.url`, 'is not a complete image of the type it declares.');
  }
  const detail = image.detail === undefined ? {} : { detail: image.detail };
  return { type: 'media', mimeType: type.mimeType, data, ...detail };
};

const toAudio = ({ input_audio: audio }: Part<'input_audio'>, path: string): ChatPart => {
  const type = audioFormats.get(audio.format);
  if (type === undefined) {
    throw refusal('unsupported_content', `${path}.input_audio.format`, 'must be wav, mp3, aac, ogg, flac, mp4 or m4a.');
  }
  const { data } = readDeclared(audio.data);
  if (!isMediaOf(data, type)) {
    throw refusal('unsupported_content', `${path}.input_audio.data`, 'is not base64 audio of the format it names.');
  }
  return { type: 'media', mimeType: type.mimeType, data };
};

const toFileReference = (id: string, path: string): ChatPart => {
  const fileId = fileIdOfUri(id) ?? fileIdOfUri(`files/${id}`);
  if (fileId !== undefined) return { type: 'file', fileId };
  if (id.includes('://')) {
    throw refusal('unsupported_content', `${path}.file.file_id`, 'must be the id of a file, not an address.');
  }
  // An id that is no uuid is answered like an unknown one [errors:path:unknown].
  throw new GatewayError('not_found', { detail: `The file of ${path}.file.file_id was not found in this project.` });
};

/** The type that a file part declares: by its data URL, or by its name's ending when the data is bare. */
const declaredFile = (
  media: MediaData,
  filename: string | undefined,
): { readonly type: MediaType; readonly data: MediaData } | null => {
  const { declared, data } = readDeclared(media);
  const extension = filename?.includes('.') === true ? filename.slice(filename.lastIndexOf('.') + 1).toLowerCase() : '';
  const type = declared === null ? mediaTypeByExtension.get(extension) : mediaTypes.get(declared);
  return type === undefined ? null : { type, data };
};

const toInlineFile = (fileData: MediaData, filename: string | undefined, path: string): ChatPart => {
  const declared = declaredFile(fileData, filename);
  if (declared === null) {
    throw refusal(
      'unsupported_content',
      `${path}.file.file_data`,
      'must be a base64 data URL of an accepted media type, or base64 with a filename whose ending is known.',
    );
  }
  if (!isMediaOf(declared.data, declared.type)) {
    throw refusal('unsupported_content', `${path}.file.file_data`, 'is not a complete file of the type it declares.');
  }
  const named = filename === undefined ? {} : { filename };
  return { type: 'media', mimeType: declared.type.mimeType, data: declared.data, ...named };
};

const toFile = ({ file }: Part<'file'>, path: string): ChatPart => {
  if (file.file_id !== undefined && file.file_data === undefined) return toFileReference(file.file_id, path);
  if (file.file_data !== undefined && file.file_id === undefined) {
    return toInlineFile(file.file_data, file.filename, path);
  }
  throw refusal('unsupported_content', `${path}.file`, 'must carry exactly one of file_id and file_data.');
};

/** Checks the media of a part and brings it to one form. `path` names the part in the error. */
export const toChatPart = (part: WirePart, path: string): ChatPart => {
  switch (part.type) {
    case 'text':
      return part;
    case 'image_url':
      return toImage(part, path);
    case 'input_audio':
      return toAudio(part, path);
    case 'file':
      return toFile(part, path);
  }
};
