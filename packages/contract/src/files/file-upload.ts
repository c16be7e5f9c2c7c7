import { z } from 'zod';
import { GatewayError } from '../http/gateway-error.ts';
import { isLifted, MediaData } from '../media/lifted-data.ts';
import { decodeBase64 } from '../media/base64.ts';
import { keptText } from '../fields/kept-text.ts';
import { isMediaOf } from '../media/media-data.ts';
import { mediaTypeError } from '../media/media-type-error.ts';
import { mediaTypes } from '../media/media-type.ts';
import { limits } from '../limits.ts';
import { parseStrictBody } from '../http/strict-body.ts';

/** The contract's table does not bound the name; upstreams take no longer ones. */
const displayNameCharsMax = 512;

// files:upload:fields
/** The body of POST /files. */
export const FileUploadBody = z.strictObject({
  display_name: keptText(displayNameCharsMax),
  mime_type: z.string(),
  data: MediaData,
});

/** A checked upload: complete and of the type it declares. */
export interface FileUpload {
  readonly displayName: string;
  /** In the one spelling that providers are given. */
  readonly mimeType: string;
  readonly data: MediaData;
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

// files:upload:base64-no-prefix
/** Base64 is refused for what it is before its type is checked. */
const sizeOf = (data: MediaData): number => {
  if (isLifted(data)) return data.sizeBytes;
  const bytes = decodeBase64(data);
  if (bytes === null) throw invalid('The field data is no base64; accepted is base64 without a prefix.');
  return bytes.length;
};

// files:upload:max-file
/** A file may hold so many bytes once decoded, whatever way it comes. */
export const checkFileSize = (sizeBytes: number): void => {
  const { decodedBytesMax } = limits.file;
  if (sizeBytes > decodedBytesMax)
    throw new GatewayError('body_too_large', {
      detail: `The file has ${sizeBytes} bytes or more; accepted are at most ${decodedBytesMax}.`,
    });
};

/** The name of a file, cut to what is kept; clients' own names may be longer or missing. */
export const toDisplayName = (name: string | undefined): string => {
  const text = (name ?? '').replaceAll('\0', '\ufffd').slice(0, displayNameCharsMax).toWellFormed();
  return text === '' ? 'file' : text;
};

/** Checks that data is a complete file of the type it declares, and returns the one spelling of that type. */
export const checkFileType = (declared: string, data: MediaData): string => {
  const type = mediaTypes.get(declared.toLowerCase().split(';', 1)[0]?.trim() ?? '');
  if (type === undefined) throw mediaTypeError(['mime_type'], declared);
  if (!isMediaOf(data, type))
    throw new GatewayError('unsupported_content', {
      detail: `The file is not a complete one of the type ${type.mimeType}; accepted is a whole file of the type that it declares.`,
    });
  return type.mimeType;
};

/** Reads the body of an upload. Throws the error of the contract that names the field. */
export const parseFileUpload = (body: unknown): FileUpload => {
  const { display_name: displayName, mime_type: declared, data } = parseStrictBody(FileUploadBody, body);
  checkFileSize(sizeOf(data));
  return { displayName, mimeType: checkFileType(declared, data), data };
};
