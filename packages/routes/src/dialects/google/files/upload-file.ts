import { checkFileSize, GatewayError, limits, toDisplayName, uploadBounds } from '@tollgate/contract';
import { blobChunkBytes, gatherChunks, regroupChunks } from '@tollgate/storage';
import { isBodyStopped } from '../../../body-stopped.ts';
import { boundedBytes } from '../../../files/bounded-bytes.ts';
import { keepFile } from '../../../files/keep-file.ts';
import { clientOrigin } from '../../../client-origin.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { dropLifted, liftBytes, type StoredData } from '../../../media-json/lift-bytes.ts';
import { boundaryOf, readMultipart } from '../../../multipart/read-multipart.ts';
import { bodyStoppedError } from '../../../parse-json.ts';
import { requireRoom } from '../../../require-room.ts';
import {
  dropPieces,
  findPieces,
  joinPieces,
  keepPiece,
  parseLength,
  parseSession,
  pieceKey,
  sessionQuery,
  type StoredPiece,
  type UploadSession,
} from './upload-session.ts';
import { uploadType } from './upload-type.ts';
import { commandsOf, type ToldFile, type UploadRequest, type UploadTarget } from './upload-target.ts';

const { pieceGranularityBytes, piecesMax } = uploadBounds;

interface Upload extends UploadRequest {
  readonly target: UploadTarget;
}

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const withHeaders = (answer: GatewayResponse, headers: Readonly<Record<string, string>>): GatewayResponse => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

const uploadAnswer = (headers: Readonly<Record<string, string>>): GatewayResponse =>
  withHeaders(jsonAnswer('{}'), headers);

/** Clients are sent back to where they came from; many keep their own host and take the path alone. */
const addressOf = ({ service, request, target }: Upload, session: UploadSession): string => {
  const origin = clientOrigin(request);
  if (origin === null) throw invalid('The header Host is not valid.');
  return `${origin}${service.basePath}${target.path}?${sessionQuery(session)}`;
};

const toldBytesMax = limits.bodyBytesMax.other;

/** What a client says of a file before its bytes: as much in a part of a body as in a body of its own. */
async function* boundedTold(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > toldBytesMax)
      throw new GatewayError('body_too_large', {
        detail: `The metadata before the file has more than ${toldBytesMax} bytes; accepted are at most as many.`,
      });
    yield chunk;
  }
}

const start = async (upload: Upload): Promise<GatewayResponse> => {
  const { service, access, request, target } = upload;
  const told = await target.readTold(upload, await gatherChunks(request.readBodyChunks(toldBytesMax)));
  const sizeBytes = parseLength(request.header('x-goog-upload-header-content-length'));
  checkFileSize(sizeBytes ?? 0);
  await requireRoom(service, access, 'files', sizeBytes ?? 1);
  const session: UploadSession = {
    id: service.newRequestId(),
    displayName: toDisplayName(told.displayName ?? request.header('x-goog-upload-file-name') ?? undefined),
    mimeType: uploadType(request.header('x-goog-upload-header-content-type') ?? told.mimeType ?? ''),
    sizeBytes,
  };
  return uploadAnswer({
    'x-goog-upload-status': 'active',
    'x-goog-upload-url': addressOf(upload, session),
    'x-goog-upload-chunk-granularity': String(pieceGranularityBytes),
  });
};

/** The bytes of a file, in chunks that are not freed while a store may still look at them. */
const fileBytes = (request: GatewayRequest, before = 0): AsyncIterable<Uint8Array> =>
  boundedBytes(regroupChunks(request.readBodyChunks(limits.bodyBytesMax.files), blobChunkBytes), before);

const finish = async (
  upload: Upload,
  named: Pick<UploadSession, 'displayName' | 'mimeType' | 'sizeBytes'> & Partial<Pick<UploadSession, 'id'>>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<GatewayResponse> => {
  const { service, access, target } = upload;
  let data: StoredData | null = null;
  try {
    data = await liftBytes(service, boundedBytes(bytes));
    if (data.sizeBytes !== (named.sizeBytes ?? data.sizeBytes))
      throw invalid('The upload has another length than was announced.');
    const file = await keepFile(service, access, named, data);
    return withHeaders(await target.finish(upload, file, named.id ?? null), { 'x-goog-upload-status': 'final' });
  } finally {
    if (data !== null) await dropLifted(service, [data.key], access.requestId);
  }
};

const offsetOf = (request: GatewayRequest): number => {
  const offset = Number(request.header('x-goog-upload-offset') ?? 0);
  if (!Number.isSafeInteger(offset) || offset < 0) throw invalid('The upload offset is not valid.');
  return offset;
};

/** What is there of an upload. */
interface Received {
  readonly pieces: readonly StoredPiece[];
  readonly sizeBytes: number;
}

const declaredBytes = (request: GatewayRequest): number | null => parseLength(request.header('content-length'));

const checkPieceSize = (bytes: number): void => {
  if (bytes === 0 || bytes % pieceGranularityBytes !== 0)
    throw invalid(
      `A piece of an upload has ${bytes} bytes; accepted are multiples of ${pieceGranularityBytes} bytes, except for the last piece.`,
    );
};

/** A piece follows what is there, or replaces a piece that is there with everything behind it. Returns what is replaced. */
const replacedBy = (before: Received, offset: number): readonly StoredPiece[] => {
  const replaced = before.pieces.filter((piece) => piece.offset >= offset);
  if (offset !== (replaced[0]?.offset ?? before.sizeBytes))
    throw invalid('The upload offset does not follow what was received.');
  if (before.pieces.length - replaced.length >= piecesMax)
    throw invalid(`The upload has ${piecesMax} pieces; accepted are at most ${piecesMax}, and one last piece.`);
  return replaced;
};

/** Its bytes count for the project before they are read. */
const takePiece = async (upload: Upload, session: UploadSession, before: Received): Promise<number> => {
  const { service, access, request } = upload;
  const offset = offsetOf(request);
  const [first, ...behind] = replacedBy(before, offset);
  const declared = declaredBytes(request);
  if (declared !== null) checkPieceSize(declared);
  const most = declared ?? limits.file.decodedBytesMax - offset;
  const piece = { projectId: access.projectId, sessionId: session.id, offset };
  await requireRoom(service, access, 'files', service.pendingUploads.bytesOf(access.projectId) + (declared ?? 1));
  service.pendingUploads.reserve(piece, most);
  let kept = first?.sizeBytes ?? 0;
  try {
    await dropPieces(service, access, behind);
    for (const one of behind) service.pendingUploads.settle({ ...piece, offset: one.offset }, 0);
    const size = await keepPiece(service, access, session, { offset, bytes: fileBytes(request, offset) });
    kept = size;
    if (size % pieceGranularityBytes !== 0 || size === 0) {
      await dropPieces(service, access, [{ key: pieceKey(access, session, offset) }]);
      kept = 0;
    }
    checkPieceSize(size);
    return offset + size;
  } finally {
    service.pendingUploads.settle(piece, kept);
  }
};

const finalize = async (upload: Upload, session: UploadSession, offset: number | null): Promise<GatewayResponse> => {
  const { service, access, request } = upload;
  const before = await findPieces(service, access, session);
  if (offset !== null && before.sizeBytes !== offset)
    throw invalid('The upload offset does not follow what was received.');
  await requireRoom(service, access, 'files', before.sizeBytes + (declaredBytes(request) ?? 0));
  const bytes = fileBytes(request, before.sizeBytes);
  const answer = await finish(upload, session, joinPieces(service, before.pieces, bytes));
  await dropPieces(service, access, before.pieces);
  service.pendingUploads.drop(access.projectId, session.id);
  return answer;
};

const active = (received: number): GatewayResponse =>
  uploadAnswer({
    'x-goog-upload-status': 'active',
    'x-goog-upload-size-received': String(received),
  });

const goOn = async (
  upload: Upload,
  session: UploadSession,
  commands: ReadonlySet<string>,
): Promise<GatewayResponse> => {
  const { service, access } = upload;
  if (commands.has('finalize'))
    return finalize(upload, session, commands.has('upload') ? offsetOf(upload.request) : null);
  const before = await findPieces(service, access, session);
  if (commands.has('query')) return active(before.sizeBytes);
  if (commands.has('cancel')) {
    await dropPieces(service, access, before.pieces);
    service.pendingUploads.drop(access.projectId, session.id);
    return uploadAnswer({ 'x-goog-upload-status': 'cancelled' });
  }
  return active(await takePiece(upload, session, before));
};

/** Metadata and bytes in one body, as two parts. */
const oneShot = async (upload: Upload, boundary: string): Promise<GatewayResponse> => {
  await requireRoom(upload.service, upload.access, 'files');
  let told: ToldFile | null = null;
  for await (const { headers, content } of readMultipart(
    upload.request.readBodyChunks(limits.bodyBytesMax.files),
    boundary,
  )) {
    if (told === null) told = await upload.target.readTold(upload, await gatherChunks(boundedTold(content)));
    else {
      const mimeType = uploadType(told.mimeType ?? headers.get('content-type') ?? '');
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
  const commands = commandsOf(request);
  if (commands.has('start')) return start(upload);
  const session = parseSession(request.query);
  if (session === null) throw invalid('Begin an upload with the command start, or send it as multipart/related.');
  return goOn(upload, session, commands);
};

/** An upload, resumable in pieces, or of metadata and bytes in one body. */
export const uploadTo = async (request: UploadRequest, target: UploadTarget): Promise<GatewayResponse> => {
  try {
    return await run({ ...request, target });
  } catch (cause) {
    throw isBodyStopped(cause) ? bodyStoppedError(cause.why, limits.bodyBytesMax.files) : cause;
  }
};
