import type { StorageFault } from './storage-fault.ts';

export const vectorFaults: readonly StorageFault[] = [
  {
    name: 'returns what lies furthest',
    failing: ['finds the chunks that lie nearest', 'searches more chunks than it holds'],
    fault: (parts) => ({ isNearer: (a, b) => parts.isNearer(b, a) }),
  },
  {
    name: 'answers chunks as they were put',
    failing: ['finds the chunks that lie nearest', 'goes by the direction of a vector'],
    fault: () => ({ isNearer: () => false }),
  },
  {
    name: 'ignores what is equally near',
    failing: ['puts chunks that are equally near in the order'],
    fault: () => ({ isNearer: (a, b) => a.score > b.score }),
  },
  {
    name: 'orders places as texts',
    failing: ['puts chunks that are equally near in the order'],
    fault: () => ({
      isNearer: (a, b) =>
        a.score === b.score ? `${a.documentId} ${a.place}` < `${b.documentId} ${b.place}` : a.score > b.score,
    }),
  },
  {
    name: 'takes a chunk without a page for one of the first',
    failing: ['keeps what belongs to a chunk exactly'],
    fault: (parts) => ({ keepChunk: (chunk) => ({ ...parts.keepChunk(chunk), page: chunk.page ?? 0 }) }),
  },
  {
    name: 'trims the text of a chunk',
    failing: ['keeps what belongs to a chunk exactly'],
    fault: (parts) => ({
      keepChunk: (chunk) => ({ ...parts.keepChunk(chunk), text: chunk.text.replaceAll(/\s+/g, ' ') }),
    }),
  },
  {
    name: 'goes by the length of a vector',
    failing: ['goes by the direction of a vector'],
    fault: () => ({ direction: (vector) => Float32Array.from(vector) }),
  },
  {
    name: 'looks in every store',
    failing: ['looks in the stores that are asked for'],
    fault: () => ({ isSearched: () => true }),
  },
  {
    name: 'does not tell large letters from small ones in a store',
    failing: ['looks in the stores that are asked for'],
    fault: () => ({
      isSearched: ({ storeIds }, { storeId }) => storeIds.some((id) => id.toLowerCase() === storeId.toLowerCase()),
    }),
  },
  {
    name: 'looks in the first store only',
    failing: ['looks in the stores that are asked for'],
    fault: () => ({ isSearched: ({ storeIds }, { storeId }) => storeIds[0] === storeId }),
  },
  {
    name: 'keeps both chunks of one place',
    failing: ['replaces a chunk that is put again'],
    fault: (parts, disk) => ({ chunkPlace: (chunk) => `${parts.chunkPlace(chunk)}\n${disk.chunks.size}` }),
  },
  {
    name: 'keeps the first chunk of a place',
    failing: ['replaces a chunk that is put again'],
    fault: (parts, disk) => ({
      putChunksOf: (chunks) => parts.putChunksOf(chunks.filter((chunk) => !disk.chunks.has(parts.chunkPlace(chunk)))),
    }),
  },
  {
    name: 'does not remove chunks',
    failing: ['removes the chunks of a document'],
    fault: () => ({ isRemoved: () => false }),
  },
  {
    name: 'removes the chunks of every document',
    failing: ['removes the chunks of a document, and of no other'],
    fault: () => ({ isRemoved: () => true }),
  },
  {
    name: 'removes the first chunks only',
    failing: ['removes the chunks of a document, and of no other'],
    fault: (parts) => ({ isRemoved: (chunk, documentId) => parts.isRemoved(chunk, documentId) && chunk.place < 256 }),
  },
  {
    name: 'compares the first chunks only',
    failing: ['searches more chunks than it holds'],
    fault: () => ({ searchedMax: 256 }),
  },
  {
    name: 'mixes vectors of any length',
    failing: ['refuses a vector of another length'],
    fault: () => ({ checkLength: () => undefined }),
  },
  {
    name: 'refuses another length without saying so',
    failing: ['refuses a vector of another length', 'adds all chunks of a call or none'],
    fault: () => ({
      checkLength: (present, vector) => {
        if (present !== undefined && present !== vector.length) throw new Error('another length');
      },
    }),
  },
  {
    name: 'adds what came before the chunk that it refuses',
    failing: ['adds all chunks of a call or none'],
    fault: (parts) => ({ putChunksOf: (chunks) => chunks.forEach((chunk) => parts.putChunksOf([chunk])) }),
  },
  {
    name: 'takes any number of chunks',
    failing: ['refuses chunks and questions beyond its bounds'],
    fault: () => ({ checkPut: () => undefined }),
  },
  {
    name: 'takes any question',
    failing: ['refuses chunks and questions beyond its bounds'],
    fault: () => ({ checkSearch: () => undefined }),
  },
  {
    name: 'shares a vector with its caller',
    failing: ['keeps vectors as they were when they were given'],
    fault: () => ({ direction: (vector) => vector }),
  },
  {
    name: 'looks at the lengths of a store before others have put theirs',
    failing: ['lets one of two lengths into a store that was empty'],
    fault: (parts, disk) => {
      let known: ReadonlySet<string> | undefined;
      return {
        putChunksOf: (chunks) => {
          known ??= new Set([...disk.chunks.values()].map(({ storeId }) => storeId));
          setImmediate(() => (known = undefined));
          if (chunks.every(({ storeId }) => known?.has(storeId) === true)) parts.putChunksOf(chunks);
          else for (const chunk of chunks) disk.chunks.set(parts.chunkPlace(chunk), parts.keepChunk(chunk));
        },
      };
    },
  },
  {
    name: 'puts the chunks of a call in two halves',
    failing: ['finds all chunks of a call or none while they are put'],
    fault: (parts) => ({
      putChunksOf: (chunks) => {
        const half = Math.ceil(chunks.length / 2);
        parts.putChunksOf(chunks.slice(0, half));
        setTimeout(() => parts.putChunksOf(chunks.slice(half)), 2);
      },
    }),
  },
];
