import type { Decide, FileRecord, Key, Write } from '@tollgate/storage';
import type { AccessIds } from './access.ts';

export interface CreateFileCommand extends AccessIds {
  readonly fileId: string;
  /** Where the bytes lie, pending until this step takes them. */
  readonly blobKey: string;
  readonly displayName: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Who is to be given a copy first, or null: then it is active at once. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly keptMs: number;
  /** Who gives the copy, and how long nobody else may. */
  readonly owner: string;
  readonly leaseMs: number;
}

/** `lost`: the bytes were waited for too long, and somebody is deleting them. */
export type CreateFileAnswer = { readonly kind: 'created'; readonly file: FileRecord } | { readonly kind: 'lost' };

export const createFileKeys = ({ fileId, blobKey }: CreateFileCommand): readonly Key[] => [
  { table: 'file', id: fileId },
  { table: 'pendingBlob', id: blobKey },
];

const fileRecord = (command: CreateFileCommand, nowMs: number): FileRecord => {
  const { fileId, projectId, accountId, keyId, displayName, mimeType, sizeBytes, sha256, provider, model } = command;
  const expiresAtMs = nowMs + command.keptMs;
  const waits = provider !== null;
  return {
    id: fileId,
    projectId,
    accountId,
    keyId,
    displayName,
    mimeType,
    sizeBytes,
    sha256,
    status: waits ? 'processing' : 'active',
    provider,
    model,
    notes: {},
    uses: 0,
    errorCode: null,
    owner: waits ? command.owner : null,
    dueAtMs: waits ? nowMs + command.leaseMs : expiresAtMs,
    expiresAtMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    deletedAtMs: null,
  };
};

/** Registers a file and takes its bytes as its own, both or neither. Repeating it changes nothing. */
export const decideCreateFile =
  (command: CreateFileCommand): Decide<CreateFileAnswer> =>
  (records, nowMs) => {
    const existing = records.get('file', command.fileId);
    if (existing !== undefined) return { writes: [], answer: { kind: 'created', file: existing } };
    const pending = records.get('pendingBlob', command.blobKey);
    // Whoever owns the row is deleting the bytes.
    if (pending === undefined || pending.owner !== null) return { writes: [], answer: { kind: 'lost' } };
    const file = fileRecord(command, nowMs);
    const writes: readonly Write[] = [
      { kind: 'put', table: 'file', record: file },
      { kind: 'delete', table: 'pendingBlob', id: command.blobKey },
    ];
    return { writes, answer: { kind: 'created', file } };
  };
