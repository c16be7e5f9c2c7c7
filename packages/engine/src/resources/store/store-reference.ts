import type { Key } from '@tollgate/storage';
import type { Step } from '../../decisions/step.ts';
import type { Engine } from '../../engine.ts';
import { commit } from '../../operations/persist.ts';
import { storeWork, type StoreWork } from './store-work.ts';

const storeKeys = (id: string): readonly Key[] => [{ table: 'resource', id }];

/** Notes by what a provider knows a store; the first note stands, and is answered. Null where the store is gone. */
const recordStoreReferenceStep = (id: string, reference: string): Step<string | null> => ({
  keys: storeKeys(id),
  decide: (records) => {
    const store = records.get('resource', id);
    const work = storeWork(store?.work);
    if (store === undefined || work?.upstream === undefined || store.availability === 'deleted')
      return { writes: [], answer: null };
    if (work.upstream.reference !== null) return { writes: [], answer: work.upstream.reference };
    const noted: StoreWork = { ...work, upstream: { ...work.upstream, reference } };
    return { writes: [{ kind: 'put', table: 'resource', record: { ...store, work: noted } }], answer: reference };
  },
});

export const recordStoreReference = (engine: Engine, id: string, reference: string): Promise<string | null> =>
  commit(engine, recordStoreReferenceStep(id, reference));

/** By what this provider knows a store, or null: the store is the gateway's or another's, or has no document yet. */
export const findStoreReference = async (
  { storage }: Pick<Engine, 'storage'>,
  id: string,
  provider: string,
): Promise<string | null> => {
  const records = await storage.read(storeKeys(id));
  const upstream = storeWork(records.get('resource', id)?.work)?.upstream;
  return upstream?.provider === provider ? upstream.reference : null;
};
