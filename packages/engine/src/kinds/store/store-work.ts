/** How the documents of a store are indexed. */
export interface StoreWork {
  /** Length of its vectors; null leaves it to the model. */
  readonly dimensions: number | null;
}

/** The work of a store's record, or null where it holds none. */
export const storeWork = (work: unknown): StoreWork | null =>
  // The drafts of stores alone write it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  typeof work === 'object' && work !== null && 'dimensions' in work ? (work as StoreWork) : null;
