import {
  GatewayError,
  limits,
  mediaTypeByExtension,
  mediaTypes,
  toDisplayName,
  unknownFieldSentence,
  type LiftedData,
} from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { isBodyStopped } from '../body-stopped.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import { dropLifted, liftBytes } from '../media-json/lift-bytes.ts';
import { parseFormField } from '../multipart/content-disposition.ts';
import { boundaryOf, readMultipart, type MultipartPart } from '../multipart/read-multipart.ts';
import { bodyStoppedError } from '../parse-json.ts';
import { requireRoom } from '../require-room.ts';
import type { Service } from '../service.ts';
import { boundedBytes } from './bounded-bytes.ts';
import { fileBody } from './encode-file.ts';
import { keepFile } from './keep-file.ts';

// G60
/** Whether a client sends the file as a form, which only a compatibility option allows. */
export const isForm = ({ compatibility }: Service, request: GatewayRequest): boolean =>
  compatibility.openai === true && /^multipart\/form-data\b/i.test(request.header('content-type') ?? '');

interface FormFile {
  readonly kind: 'file';
  readonly filename: string | undefined;
  readonly declared: string;
  readonly data: LiftedData;
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

/** Endings of files that are text, whatever type a client gives them: requests of a batch, and documents of a store. */
const textExtensions: ReadonlySet<string> = new Set(['jsonl', 'ndjson', 'json', 'csv', 'md']);

/** Clients that do not know the type of a file send a general one; then its name's ending tells it. */
const declaredType = (contentType: string | undefined, filename: string | undefined): string => {
  const type = contentType?.toLowerCase().split(';', 1)[0]?.trim() ?? '';
  if (mediaTypes.has(type) || filename === undefined) return type;
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  if (textExtensions.has(extension)) return 'text/plain';
  return mediaTypeByExtension.get(extension)?.mimeType ?? type;
};

/** Words such as `batch` and `assistants`. */
const purposeBytesMax = 64;

const readPurpose = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > purposeBytesMax) break;
    pieces.push(Uint8Array.from(piece));
  }
  const purpose = Buffer.concat(pieces).toString('utf8');
  if (size > purposeBytesMax || !/^[\w-]+$/.test(purpose))
    throw invalid(
      `The field purpose is no such word; accepted are 1 to ${purposeBytesMax} letters, digits, - and _, such as batch.`,
    );
  return purpose;
};

interface FormPurpose {
  readonly kind: 'purpose';
  readonly purpose: string;
}

const takePart = async (
  service: Service,
  { headers, content }: MultipartPart,
  keys: string[],
): Promise<FormFile | FormPurpose> => {
  const field = parseFormField(headers.get('content-disposition'));
  switch (field?.name) {
    case 'purpose':
      return { kind: 'purpose', purpose: await readPurpose(content) };
    case 'file': {
      const data = await liftBytes(service, boundedBytes(content));
      keys.push(data.key);
      const declared = declaredType(headers.get('content-type'), field.filename);
      return { kind: 'file', filename: field.filename, declared, data };
    }
    case undefined:
      throw invalid('A part of the form has no name; accepted are parts named file and purpose.');
    default:
      throw new GatewayError('unsupported_parameter', {
        detail: unknownFieldSentence([field?.name ?? ''], ['file', 'purpose']),
      });
  }
};

/** A form as far as it says something. */
interface FileForm extends FormFile {
  readonly purpose: string | undefined;
}

const readForm = async (service: Service, request: GatewayRequest, keys: string[]): Promise<FileForm> => {
  const boundary = boundaryOf(request.header('content-type') ?? '');
  if (boundary === null)
    throw invalid('The header Content-Type names no boundary; accepted is multipart/form-data with one.');
  const files: FormFile[] = [];
  let purpose: string | undefined;
  for await (const part of readMultipart(request.readBodyChunks(limits.bodyBytesMax.files), boundary)) {
    const taken = await takePart(service, part, keys);
    if (taken.kind === 'purpose') ({ purpose } = taken);
    else if (files.push(taken) > 1) break;
  }
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw invalid(
      `The form holds ${files.length === 0 ? 'no file' : 'several files'}; accepted is one, in the field file.`,
    );
  return { ...file, purpose };
};

/** POST /files as clients of OpenAI send it: a form with `file` and `purpose`. The file is never in memory whole. */
export const createFileFromForm = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const keys: string[] = [];
  await requireRoom(service, access, 'files');
  try {
    const { filename, declared, data, purpose } = await readForm(service, request, keys);
    const named = { displayName: toDisplayName(filename), mimeType: declared, purpose };
    const file = await keepFile(service, access, named, data);
    return { ...jsonAnswer(JSON.stringify(fileBody(service, file, request.dialect))), status: 201 };
  } catch (cause) {
    throw isBodyStopped(cause) ? bodyStoppedError(cause.why, limits.bodyBytesMax.files) : cause;
  } finally {
    await dropLifted(service, keys, request.id);
  }
};
