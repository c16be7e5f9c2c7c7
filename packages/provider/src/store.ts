import type { ProviderJobs } from './job.ts';
import type { ProjectFile } from './project-file.ts';
import type { CallContext } from './call-context.ts';
import type { Usage } from './usage.ts';

/** A file of the project that an upstream indexes in a store of its own. */
export interface ImportCall {
  readonly operationId: string;
  /** By which the upstream knows the store. */
  readonly store: string;
  readonly file: ProjectFile;
}

export interface ImportedDocument {
  /** By which the upstream knows the document. */
  readonly reference: string;
  /** In `indexing_tokens`; an empty list means that nothing was measured, and makes the operation uncertain. */
  readonly usage: readonly Usage[];
}

/**
 * Stores that an upstream keeps and searches for its own models: what a store is found by is handed to `interactions`, and to
 * whatever else of it runs `file_search`. Without them stores are the gateway's, and any model can search them.
 */
export interface ProviderStores {
  /** Creates an empty store and returns the upstream's name for it. It costs nothing; an unrecorded one stays empty. */
  readonly create: (
    store: { readonly id: string; readonly displayName: string | null },
    context: CallContext,
  ) => Promise<{ readonly reference: string }>;
  /** Indexes files. */
  readonly imports: ProviderJobs<ImportCall, ImportedDocument>;
  /** One that is gone is no error. */
  readonly removeDocument: (reference: string, context: CallContext) => Promise<void>;
  /** Removes a store with all that is in it; one that is gone is no error. */
  readonly remove: (reference: string, context: CallContext) => Promise<void>;
}
