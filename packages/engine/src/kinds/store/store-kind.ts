import { listRowsMax, type ResourceRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import { deleteResource } from '../../resources/delete-resource.ts';
import type { WorkKind } from '../../work/work-kind.ts';

const resultKeptMs = 7 * 24 * 3_600_000;

/** A store that is deleted takes its documents along, a round of them at a time. */
const deleteDocuments = async (engine: Engine, store: ResourceRecord): Promise<void> => {
  for (;;) {
    const documents = await engine.storage.list('resourcesByParent', { of: store.id, limit: listRowsMax });
    if (documents.length === 0) return;
    const outcomes = await Promise.all(
      documents.map(({ id, projectId }) => deleteResource(engine, projectId, { kind: 'document', id })),
    );
    // Nothing is processing in a store that could be deleted; should one be all the same, the claim on the row runs out first.
    if (outcomes.some(({ kind }) => kind === 'in_use')) throw new Error('a document of a deleted store is in use');
  }
};

/** Stores need no work; what belongs to them goes with them (stores:*). */
export const storeKind = (engine: Engine): WorkKind => ({
  kind: 'store',
  runningMax: 1,
  runningPerProjectMax: 1,
  resultKeptMs,
  run: () => Promise.resolve({ kind: 'unknown', cause: new Error('a store needs no work') }),
  discard: (store) => deleteDocuments(engine, store),
});
