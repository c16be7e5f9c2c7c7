import {
  checkChunkQuery,
  checkChunks,
  checkDimensions,
  createNearestChunks,
  innerProduct,
  unitVector,
  type FoundChunk,
  type IndexedChunk,
  type VectorIndex,
} from '@tollgate/storage';

const chunkKey = ({ documentId, place }: IndexedChunk): string => `${documentId}\n${place}`;

const foundOf = ({ vector, ...chunk }: IndexedChunk, query: Float32Array): FoundChunk => ({
  ...chunk,
  score: innerProduct(vector, query),
});

/** Chunks in a map, searched one by one. `guard` throws where the index may not be used. */
export const memoryVectors = (chunks: Map<string, IndexedChunk>, guard: () => void): VectorIndex => {
  const dimensionsOf = (storeId: string): number | undefined => {
    for (const chunk of chunks.values()) if (chunk.storeId === storeId) return chunk.vector.length;
    return undefined;
  };
  return {
    put: async (given) => {
      guard();
      checkChunks(given);
      const units = given.map((chunk) => ({ ...chunk, vector: unitVector(chunk.vector) }));
      const seen = new Map(units.map(({ storeId }) => [storeId, dimensionsOf(storeId)]));
      for (const { storeId, vector } of units) {
        checkDimensions(seen.get(storeId), vector);
        seen.set(storeId, vector.length);
      }
      for (const chunk of units) chunks.set(chunkKey(chunk), chunk);
    },
    search: async (query) => {
      guard();
      checkChunkQuery(query);
      const vector = unitVector(query.vector);
      const wanted = new Set(query.storeIds);
      const nearest = createNearestChunks<FoundChunk>(query.limit);
      for (const chunk of chunks.values()) {
        if (!wanted.has(chunk.storeId)) continue;
        checkDimensions(chunk.vector.length, vector);
        nearest.offer(foundOf(chunk, vector));
      }
      return nearest.list();
    },
    remove: async (documentId) => {
      guard();
      for (const [key, chunk] of chunks) if (chunk.documentId === documentId) chunks.delete(key);
    },
  };
};
