import type { FileRecord, Records } from '@tollgate/storage';
import { dueAfter } from './due-after.ts';
import type { Step } from './step.ts';

/** What becomes of a file that was processing. */
export type FileMove =
  | { readonly kind: 'active' }
  | { readonly kind: 'failed'; readonly errorCode: string }
  /** It is still processing: check it again then, unless it has been so for longer than it may. */
  | { readonly kind: 'later'; readonly afterMs: number; readonly processingMsMax: number };

export interface MoveFileCommand {
  readonly fileId: string;
  readonly move: FileMove;
  /** The owner of the row's lease, or null for a reader. */
  readonly claimedBy: string | null;
}

type Change = Partial<FileRecord> | null;

const changed = (file: FileRecord | undefined, change: (file: FileRecord) => Change) => {
  const changes = file === undefined ? null : change(file);
  if (file === undefined || changes === null) return { writes: [], answer: file ?? null };
  const record = { ...file, ...changes };
  return { writes: [{ kind: 'put', table: 'file', record } as const], answer: record };
};

/** What lies outside of the record is removed by the worker that claims it next. */
const failed = (errorCode: string, nowMs: number): Change => ({
  status: 'failed',
  errorCode,
  owner: null,
  dueAtMs: nowMs,
  updatedAtMs: nowMs,
});

const applyMove = (file: FileRecord, { move, claimedBy }: MoveFileCommand, nowMs: number): Change => {
  if (file.status !== 'processing') return null;
  switch (move.kind) {
    case 'active':
      return { status: 'active', owner: null, dueAtMs: file.expiresAtMs, updatedAtMs: nowMs };
    case 'failed':
      return failed(move.errorCode, nowMs);
    case 'later':
      if (nowMs - file.createdAtMs > move.processingMsMax) return failed('service_unavailable', nowMs);
      return claimedBy !== null && file.owner === claimedBy
        ? { owner: null, dueAtMs: dueAfter(nowMs, move.afterMs) }
        : null;
  }
};

// files:move:*
/** Moves a file on from `processing`; one that has moved already stays. Returns it as it now is. */
export const moveFileStep = (command: MoveFileCommand): Step<FileRecord | null> => ({
  keys: [{ table: 'file', id: command.fileId }],
  decide: (records, nowMs) => changed(records.get('file', command.fileId), (file) => applyMove(file, command, nowMs)),
});

const isOver = (file: FileRecord, nowMs: number): boolean =>
  file.expiresAtMs <= nowMs && (file.status === 'active' || file.status === 'processing');

const expired = (file: FileRecord, nowMs: number): Change =>
  isOver(file, nowMs) ? { status: 'expired', owner: null, dueAtMs: nowMs, updatedAtMs: nowMs } : null;

// files:move:active-expired
/** Ends files whose time has come. Returns all of them as they now are. */
export const expireFiles = (fileIds: readonly string[]): Step<readonly FileRecord[]> => ({
  keys: fileIds.map((id) => ({ table: 'file', id })),
  decide: (records, nowMs) => {
    const moved = fileIds.map((id) => changed(records.get('file', id), (file) => expired(file, nowMs)));
    return {
      writes: moved.flatMap(({ writes }) => writes),
      answer: moved.flatMap(({ answer }) => (answer === null ? [] : [answer])),
    };
  },
});

/** Takes charge of a file that is processing and has no owner any more; null where it cannot be taken. */
export const takeFile = (fileId: string, owner: string, leaseMs: number): Step<FileRecord | null> => ({
  keys: [{ table: 'file', id: fileId }],
  decide: (records: Records, nowMs) => {
    const file = records.get('file', fileId);
    if (file?.status !== 'processing' || file.dueAtMs === null || file.dueAtMs > nowMs)
      return { writes: [], answer: null };
    return changed(file, () => ({ owner, dueAtMs: nowMs + leaseMs }));
  },
});

/** Keeps what a provider noted of its copy. One that comes after the file has ended is cleared away. */
export const noteFile = (fileId: string, provider: string, note: string): Step<FileRecord | null> => ({
  keys: [{ table: 'file', id: fileId }],
  decide: (records, nowMs) =>
    changed(records.get('file', fileId), (file) => ({
      notes: { ...file.notes, [provider]: note },
      ...(file.status === 'active' || file.status === 'processing' ? {} : { dueAtMs: nowMs }),
    })),
});
