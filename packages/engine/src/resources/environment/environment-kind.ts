import { treeKey } from '../../decisions/environment-draft.ts';
import type { Engine } from '../../engine.ts';
import { inGroups } from './in-groups.ts';
import { commitOnce } from '../../operations/persist.ts';
import type { WorkKind } from '../../workers/work-kind.ts';

/** Deletes the files and then what says where they lie, in this order: a death between leaves the rest to the next sweep. */
const discardTree = async (engine: Pick<Engine, 'storage'>, id: string): Promise<void> => {
  const { storage } = engine;
  const records = await storage.read([treeKey(id)]);
  const tree = records.get('environmentTree', id);
  if (tree === undefined) return;
  await inGroups(tree.files, ({ blobKey }) => storage.blobs.delete(blobKey));
  await commitOnce(engine, {
    keys: [treeKey(id)],
    decide: (found) => ({
      writes: found.get('environmentTree', id) === undefined ? [] : [{ kind: 'delete', table: 'environmentTree', id }],
      answer: undefined,
    }),
  });
};

// environments:*
/** Environments are whole as soon as they are opened; what is left to do is to clear their files away. */
export const environmentKind = (engine: Engine): WorkKind => ({
  kind: 'environment',
  runningMax: 1,
  runningPerProjectMax: 1,
  resultKeptMs: engine.limits.answerKeptMs,
  run: () => Promise.resolve({ kind: 'unknown', cause: new Error('an environment has no work') }),
  discard: (resource) => discardTree(engine, resource.id),
});
