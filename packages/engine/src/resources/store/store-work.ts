import { draftResource, type ResourceDraft } from '../../decisions/resource-draft.ts';
import { withWire, type ResourceWire } from '../resource-wire.ts';
import { workReader } from '../../decisions/stored-values.ts';

/** A store that a provider keeps itself. */
export interface UpstreamStore {
  readonly provider: string;
  /** By which the provider knows it; null until its first document is indexed. */
  readonly reference: string | null;
}

/** How the documents of a store are indexed. */
export interface StoreWork {
  /** Length of its vectors; null leaves it to the model. */
  readonly dimensions: number | null;
  /** Present where the model's own provider keeps the store, and the gateway indexes nothing. */
  readonly upstream?: UpstreamStore;
}

/** The work of a store's record, or null where it holds none. */
export const storeWork = workReader<StoreWork>('dimensions');

/** A store as it is created: it is usable at once. */
export const openStore = (displayName: string | null, work: StoreWork, wire?: ResourceWire): ResourceDraft<StoreWork> =>
  draftResource({
    kind: 'store',
    displayName,
    availability: 'active',
    publicFields: withWire({ document_count: 0 }, wire),
    work,
  });
