import type { FileRecord } from '@tollgate/storage';
import { deleteFileStep } from '../decisions/delete-file.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { isUnderWay } from '../operations/uses-under-way.ts';
import { findFile } from './find-file.ts';

export type DeleteFileOutcome =
  | { readonly kind: 'deleted'; readonly file: FileRecord }
  /** It is processing, or an operation that has not ended uses it. */
  | { readonly kind: 'in_use' }
  | { readonly kind: 'missing' };

/** How often a file that is being taken into use is checked again. */
const looksMax = 5;

// files:delete:*
/**
 * Deletes a file of the project that nothing under way uses. A use that begins meanwhile is seen by its count, and
 * everything is checked again. Bytes and copies are cleared away soon after.
 */
export const deleteFile = async (engine: Engine, projectId: string, id: string): Promise<DeleteFileOutcome> => {
  for (let look = 0; look < looksMax; look += 1) {
    const file = await findFile(engine, projectId, id);
    if (file === null || file.status === 'deleted') return { kind: 'missing' };
    if (await isUnderWay(engine, 'fileUsesByFile', id)) return { kind: 'in_use' };
    const answer = await commitOnce(engine, deleteFileStep({ fileId: id, uses: file.uses }));
    switch (answer.kind) {
      case 'deleted':
        engine.signals.workDue.notify();
        return answer;
      case 'processing':
        return { kind: 'in_use' };
      case 'missing':
        return { kind: 'missing' };
      case 'used':
        break;
    }
  }
  return { kind: 'in_use' };
};
