import {
  checkChunkQuery,
  checkChunks,
  checkDimensions,
  innerProduct,
  unitVector,
  type ChunkQuery,
  type FoundChunk,
  type IndexedChunk,
} from '@tollgate/storage';
import type { PlainDisk, PlainParts } from './plain-interface.ts';

const isNearer = (a: FoundChunk, b: FoundChunk): boolean => {
  if (a.score !== b.score) return a.score > b.score;
  return a.documentId === b.documentId ? a.place < b.place : a.documentId < b.documentId;
};

/** Looks at every length before anything is put. */
const putChunksOf = (disk: PlainDisk, parts: PlainParts, chunks: readonly IndexedChunk[]): void => {
  const lengths = new Map([...disk.chunks.values()].map(({ storeId, vector }) => [storeId, vector.length]));
  const kept = chunks.map((chunk) => {
    parts.checkLength(lengths.get(chunk.storeId), chunk.vector);
    lengths.set(chunk.storeId, chunk.vector.length);
    return parts.keepChunk(chunk);
  });
  for (const chunk of kept) disk.chunks.set(parts.chunkPlace(chunk), chunk);
};

/** Parts of the index of vectors. */
export const vectorParts = (disk: PlainDisk, own: () => PlainParts) => ({
  checkPut: checkChunks,
  checkSearch: checkChunkQuery,
  checkLength: checkDimensions,
  direction: unitVector,
  keepChunk: (chunk: IndexedChunk) => ({ ...chunk, vector: own().direction(chunk.vector) }),
  chunkPlace: ({ documentId, place }: IndexedChunk) => `${documentId}\n${place}`,
  putChunksOf: (chunks: readonly IndexedChunk[]) => putChunksOf(disk, own(), chunks),
  isSearched: ({ storeIds }: ChunkQuery, { storeId }: IndexedChunk) => storeIds.includes(storeId),
  found: ({ vector, ...chunk }: IndexedChunk, asked: Float32Array) => ({
    ...chunk,
    score: innerProduct(vector, asked),
  }),
  isNearer,
  searchedMax: Number.POSITIVE_INFINITY,
  isRemoved: (chunk: IndexedChunk, documentId: string) => chunk.documentId === documentId,
});
