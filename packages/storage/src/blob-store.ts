/** Which bytes of a blob are wanted. */
export interface BlobRange {
  /** The first one, counted from 0. */
  readonly fromByte: number;
  /** The first one that is not wanted any more; without it all to the end. What lies behind the end is left out. */
  readonly toByte?: number;
}

/** A blob that is read in chunks. */
export interface BlobStream {
  /** Of the whole blob, whatever range was asked for. */
  readonly sizeBytes: number;
  /**
   * To be read once. Throws where the blob was deleted, replaced or broken before its end. A chunk is its taker's to keep; none
   * has to be taken.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Bytes by key, beside the records: large answers, media and files. Keys are made of letters, digits, `-`, `_` and `/`. */
export interface BlobStore {
  /** Durable when it resolves; writing a key again replaces it. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or undefined where there is no such key. */
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * Stores the chunks as one blob and returns how many bytes it has. Durable when it resolves; nothing is seen of it before.
   * Where it throws, the store's or the source's error, the key holds what it held. A chunk may be used again as soon as the
   * next one is asked for. Bytes that a process left behind when it died are removed by `delete`.
   */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** The bytes, or a range of them, as they are read; undefined where there is no such key. */
  getStream(key: string, range?: BlobRange): Promise<BlobStream | undefined>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
}
