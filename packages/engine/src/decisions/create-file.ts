import type { FileRecord, Key, Write } from '@tollgate/storage';
import type { AccessIds } from './access.ts';
import { refuseUsage, usageKey, usageOfFile, usageWrites, type QuotaRefusal, type Quotas } from './quotas.ts';
import type { Step } from './step.ts';

export interface CreateFileCommand extends AccessIds {
  readonly fileId: string;
  /** Where the bytes lie, pending until this step takes them. */
  readonly blobKey: string;
  readonly displayName: string;
  readonly mimeType: string;
  /** What the client said that it is for; absent where it said nothing. */
  readonly purpose?: string | undefined;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Who is to be given a copy first, or null: then it is active at once. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly keptMs: number;
  /** The worker that makes the copy, and how long no other worker may. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly quotas: Quotas;
}

export type CreateFileAnswer =
  | { readonly kind: 'created'; readonly file: FileRecord }
  /** The bytes came too late, and a sweep is deleting them. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'over_quota'; readonly refusal: QuotaRefusal };

const createFileKeys = ({ fileId, blobKey, projectId }: CreateFileCommand): readonly Key[] => [
  usageKey(projectId),
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
    purpose: command.purpose ?? null,
    sizeBytes,
    keptBytes: sizeBytes,
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

/** Registers a file and takes its bytes as its own, both or neither, where the quotas of the project have room for it. Repeating it changes nothing. */
export const createFileStep = (command: CreateFileCommand): Step<CreateFileAnswer> => ({
  keys: createFileKeys(command),
  decide: (records, nowMs) => {
    const existing = records.get('file', command.fileId);
    if (existing !== undefined) return { writes: [], answer: { kind: 'created', file: existing } };
    const pending = records.get('pendingBlob', command.blobKey);
    // The owner of the row is deleting the bytes.
    if (pending === undefined || pending.owner !== null) return { writes: [], answer: { kind: 'lost' } };
    const file = fileRecord(command, nowMs);
    const change = usageOfFile(file);
    const refusal = refuseUsage(records.get('projectUsage', file.projectId), command.quotas, change);
    if (refusal !== null) return { writes: [], answer: { kind: 'over_quota', refusal } };
    const writes: readonly Write[] = [
      { kind: 'put', table: 'file', record: file },
      { kind: 'delete', table: 'pendingBlob', id: command.blobKey },
      ...usageWrites(records, file.projectId, change),
    ];
    return { writes, answer: { kind: 'created', file } };
  },
});
