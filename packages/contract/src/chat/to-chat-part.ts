import { cameAs } from '../fields/came.ts';
import type { ChatPart, WirePart } from './chat-part.ts';
import { readDeclared } from './data-url.ts';
import type { ErrorCode } from '../http/error-code.ts';
import { fileIdOfUri } from '../files/file-uri.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { MediaData } from '../media/lifted-data.ts';
import { chatBounds } from '../limits.ts';
import { isMediaOf } from '../media/media-data.ts';
import {
  acceptedMediaTypes,
  audioFormats,
  imageTypes,
  mediaTypeByExtension,
  mediaTypes,
  type MediaType,
} from '../media/media-type.ts';

type Part<K extends WirePart['type']> = Extract<WirePart, { type: K }>;

const refusal = (code: ErrorCode, path: string, why: string): GatewayError =>
  new GatewayError(code, { detail: `The field ${path} ${why}` });

/** How parts are read. */
export interface PartPolicy {
  /** Whether an image may be named by an address, which the gateway then fetches. */
  readonly remoteImages: boolean;
}

const isAddress = (url: MediaData): url is string => typeof url === 'string' && /^https?:\/\//i.test(url);

const toRemoteImage = ({ image_url: image }: Part<'image_url'>, url: string, path: string): ChatPart => {
  const where = `${path}.image_url.url`;
  if (url.length > chatBounds.imageUrlCharsMax)
    throw refusal(
      'invalid_image',
      where,
      `has ${url.length} characters; accepted are at most ${chatBounds.imageUrlCharsMax}.`,
    );
  if (!URL.canParse(url))
    throw refusal('invalid_image', where, 'is no address that can be read; accepted is an http or https address.');
  return { type: 'remote_image', url, place: where, ...(image.detail === undefined ? {} : { detail: image.detail }) };
};

const toImage = (part: Part<'image_url'>, path: string, policy: PartPolicy): ChatPart => {
  const { image_url: image } = part;
  if (isAddress(image.url)) {
    if (policy.remoteImages) return toRemoteImage(part, image.url, path);
    throw refusal(
      'invalid_image',
      `${path}.image_url.url`,
      'is an address, and this gateway fetches none; accepted is an inline PNG, JPEG or WebP data URL in base64.',
    );
  }
  const { declared, data } = readDeclared(image.url);
  const type = declared === null ? undefined : imageTypes.get(declared);
  if (type === undefined) {
    throw refusal(
      'invalid_image',
      `${path}.image_url.url`,
      `${cameAs(image.url, false)}; accepted is an inline PNG, JPEG or WebP data URL in base64.`,
    );
  }
  if (!isMediaOf(data, type)) {
    throw refusal(
      'invalid_image',
      `${path}.image_url.url`,
      `is not a complete ${declared} image; accepted is a whole file of the type that it declares.`,
    );
  }
  const detail = image.detail === undefined ? {} : { detail: image.detail };
  return { type: 'media', mimeType: type.mimeType, data, ...detail };
};

const toAudio = ({ input_audio: audio }: Part<'input_audio'>, path: string): ChatPart => {
  const type = audioFormats.get(audio.format);
  if (type === undefined) {
    throw refusal(
      'unsupported_content',
      `${path}.input_audio.format`,
      `${cameAs(audio.format, true)}; accepted are ${[...audioFormats.keys()].join(', ')}.`,
    );
  }
  const { data } = readDeclared(audio.data);
  if (!isMediaOf(data, type)) {
    throw refusal(
      'unsupported_content',
      `${path}.input_audio.data`,
      `is no ${audio.format} in base64; accepted is audio of the format that it names.`,
    );
  }
  return { type: 'media', mimeType: type.mimeType, data };
};

const toFileReference = (id: string, path: string): ChatPart => {
  const fileId = fileIdOfUri(id) ?? fileIdOfUri(`files/${id}`);
  if (fileId !== undefined) return { type: 'file', fileId };
  if (id.includes('://')) {
    throw refusal(
      'unsupported_content',
      `${path}.file.file_id`,
      'is an address; accepted is the id of a file of this project.',
    );
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
      `is of no type that is known; accepted is a base64 data URL of ${acceptedMediaTypes.join(', ')}, or base64 beside a filename with a known ending.`,
    );
  }
  if (!isMediaOf(declared.data, declared.type)) {
    throw refusal(
      'unsupported_content',
      `${path}.file.file_data`,
      `is not a complete ${declared.type.mimeType} file; accepted is a whole file of the type that it declares.`,
    );
  }
  const named = filename === undefined ? {} : { filename };
  return { type: 'media', mimeType: declared.type.mimeType, data: declared.data, ...named };
};

const toFile = ({ file }: Part<'file'>, path: string): ChatPart => {
  if (file.file_id !== undefined && file.file_data === undefined) return toFileReference(file.file_id, path);
  if (file.file_data !== undefined && file.file_id === undefined) {
    return toInlineFile(file.file_data, file.filename, path);
  }
  throw refusal(
    'unsupported_content',
    `${path}.file`,
    `has ${file.file_id === undefined ? 'neither file_id nor file_data' : 'both file_id and file_data'}; accepted is one of the two.`,
  );
};

/** Checks the media of a part and brings it to one form. `path` names the part in the error. */
export const toChatPart = (part: WirePart, path: string, policy: PartPolicy): ChatPart => {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image_url':
      return toImage(part, path, policy);
    case 'input_audio':
      return toAudio(part, path);
    case 'file':
      return toFile(part, path);
  }
};
