import { cameAs } from '../fields/came.ts';
import type { Path } from '../fields/field-fault.ts';
import { fieldPath } from '../fields/field-path.ts';
import { fileIdOfUri } from '../files/file-uri.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { MediaData } from './lifted-data.ts';
import { isMediaOf } from './media-data.ts';
import { mediaTypeError } from './media-type-error.ts';
import { mediaTypes } from './media-type.ts';

/** Media as asynchronous routes take it, before it is checked. */
export interface WireMediaValue {
  readonly mime_type?: string;
  /** Base64 without a prefix. */
  readonly data?: MediaData;
  /** `files/<file_id>`. */
  readonly uri?: string;
}

/** Checked media: the data is complete and of its type, a file id is a bare uuid. */
export type MediaValue =
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: MediaData }
  /** `mimeType` is what the client believes the file to be. */
  | { readonly kind: 'file'; readonly fileId: string; readonly mimeType?: string };

const refused = (path: Path, why: string): GatewayError =>
  new GatewayError('unsupported_content', { detail: `The field ${fieldPath(path)} ${why}` });

const knownType = (mimeType: string, path: Path) => {
  const type = mediaTypes.get(mimeType.toLowerCase());
  if (type === undefined) throw mediaTypeError([...path, 'mime_type'], mimeType);
  return type;
};

// interactions:input:external-uri-refused
/** An address outside of this project is refused, and never asked. */
const fileIdOf = (uri: string, path: Path): string => {
  const fileId = fileIdOfUri(uri);
  if (fileId !== undefined) return fileId;
  if (!uri.startsWith('files/'))
    throw refused([...path, 'uri'], `${cameAs(uri, false)}; accepted is files/<file_id> of this project.`);
  // A name that is no uuid is answered like an unknown one [errors:path:unknown].
  throw new GatewayError('not_found', {
    detail: `The file of ${fieldPath([...path, 'uri'])} was not found in this project.`,
  });
};

const toData = (mimeType: string | undefined, data: MediaData, path: Path): MediaValue => {
  if (mimeType === undefined) throw refused([...path, 'mime_type'], 'is missing; accepted is the media type of data.');
  const type = knownType(mimeType, path);
  if (isMediaOf(data, type)) return { kind: 'data', mimeType: type.mimeType, data };
  throw new GatewayError(type.mimeType.startsWith('image/') ? 'invalid_image' : 'unsupported_content', {
    detail: `The field ${fieldPath([...path, 'data'])} is not a complete ${type.mimeType} file in base64; accepted is a whole file of the type that it declares.`,
  });
};

/**
 * Checks media given as `{data, mime_type}` or `{uri: 'files/<file_id>', mime_type?}`, exactly one of the two. `path` is its place
 * in the body.
 */
export const toMediaValue = ({ mime_type: mimeType, data, uri }: WireMediaValue, path: Path): MediaValue => {
  if ((data === undefined) === (uri === undefined))
    throw refused(
      path,
      `holds ${data === undefined ? 'neither data nor uri' : 'both data and uri'}; accepted is one of the two.`,
    );
  if (data !== undefined) return toData(mimeType, data, path);
  const fileId = fileIdOf(uri ?? '', path);
  return mimeType === undefined
    ? { kind: 'file', fileId }
    : { kind: 'file', fileId, mimeType: knownType(mimeType, path).mimeType };
};
