import { createHash } from 'node:crypto';
import { GatewayError } from '@tollgate/contract';
import { isBodyStopped } from '../body-stopped.ts';
import type { GatewayRequest } from '../gateway-request.ts';
import { dropLifted, liftBytes } from '../media-json/lift-bytes.ts';
import type { MediaJsonBody } from '../media-json/read-media-json.ts';
import { liftedTextBytesMin } from '../media-json/split-media.ts';
import { bodyStoppedError } from '../parse-json.ts';
import type { Service } from '../service.ts';
import { parseFormField } from './content-disposition.ts';
import { bareName, fieldValue, formFile, type FormFields, type FormFile } from './form-fields.ts';
import { boundaryOf, readMultipart, type MultipartPart } from './read-multipart.ts';

/** Parts of one form: as many images as may be sent, and every field. */
const partsMax = 64;
/** Of one field that is no file. */
const textBytesMax = 262_144;
/** Of a file that stays in memory, as in a body of JSON. */
const heldBytesMax = liftedTextBytesMin;

export interface MediaFormOptions {
  /** The path below the base path, which is part of the identity. */
  readonly path: string;
  readonly bytesMax: number;
  readonly fields: FormFields;
}

export const isFormRequest = (request: Pick<GatewayRequest, 'header'>): boolean =>
  /^multipart\/form-data\b/i.test(request.header('content-type') ?? '');

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const readText = async (name: string, content: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > textBytesMax)
      throw invalid(`The field ${name} has more than ${textBytesMax} bytes; accepted are at most as many.`);
    pieces.push(Uint8Array.from(piece));
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
};

/** What has been read of a part, and then the rest of it. */
async function* rejoined(begun: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* begun;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

interface Held {
  readonly file: FormFile;
  readonly sha256: string;
}

/** A short file is held as base64, a long one in the blob store. */
const holdFile = async (
  service: Service,
  filename: string | undefined,
  content: AsyncIterable<Uint8Array>,
  keys: string[],
): Promise<Held> => {
  const chunks = content[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  let size = 0;
  while (size <= heldBytesMax) {
    const next = await chunks.next();
    if (next.done === true) {
      const bytes = Buffer.concat(begun);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { file: formFile(filename, bytes.toString('base64')), sha256 };
    }
    begun.push(Uint8Array.from(next.value));
    size += next.value.length;
  }
  const lifted = await liftBytes(service, rejoined(begun, chunks));
  keys.push(lifted.key);
  return { file: formFile(filename, lifted), sha256: lifted.sha256 };
};

interface FormPart {
  readonly name: string;
  readonly value: string | FormFile;
  /** What tells the part from every other. */
  readonly note: string;
}

const takePart = async (
  service: Service,
  { headers, content }: MultipartPart,
  fields: FormFields,
  keys: string[],
): Promise<FormPart> => {
  const field = parseFormField(headers.get('content-disposition'));
  if (field === null || field.name === '')
    throw invalid('A part of the form has no name; accepted are parts with the name of a field.');
  const { filename } = field;
  const name = bareName(field.name);
  const kind = Object.hasOwn(fields, name) ? fields[name] : 'text';
  if (kind !== 'file' && kind !== 'files') {
    if (filename !== undefined)
      throw invalid(`The field ${name.slice(0, 64)} is a file; accepted is a text, or a field that takes files.`);
    const value = await readText(name.slice(0, 64), content);
    return { name, value, note: JSON.stringify([name, value]) };
  }
  const { file, sha256 } = await holdFile(service, filename, content, keys);
  return { name, value: file, note: JSON.stringify([name, filename ?? null, sha256]) };
};

const gather = (parts: readonly FormPart[], fields: FormFields): Record<string, unknown> => {
  const body: Record<string, unknown> = {};
  for (const name of new Set(parts.map((part) => part.name))) {
    const sent = parts.filter((part) => part.name === name).map(({ value }) => value);
    const kind = Object.hasOwn(fields, name) ? (fields[name] ?? 'text') : 'text';
    const value = fieldValue(kind, sent);
    if (value === undefined)
      throw invalid(`The field ${name.slice(0, 64)} came ${sent.length} times; accepted is one value.`);
    Object.defineProperty(body, name, { value, enumerable: true });
  }
  return body;
};

const readParts = async (
  service: Service,
  request: GatewayRequest,
  { bytesMax, fields }: MediaFormOptions,
  keys: string[],
): Promise<readonly FormPart[]> => {
  const boundary = boundaryOf(request.header('content-type') ?? '');
  if (boundary === null)
    throw invalid('The header Content-Type names no boundary; accepted is multipart/form-data with one.');
  const parts: FormPart[] = [];
  for await (const part of readMultipart(request.readBodyChunks(bytesMax), boundary, partsMax))
    parts.push(await takePart(service, part, fields, keys));
  return parts;
};

/**
 * Reads a form as the body of JSON that it stands for: texts, numbers and flags by the kind of their field, files beside them. The
 * identity of the request is that of its parts, because clients choose another boundary for each try. Nothing that was lifted
 * remains of a form that is refused.
 */
export const readMediaForm = async (
  service: Service,
  request: GatewayRequest,
  options: MediaFormOptions,
): Promise<MediaJsonBody> => {
  const keys: string[] = [];
  try {
    const parts = await readParts(service, request, options, keys);
    const hash = createHash('sha256').update(`${request.method} ${options.path}\n`);
    for (const { note } of parts) hash.update(`${note}\n`);
    const value = gather(parts, options.fields);
    request.noteBody?.(value);
    return { value, fingerprint: hash.digest('hex'), release: () => dropLifted(service, keys, request.id) };
  } catch (cause) {
    await dropLifted(service, keys, request.id);
    throw isBodyStopped(cause) ? bodyStoppedError(cause.why, options.bytesMax) : cause;
  }
};
