/** Bytes by key, beside the records: large answers, and later files. Keys are made of letters, digits, `-`, `_` and `/`. */
export interface BlobStore {
  /** Durable when it resolves; writing a key again replaces it. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
}
