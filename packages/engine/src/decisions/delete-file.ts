import type { FileRecord } from '@tollgate/storage';
import { usageChange, usageKey, usageOfFile, usageWrites } from './quotas.ts';
import type { Step } from './step.ts';

export interface DeleteFileCommand {
  readonly fileId: string;
  /** Uses counted when it was checked: more of them mean that the look is out of date. */
  readonly uses: number;
}

export type DeleteFileAnswer =
  | { readonly kind: 'deleted'; readonly file: FileRecord }
  /** Its processing has not ended. */
  | { readonly kind: 'processing' }
  /** Another operation began to use it meanwhile: read it again. */
  | { readonly kind: 'used' }
  | { readonly kind: 'missing' };

/** Deletes a file that nothing under way uses. Its record stays, and so do the results of earlier operations. */
export const deleteFileStep = (command: DeleteFileCommand): Step<DeleteFileAnswer> => ({
  keys: [{ table: 'file', id: command.fileId }],
  decide: (records, nowMs) => {
    const file = records.get('file', command.fileId);
    if (file === undefined || file.status === 'deleted') return { writes: [], answer: { kind: 'missing' } };
    if (file.status === 'processing') return { writes: [], answer: { kind: 'processing' } };
    if (file.uses !== command.uses) return { writes: [], answer: { kind: 'used' } };
    const deleted: FileRecord = {
      ...file,
      status: 'deleted',
      owner: null,
      // What lies outside of the record is removed by the worker that claims it next.
      dueAtMs: nowMs,
      updatedAtMs: nowMs,
      deletedAtMs: nowMs,
    };
    return { writes: [{ kind: 'put', table: 'file', record: deleted }], answer: { kind: 'deleted', file: deleted } };
  },
});

/** What retention does with a file that has ended and of which everything else is cleared away. */
export interface ClearFileCommand {
  readonly claimed: FileRecord;
  /** How long the record is kept, counted from its creation; null keeps it for ever. */
  readonly recordKeptMs: number | null;
}

/** Notes that nothing of the file is left but its record, which counts no more, and removes the record in its time. */
export const clearFile = ({ claimed, recordKeptMs }: ClearFileCommand): Step<'removed' | 'cleared' | 'kept'> => ({
  keys: [{ table: 'file', id: claimed.id }, usageKey(claimed.projectId)],
  decide: (records, nowMs) => {
    const file = records.get('file', claimed.id);
    if (file === undefined || file.owner !== claimed.owner) return { writes: [], answer: 'kept' };
    const counted = usageWrites(records, file.projectId, usageChange(usageOfFile(file), {}));
    const removeAtMs = recordKeptMs === null ? null : file.createdAtMs + recordKeptMs;
    if (removeAtMs !== null && removeAtMs <= nowMs)
      return { writes: [{ kind: 'delete', table: 'file', id: file.id }, ...counted], answer: 'removed' };
    const record = { ...file, notes: {}, keptBytes: null, owner: null, dueAtMs: removeAtMs };
    return { writes: [{ kind: 'put', table: 'file', record }, ...counted], answer: 'cleared' };
  },
});
