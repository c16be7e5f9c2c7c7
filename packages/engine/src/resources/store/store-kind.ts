import type { Provider } from '@tollgate/provider';
import { listRowsMax, type ResourceRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import { deleteResource } from '../delete-resource.ts';
import type { WorkKind } from '../../workers/work-kind.ts';
import { askOutside } from '../ask-outside.ts';
import { storeWork } from './store-work.ts';

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

/** Removes the store that a provider keeps, once its documents are gone here. */
const removeUpstream = async ({ engine, findProvider }: StoreKindOptions, store: ResourceRecord): Promise<void> => {
  const upstream = storeWork(store.work)?.upstream;
  const reference = upstream?.reference ?? null;
  if (reference === null) return;
  const provider = findProvider(store.model);
  const stores = provider?.name === upstream?.provider ? provider?.stores : undefined;
  if (stores !== undefined) await askOutside(engine, store, (context) => stores.remove(reference, context));
};

export interface StoreKindOptions {
  readonly engine: Engine;
  /** Who carries out what is asked of a model now; null where none does. */
  readonly findProvider: (model: string) => Provider | null;
}

// stores:*
/** Stores need no work; what belongs to them goes with them. */
export const storeKind = (options: StoreKindOptions): WorkKind => ({
  kind: 'store',
  runningMax: 1,
  runningPerProjectMax: 1,
  resultKeptMs,
  run: () => Promise.resolve({ kind: 'unknown', cause: new Error('a store needs no work') }),
  discard: async (store) => {
    await deleteDocuments(options.engine, store);
    await removeUpstream(options, store);
  },
});
