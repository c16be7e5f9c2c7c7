import { setImmediate as nextRound } from 'node:timers/promises';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  checkChunkQuery,
  checkChunks,
  checkDimensions,
  createNearestChunks,
  innerProduct,
  unitVector,
  type ChunkQuery,
  type FoundChunk,
  type IndexedChunk,
  type VectorIndex,
} from '@tollgate/storage';
import { prepareArrays, rowOf } from './array-rows.ts';

/** How the index reads and writes: each call is one transaction, and resolves when what it saw or did is on disk. */
export interface VectorTransactions {
  readonly write: <T>(body: () => T) => Promise<T>;
  readonly read: <T>(body: () => T) => Promise<T>;
}

/** Vectors that are compared before other work gets its turn. */
const scannedPerRound = 256;
/** Rows removed in one transaction at the most. */
const removedPerStep = 256;

const columns = 'document_id, place, store_id, page, start_index, end_index, text';

const createStatements = (database: DatabaseSync) => ({
  dimensions: prepareArrays(database, 'SELECT dimensions FROM chunk WHERE store_id = ? LIMIT 1'),
  put: database.prepare(
    `INSERT INTO chunk (${columns}, dimensions, vector) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (document_id, place) DO UPDATE SET store_id = excluded.store_id, page = excluded.page,
        start_index = excluded.start_index, end_index = excluded.end_index, text = excluded.text,
        dimensions = excluded.dimensions, vector = excluded.vector`,
  ),
  scan: prepareArrays(
    database,
    'SELECT id, document_id, place, vector FROM chunk WHERE store_id = ? AND id > ? ORDER BY id LIMIT ?',
  ),
  find: prepareArrays(database, `SELECT ${columns} FROM chunk WHERE id = ? AND document_id = ? AND place = ?`),
  remove: database.prepare(
    'DELETE FROM chunk WHERE id IN (SELECT id FROM chunk WHERE document_id = ? ORDER BY place LIMIT ?)',
  ),
});

type Statements = ReturnType<typeof createStatements>;

const dimensionsOf = ({ dimensions }: Statements, storeId: string): number | undefined => {
  const row = dimensions.get(storeId);
  return row === undefined ? undefined : Number(rowOf(row)[0]);
};

/** Little-endian 32-bit floats, whatever machine this runs on, so that a database can be carried to another. */
const toBytes = (vector: Float32Array): Uint8Array => {
  const bytes = Buffer.allocUnsafe(vector.byteLength);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * Float32Array.BYTES_PER_ELEMENT);
  return bytes;
};

const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const toVector = (value: unknown): Float32Array => {
  if (!(value instanceof Uint8Array)) throw new Error('a chunk without a vector');
  const { BYTES_PER_ELEMENT: size } = Float32Array;
  const length = value.byteLength / size;
  if (littleEndian && value.byteOffset % size === 0) return new Float32Array(value.buffer, value.byteOffset, length);
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  return Float32Array.from({ length }, (_, at) => view.getFloat32(at * size, true));
};

const valuesOf = (chunk: IndexedChunk): readonly SQLInputValue[] => {
  const { documentId, place, storeId, page, startIndex, endIndex, text } = chunk;
  const vector = unitVector(chunk.vector);
  return [documentId, place, storeId, page, startIndex, endIndex, text, vector.length, toBytes(vector)];
};

interface Candidate extends Pick<FoundChunk, 'documentId' | 'place' | 'score'> {
  readonly id: number;
}

/** Compares one round of a store's vectors; returns the id of the last one, or null where there are no more. */
const scanRound = (
  { scan }: Statements,
  place: { readonly storeId: string; readonly afterId: number },
  offer: (id: number, documentId: string, at: number, vector: Float32Array) => void,
): number | null => {
  let lastId: number | null = null;
  let count = 0;
  for (const row of scan.iterate(place.storeId, place.afterId, scannedPerRound)) {
    const [id, documentId, at, vector] = rowOf(row);
    lastId = Number(id);
    count += 1;
    offer(lastId, String(documentId), Number(at), toVector(vector));
  }
  return count < scannedPerRound ? null : lastId;
};

const toFound = (row: unknown, score: number): FoundChunk => {
  const [documentId, place, storeId, page, startIndex, endIndex, text] = rowOf(row);
  return {
    storeId: String(storeId),
    documentId: String(documentId),
    place: Number(place),
    page: page === null ? null : Number(page),
    startIndex: Number(startIndex),
    endIndex: Number(endIndex),
    text: String(text),
    score,
  };
};

const search = async (
  statements: Statements,
  transactions: VectorTransactions,
  { storeIds, limit, vector: asked }: ChunkQuery,
): Promise<readonly FoundChunk[]> => {
  const vector = unitVector(asked);
  const nearest = createNearestChunks<Candidate>(limit);
  for (const storeId of new Set(storeIds)) {
    let afterId: number | null = 0;
    while (afterId !== null) {
      const place: { readonly storeId: string; readonly afterId: number } = { storeId, afterId };
      // Rounds follow one another: the thread is held for one of them at a time.
      afterId = await transactions.read(() =>
        scanRound(statements, place, (id, documentId, at, found) => {
          checkDimensions(found.length, vector);
          nearest.offer({ id, documentId, place: at, score: innerProduct(found, vector) });
        }),
      );
      await nextRound();
    }
  }
  return transactions.read(() =>
    nearest.list().flatMap(({ id, documentId, place, score }) => {
      const row = statements.find.get(id, documentId, place);
      // Removed since it was compared.
      return row === undefined ? [] : [toFound(row, score)];
    }),
  );
};

/** An index in the database, searched row by row. `guard` throws where it may not be used. */
export const tableVectors = (
  database: DatabaseSync,
  transactions: VectorTransactions,
  guard: () => void,
): VectorIndex => {
  const statements = createStatements(database);
  return {
    put: async (chunks) => {
      guard();
      checkChunks(chunks);
      const rows = chunks.map((chunk) => ({ chunk, values: valuesOf(chunk) }));
      await transactions.write(() => {
        for (const { chunk, values } of rows) {
          checkDimensions(dimensionsOf(statements, chunk.storeId), chunk.vector);
          statements.put.run(...values);
        }
      });
    },
    search: async (query) => {
      guard();
      checkChunkQuery(query);
      return search(statements, transactions, query);
    },
    remove: async (documentId) => {
      for (;;) {
        guard();
        // Steps follow one another, so that no step holds the lock for long.
        const changes = await transactions.write(() => statements.remove.run(documentId, removedPerStep).changes);
        if (Number(changes) < removedPerStep) return;
      }
    },
  };
};
