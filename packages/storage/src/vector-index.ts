/** A piece of a document's text, with the direction in which its meaning lies. */
export interface IndexedChunk {
  readonly storeId: string;
  readonly documentId: string;
  /** Counts from 0 within the document. */
  readonly place: number;
  /** Counts from 1; null where the document has no pages. */
  readonly page: number | null;
  /** Where the piece stands within its page, or within a document without pages, in UTF-16 units. */
  readonly startIndex: number;
  readonly endIndex: number;
  readonly text: string;
  /** Its direction alone counts. */
  readonly vector: Float32Array;
}

/** Chunks of one `put` at the most. */
export const chunksPerPutMax = 100;
/** Stores of one search, and chunks that it answers, at the most. */
export const searchedStoresMax = 64;
export const foundChunksMax = 1_000;

export interface ChunkQuery {
  /** 1 to `searchedStoresMax`. */
  readonly storeIds: readonly string[];
  readonly vector: Float32Array;
  /** 1 to `foundChunksMax`. */
  readonly limit: number;
}

export interface FoundChunk extends Omit<IndexedChunk, 'vector'> {
  /** The cosine of the angle between chunk and query: 1 is the same direction. */
  readonly score: number;
}

/**
 * Pieces of text by what they mean. It knows neither models nor what may be shown: vectors of one store have one length, and who
 * searches looks whether the document of what was found may be used.
 */
export interface VectorIndex {
  /**
   * Adds up to `chunksPerPutMax` chunks, all or none, durable when it resolves. A chunk of the same document and place is replaced.
   * Throws `vector_dimensions` where a store holds vectors of another length.
   */
  put(chunks: readonly IndexedChunk[]): Promise<void>;
  /**
   * The chunks of these stores that lie nearest, the nearest first, then by document and place. Throws `vector_dimensions` where a
   * store holds vectors of another length.
   */
  search(query: ChunkQuery): Promise<readonly FoundChunk[]>;
  /** Removes all chunks of a document, in bounded steps; to be repeated where it throws. One that is not there is no error. */
  remove(documentId: string): Promise<void>;
}

/** The code of the error with which vectors of another length than a store's are refused: they are another model's. */
export const vectorDimensionsCode = 'vector_dimensions';
