import { GatewayError, uploadBounds } from '@tollgate/contract';

const { pendingBytesPerProjectMax } = uploadBounds;

/** One piece of an upload that is not finished. */
export interface PendingPiece {
  readonly projectId: string;
  readonly sessionId: string;
  readonly offset: number;
}

/** The bytes of pieces that lie in the blob store for uploads that are not finished, as this process stored them. */
export interface PendingUploads {
  /** Counts a piece before its bytes are read; throws where the project has no room for it. */
  readonly reserve: (piece: PendingPiece, bytes: number) => void;
  /** The piece has this size after all; 0 where nothing of it was kept. */
  readonly settle: (piece: PendingPiece, bytes: number) => void;
  /** The pieces of an upload are gone. */
  readonly drop: (projectId: string, sessionId: string) => void;
  readonly bytesOf: (projectId: string) => number;
}

interface Counted {
  readonly bytes: number;
  readonly untilMs: number;
}

export interface PendingUploadsOptions {
  readonly nowMs: () => number;
  /** After this time the sweep deletes a piece. */
  readonly keptMs: number;
}

const sumOf = (pieces: ReadonlyMap<string, Counted>): number =>
  [...pieces.values()].reduce((sum, { bytes }) => sum + bytes, 0);

const nameOf = ({ sessionId, offset }: PendingPiece): string => `${sessionId}/${offset}`;

/** Counts per project; a piece that is sent again replaces the first. */
export const createPendingUploads = ({ nowMs, keptMs }: PendingUploadsOptions): PendingUploads => {
  const projects = new Map<string, Map<string, Counted>>();
  const piecesOf = (projectId: string): Map<string, Counted> => {
    const pieces = projects.get(projectId) ?? new Map<string, Counted>();
    for (const [name, { untilMs }] of pieces) if (untilMs <= nowMs()) pieces.delete(name);
    return pieces;
  };
  const keep = (projectId: string, pieces: Map<string, Counted>): void => {
    if (pieces.size === 0) projects.delete(projectId);
    else projects.set(projectId, pieces);
  };
  const settle = (piece: PendingPiece, bytes: number): void => {
    const pieces = piecesOf(piece.projectId);
    if (bytes === 0) pieces.delete(nameOf(piece));
    else pieces.set(nameOf(piece), { bytes, untilMs: nowMs() + keptMs });
    keep(piece.projectId, pieces);
  };
  return {
    reserve: (piece, bytes) => {
      const pieces = piecesOf(piece.projectId);
      const others = sumOf(pieces) - (pieces.get(nameOf(piece))?.bytes ?? 0);
      if (others + bytes > pendingBytesPerProjectMax)
        throw new GatewayError('quota_exceeded', {
          detail:
            `The unfinished uploads of this project have ${others} bytes, and ${bytes} more were asked for; accepted are at ` +
            `most ${pendingBytesPerProjectMax} together. Finish or cancel one.`,
        });
      settle(piece, bytes);
    },
    settle,
    drop: (projectId, sessionId) => {
      const pieces = piecesOf(projectId);
      for (const name of pieces.keys()) if (name.startsWith(`${sessionId}/`)) pieces.delete(name);
      keep(projectId, pieces);
    },
    bytesOf: (projectId) => sumOf(piecesOf(projectId)),
  };
};
