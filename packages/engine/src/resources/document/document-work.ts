import { draftResource, type ResourceDraft } from '../../decisions/resource-draft.ts';
import { withWire, type ResourceWire } from '../resource-wire.ts';
import { workReader } from '../../decisions/stored-values.ts';
import type { Usage } from '@tollgate/provider';
import type { RunningJob } from '../../workers/provider-job.ts';

/** What is to be indexed, and how. */
export interface DocumentOrder {
  readonly storeId: string;
  readonly fileId: string;
  readonly mimeType: string;
  /** Length of the store's vectors; null leaves it to the model. */
  readonly dimensions: number | null;
  /** The provider that keeps the store and indexes for it; without it the gateway does. */
  readonly upstream?: string;
}

/** How far the indexing is. */
export interface DocumentProgress {
  /** Of the chunks, so that the next worker knows that it reads the same ones. */
  readonly digest: string;
  /** Chunks in the index. */
  readonly done: number;
  readonly usage: readonly Usage[];
}

/** What is kept of a document's work. */
export type DocumentWork =
  /** To be begun, or to be gone on with: nothing is in a provider's hands. */
  | {
      readonly phase: 'asked';
      readonly order: DocumentOrder;
      readonly progress: DocumentProgress | null;
      readonly tries: number;
    }
  /** The chunks after those that are done were handed over: whether they were embedded is known to who handed them over alone. */
  | { readonly phase: 'submitting'; readonly order: DocumentOrder; readonly progress: DocumentProgress | null }
  /** The store's provider is at it; asked for by the job. */
  | ({ readonly phase: 'running'; readonly order: DocumentOrder } & RunningJob)
  /** Nothing is left to do. */
  | { readonly phase: 'indexed'; readonly upstream?: { readonly provider: string; readonly reference: string } };

/** The work of a document's record, or null where it holds none. */
export const documentWork = workReader<DocumentWork>('phase');

/** A document as it is created, in its store: nothing of it was indexed. */
export const openDocument = (
  order: DocumentOrder,
  fileName: string | null,
  wire?: ResourceWire,
): ResourceDraft<DocumentWork> =>
  draftResource({
    kind: 'document',
    displayName: fileName,
    parent: order.storeId,
    publicFields: withWire({ store: order.storeId, file: order.fileId }, wire),
    work: { phase: 'asked', order, progress: null, tries: 0 },
  });
