import type { FileRecord } from '@tollgate/storage';
import type { AccessIds } from '../decisions/access.ts';
import { takeFile } from '../decisions/move-file.ts';
import type { Engine } from '../engine.ts';
import { carryOn } from './create-file.ts';
import { findFile } from './find-file.ts';
import { findMove, moveFile } from './process-file.ts';
import { waitAtMost } from './wait-at-most.ts';
import { commitOnce } from '../operations/persist.ts';

const hasCopy = (file: FileRecord): boolean => file.provider !== null && file.notes[file.provider] !== undefined;

/** Asks how far the copy is; asking changes nothing, so no lease is needed. */
const lookAtCopy = (engine: Engine, file: FileRecord, requestId: string | undefined): Promise<void> =>
  engine.backgroundTasks.run(async (signal) => {
    try {
      await moveFile(engine, file.id, await findMove(engine, file, { requestId, signal }), null);
    } catch (cause) {
      engine.logger.error('a file could not be checked', { requestId, fileId: file.id, cause });
    }
  });

/** A copy is made by one worker at a time: the one that has the lease goes on. */
const takeUp = async (engine: Engine, file: FileRecord, requestId: string | undefined): Promise<void> => {
  const owner = `${engine.owner}/${engine.newId()}`;
  const leaseMs = engine.limits.fileCopyMs + engine.limits.leaseMs;
  const taken = await commitOnce(engine, takeFile(file.id, owner, leaseMs));
  if (taken !== null) await carryOn(engine, taken, requestId);
};

// files:get:refreshes
/** A file with its state freshly checked, or null. */
export const refreshFile = async (
  engine: Engine,
  { projectId, requestId }: Pick<AccessIds, 'projectId' | 'requestId'>,
  id: string,
): Promise<FileRecord | null> => {
  const file = await findFile(engine, projectId, id);
  if (file?.status !== 'processing') return file;
  const work = hasCopy(file) ? lookAtCopy(engine, file, requestId) : takeUp(engine, file, requestId);
  await waitAtMost(engine, engine.limits.fileWaitMs, work);
  return findFile(engine, projectId, id);
};
