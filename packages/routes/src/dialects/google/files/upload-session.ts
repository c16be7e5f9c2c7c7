import { GatewayError, isUuid, toDisplayName, uploadBounds } from '@tollgate/contract';
import { discardBlob, storeSharedBlob, type Access } from '@tollgate/engine';
import type { Service } from '../../../service.ts';

/**
 * An upload in several requests. It has no record: its address says what the client said of the file, and each piece is a pending
 * blob of the project, named by session and offset. What is never finished is deleted as any pending blob is.
 */
export interface UploadSession {
  readonly id: string;
  readonly displayName: string;
  readonly mimeType: string;
  /** The length that was announced; null where none was. */
  readonly sizeBytes: number | null;
}

const wholeNumber = /^\d{1,15}$/;

/** A length as clients write it, or null where the text is none. */
export const parseLength = (text: string | null): number | null =>
  text !== null && wholeNumber.test(text) ? Number(text) : null;

export const sessionQuery = ({ id, displayName, mimeType, sizeBytes }: UploadSession): string =>
  new URLSearchParams({
    upload_id: id,
    name: displayName,
    type: mimeType,
    ...(sizeBytes === null ? {} : { size: String(sizeBytes) }),
    upload_protocol: 'resumable',
  }).toString();

/** The session that an address names, or null where it names none. */
export const parseSession = (query: string): UploadSession | null => {
  const parameters = new URLSearchParams(query);
  const id = parameters.get('upload_id') ?? '';
  if (!isUuid(id)) return null;
  // The client holds the address, and may have changed it.
  return {
    id,
    displayName: toDisplayName(parameters.get('name') ?? undefined),
    mimeType: parameters.get('type') ?? '',
    sizeBytes: parseLength(parameters.get('size')),
  };
};

/** The project is part of the name: no project reaches the pieces of another one. */
export const pieceKey = ({ projectId }: Access, session: UploadSession, offset: number): string =>
  `uploads/${projectId}/${session.id}/${offset}`;

/** Keeps a piece and returns its size; one that is sent again replaces the first. */
export const keepPiece = (
  service: Service,
  access: Access,
  session: UploadSession,
  piece: { readonly offset: number; readonly bytes: AsyncIterable<Uint8Array> },
): Promise<number> => storeSharedBlob(service.engine, pieceKey(access, session, piece.offset), piece.bytes);

export interface StoredPiece {
  readonly key: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

/** The pieces that are there from the beginning on, without a gap, and how many bytes they have in all. */
export const findPieces = async (
  { engine }: Service,
  access: Access,
  session: UploadSession,
): Promise<{ readonly pieces: readonly StoredPiece[]; readonly sizeBytes: number }> => {
  const pieces: StoredPiece[] = [];
  let offset = 0;
  while (pieces.length < uploadBounds.piecesMax) {
    const key = pieceKey(access, session, offset);
    const found = await engine.storage.blobs.getStream(key, { fromByte: 0, toByte: 0 });
    if (found === undefined || found.sizeBytes === 0) break;
    pieces.push({ key, offset, sizeBytes: found.sizeBytes });
    offset += found.sizeBytes;
  }
  return { pieces, sizeBytes: offset };
};

/** The bytes of pieces one after another, and then those that come now. */
export async function* joinPieces(
  { engine }: Service,
  pieces: readonly StoredPiece[],
  last: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for (const { key } of pieces) {
    const piece = await engine.storage.blobs.getStream(key);
    if (piece === undefined) throw new GatewayError('not_found', { detail: 'The upload has ended.' });
    yield* piece.chunks;
  }
  yield* last;
}

/** Deletes pieces that are needed no more; what cannot be deleted now is the sweep's. */
export const dropPieces = async (
  { engine }: Service,
  { requestId }: Access,
  pieces: readonly Pick<StoredPiece, 'key'>[],
): Promise<void> => {
  for (const { key } of pieces) await discardBlob(engine, key, { requestId });
};
