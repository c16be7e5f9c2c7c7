import { listRowsMax, type FileRecord } from '@tollgate/storage';
import { expireFiles } from '../decisions/move-file.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

/** Reads files as they are by the storage's clock: what is past its time is ended in the same step. */
const readFiles = (engine: Engine, ids: readonly string[]): Promise<readonly FileRecord[]> =>
  commitOnce(engine, expireFiles(ids));

/** A file of this project, a deleted one too, or null: another project's is as good as none. */
export const findFile = async (engine: Engine, projectId: string, id: string): Promise<FileRecord | null> => {
  const [file] = await readFiles(engine, [id]);
  return file?.projectId === projectId ? file : null;
};

// files:list:*
/** The newest files of a project, deleted ones left out. */
export const listFiles = async (engine: Engine, projectId: string): Promise<readonly FileRecord[]> => {
  const listed = await engine.storage.list('filesByProject', { of: projectId, limit: listRowsMax });
  if (listed.length === 0) return [];
  return readFiles(
    engine,
    listed.map(({ id }) => id),
  );
};
