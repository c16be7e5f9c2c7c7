import { checkFileSize, GatewayError, limits, toDisplayName } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { blobChunkBytes, gatherChunks, regroupChunks } from '@tollgate/storage';
import { isBodyStopped } from '../body-stopped.ts';
import { boundedBytes } from '../files/bounded-bytes.ts';
import { keepFile } from '../files/keep-file.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import { dropLifted, liftBytes, type StoredData } from '../media-json/lift-bytes.ts';
import { boundaryOf, readMultipart } from '../multipart/read-multipart.ts';
import { bodyStoppedError, parseJson } from '../parse-json.ts';
import type { Service } from '../service.ts';
import { toGoogleFile } from './google-file.ts';
import {
  dropPieces,
  findPieces,
  joinPieces,
  keepPiece,
  parseLength,
  parseSession,
  sessionQuery,
  type UploadSession,
} from './upload-session.ts';

interface Upload {
  readonly service: Service;
  readonly access: Access;
  readonly request: GatewayRequest;
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const uploadAnswer = (service: Service, body: string, headers: Readonly<Record<string, string>>): GatewayResponse => {
  const answer = jsonAnswer(service, body);
  return { ...answer, headers: { ...answer.headers, ...headers } };
};

/** What a client says of the file before its bytes: `{file: {displayName, mimeType}}`, of which each may be missing. */
const parseMetadata = (bytes: Uint8Array): { readonly displayName?: string; readonly mimeType?: string } => {
  const value = bytes.length === 0 ? {} : parseJson(bytes);
  const file: unknown = typeof value === 'object' && value !== null && 'file' in value ? value.file : {};
  const text = (name: string): string | undefined => {
    const field: unknown = typeof file === 'object' && file !== null ? Reflect.get(file, name) : undefined;
    return typeof field === 'string' ? field : undefined;
  };
  const [displayName, mimeType] = [text('displayName') ?? text('display_name'), text('mimeType') ?? text('mime_type')];
  return { ...(displayName === undefined ? {} : { displayName }), ...(mimeType === undefined ? {} : { mimeType }) };
};

/** Clients are sent back to where they came from; many keep their own host and take the path alone. */
const addressOf = (service: Service, request: GatewayRequest, session: UploadSession): string => {
  const { origin = '' } = request;
  if (!URL.canParse(origin)) throw invalid('The header Host is not valid.');
  const { protocol, host } = new URL(origin);
  // A proxy that ends TLS says so; from there on the client came by plain HTTP.
  const scheme = request.header('x-forwarded-proto') === 'https' ? 'https:' : protocol;
  return `${scheme}//${host}${service.basePath}/upload/files?${sessionQuery(session)}`;
};

const start = async ({ service, request }: Upload): Promise<GatewayResponse> => {
  const told = parseMetadata(await gatherChunks(request.readBodyChunks(limits.bodyBytesMax.other)));
  const sizeBytes = parseLength(request.header('x-goog-upload-header-content-length'));
  checkFileSize(sizeBytes ?? 0);
  const session: UploadSession = {
    id: service.newRequestId(),
    displayName: toDisplayName(told.displayName ?? request.header('x-goog-upload-file-name') ?? undefined),
    mimeType: request.header('x-goog-upload-header-content-type') ?? told.mimeType ?? '',
    sizeBytes,
  };
  return uploadAnswer(service, '{}', {
    'x-goog-upload-status': 'active',
    'x-goog-upload-url': addressOf(service, request, session),
  });
};

/** The bytes of a file, in chunks that are not freed while a store may still look at them. */
const fileBytes = (request: GatewayRequest, before = 0): AsyncIterable<Uint8Array> =>
  boundedBytes(regroupChunks(request.readBodyChunks(limits.bodyBytesMax.files), blobChunkBytes), before);

const finish = async (
  { service, access }: Upload,
  named: Pick<UploadSession, 'displayName' | 'mimeType' | 'sizeBytes'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<GatewayResponse> => {
  let data: StoredData | null = null;
  try {
    data = await liftBytes(service, boundedBytes(bytes));
    if (data.sizeBytes !== (named.sizeBytes ?? data.sizeBytes))
      throw invalid('The upload has another length than was announced.');
    const file = await keepFile(service, access, named, data);
    return uploadAnswer(service, JSON.stringify({ file: toGoogleFile(file) }), { 'x-goog-upload-status': 'final' });
  } finally {
    if (data !== null) await dropLifted(service, [data.key]);
  }
};

const offsetOf = (request: GatewayRequest): number => {
  const offset = Number(request.header('x-goog-upload-offset') ?? 0);
  if (!Number.isSafeInteger(offset) || offset < 0) throw invalid('The upload offset is not valid.');
  return offset;
};

const goOn = async (
  upload: Upload,
  session: UploadSession,
  commands: ReadonlySet<string>,
): Promise<GatewayResponse> => {
  const { service, access, request } = upload;
  const before = await findPieces(service, access, session);
  if (commands.has('query'))
    return uploadAnswer(service, '{}', {
      'x-goog-upload-status': 'active',
      'x-goog-upload-size-received': String(before.sizeBytes),
    });
  if (commands.has('cancel')) {
    await dropPieces(service, before.keys);
    return uploadAnswer(service, '{}', { 'x-goog-upload-status': 'cancelled' });
  }
  const offset = commands.has('upload') ? offsetOf(request) : before.sizeBytes;
  const bytes = fileBytes(request, offset);
  if (commands.has('finalize')) {
    if (before.sizeBytes !== offset) throw invalid('The upload offset does not follow what was received.');
    const answer = await finish(upload, session, joinPieces(service, before.keys, bytes));
    await dropPieces(service, before.keys);
    return answer;
  }
  if (offset > before.sizeBytes) throw invalid('The upload offset does not follow what was received.');
  const size = await keepPiece(service, access, session, { offset, bytes });
  return uploadAnswer(service, '{}', {
    'x-goog-upload-status': 'active',
    'x-goog-upload-size-received': String(offset + size),
  });
};

/** Metadata and bytes in one body, as two parts. */
const oneShot = async (upload: Upload, boundary: string): Promise<GatewayResponse> => {
  let told: ReturnType<typeof parseMetadata> | null = null;
  for await (const { headers, content } of readMultipart(
    upload.request.readBodyChunks(limits.bodyBytesMax.files),
    boundary,
  )) {
    if (told === null) told = parseMetadata(await gatherChunks(content));
    else {
      const mimeType = told.mimeType ?? headers.get('content-type') ?? '';
      const named = { displayName: toDisplayName(told.displayName), mimeType, sizeBytes: null };
      // Waited for here, as leaving the loop lets go of the body.
      const answer = await finish(upload, named, content);
      return answer;
    }
  }
  throw invalid('The body must hold metadata and a file.');
};

const run = (upload: Upload): Promise<GatewayResponse> => {
  const { request } = upload;
  const boundary = boundaryOf(request.header('content-type') ?? '');
  if (boundary !== null) return oneShot(upload, boundary);
  const commands = new Set((request.header('x-goog-upload-command') ?? '').split(',').map((word) => word.trim()));
  if (commands.has('start')) return start(upload);
  const session = parseSession(request.query);
  if (session === null) throw invalid('Begin an upload with the command start, or send it as multipart/related.');
  return goOn(upload, session, commands);
};

/** `POST /upload/files`: resumable in pieces, or metadata and bytes in one body. Not charged. */
export const uploadGoogleFile = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  try {
    return await run({ service, access, request });
  } catch (cause) {
    throw isBodyStopped(cause) ? bodyStoppedError(cause.why) : cause;
  }
};
