import {
  chunksPerPutMax,
  foundChunksMax,
  searchedStoresMax,
  vectorDimensionsCode,
  type ChunkQuery,
  type IndexedChunk,
} from './vector-index.ts';

/** The vector made one long, by 64-bit arithmetic. Throws where it has no direction. */
export const unitVector = (vector: Float32Array): Float32Array => {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) throw new RangeError('a vector without a direction');
  return vector.map((value) => value / length);
};

const isPlace = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

const checkChunk = ({ storeId, documentId, place, page, startIndex, endIndex, text, vector }: IndexedChunk): void => {
  if (![place, page ?? 0, startIndex, endIndex].every(isPlace)) throw new RangeError('a chunk at no place');
  // PostgreSQL holds no NUL.
  if (![storeId, documentId, text].every((value) => value.isWellFormed() && !value.includes('\0')))
    throw new RangeError('a chunk of a text that cannot be stored');
  if (vector.length === 0) throw new RangeError('a chunk without a vector');
};

/** Throws where these chunks cannot be put. */
export const checkChunks = (chunks: readonly IndexedChunk[]): void => {
  if (chunks.length > chunksPerPutMax) throw new RangeError(`at most ${chunksPerPutMax} chunks: ${chunks.length}`);
  for (const chunk of chunks) checkChunk(chunk);
  const places = new Set(chunks.map(({ documentId, place }) => `${documentId}\n${place}`));
  if (places.size !== chunks.length) throw new RangeError('two chunks at one place');
};

/** Throws where this cannot be searched for. */
export const checkChunkQuery = ({ storeIds, vector, limit }: ChunkQuery): void => {
  if (!Number.isInteger(limit) || limit < 1 || limit > foundChunksMax)
    throw new RangeError(`a limit is 1 to ${foundChunksMax}: ${limit}`);
  if (storeIds.length < 1 || storeIds.length > searchedStoresMax)
    throw new RangeError(`1 to ${searchedStoresMax} stores: ${storeIds.length}`);
  if (!storeIds.every((id) => id.isWellFormed() && !id.includes('\0'))) throw new RangeError('not the id of a store');
  if (vector.length === 0) throw new RangeError('a query without a vector');
};

/** Throws where a store that has vectors already is given, or asked by, one of another length. */
export const checkDimensions = (present: number | undefined, vector: Float32Array): void => {
  if (present !== undefined && present !== vector.length)
    throw Object.assign(new Error(`vectors of ${vector.length} numbers in a store of ${present}`), {
      code: vectorDimensionsCode,
    });
};
