import { checkChunkQuery, checkChunks, checkDimensions, unitVector } from '../chunk-checks.ts';
import { createNearestChunks, innerProduct } from '../nearest-chunks.ts';
import type { ChunkQuery, FoundChunk, IndexedChunk, VectorIndex } from '../vector-index.ts';
import { guardSql } from './schema-sql.ts';
import { bytesOf, sqlOf, type SqlRunner } from './sql-blobs.ts';
import type { Sql, SqlRow } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** Vectors that one statement fetches, and rows that one removes, at the most. */
const rowsPerStatement = 256;

const columns = 'document_id, place, store_id, page, start_index, end_index, text';

/** Little-endian 32-bit floats, whatever machine this runs on. */
const toBytes = (vector: Float32Array): Uint8Array => {
  const bytes = Buffer.allocUnsafe(vector.byteLength);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * Float32Array.BYTES_PER_ELEMENT);
  return bytes;
};

const toVector = (bytes: Uint8Array): Float32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = Float32Array.BYTES_PER_ELEMENT;
  return Float32Array.from({ length: bytes.byteLength / size }, (_, at) => view.getFloat32(at * size, true));
};

const toFound = (row: SqlRow, score: number): FoundChunk => {
  const [documentId, place, storeId, page = null, startIndex, endIndex, text] = row;
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

interface InStore {
  readonly storeId: string;
  readonly vector: Float32Array;
}

const storesOf = (asked: readonly InStore[]): readonly string[] => [...new Set(asked.map(({ storeId }) => storeId))];

const dimensionsSql = (dialect: SqlDialect, asked: readonly InStore[]): readonly Sql[] =>
  storesOf(asked).map((storeId) => sqlOf(dialect, 'SELECT dimensions FROM chunk WHERE store_id = ? LIMIT 1', storeId));

/** `results` are those of `dimensionsSql`. */
const checkStores = (asked: readonly InStore[], results: readonly (readonly SqlRow[])[]): void => {
  const present = new Map(
    storesOf(asked).flatMap((storeId, at) => {
      const row = results[at]?.[0];
      return row === undefined ? [] : [[storeId, Number(row[0])] as const];
    }),
  );
  for (const { storeId, vector } of asked) {
    checkDimensions(present.get(storeId), vector);
    present.set(storeId, vector.length);
  }
};

const putSql = (dialect: SqlDialect, chunk: IndexedChunk): readonly Sql[] => {
  const { documentId, place, storeId, page, startIndex, endIndex, text } = chunk;
  const vector = unitVector(chunk.vector);
  const insert = `INSERT INTO chunk (${columns}, dimensions, vector) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const values = [
    documentId,
    place,
    storeId,
    page,
    startIndex,
    endIndex,
    text,
    vector.length,
    toBytes(vector),
  ] as const;
  return [
    sqlOf(dialect, 'DELETE FROM chunk WHERE document_id = ? AND place = ?', documentId, place),
    sqlOf(dialect, insert, ...values),
  ];
};

interface Candidate extends Pick<FoundChunk, 'documentId' | 'place' | 'score'> {
  readonly number: number;
}

/** Fetches every vector of the stores, a bounded number at a time, and compares them here. */
const scan = async ({ dialect, query }: SqlRunner, asked: ChunkQuery): Promise<readonly Candidate[]> => {
  const nearest = createNearestChunks<Candidate>(asked.limit);
  const text =
    'SELECT number, document_id, place, vector FROM chunk WHERE store_id = ? AND number > ? ORDER BY number LIMIT ?';
  for (const storeId of new Set(asked.storeIds)) {
    let after: number | null = 0;
    while (after !== null) {
      const rows: readonly SqlRow[] = await query(sqlOf(dialect, text, storeId, after, rowsPerStatement));
      for (const [number, documentId, place, vector] of rows) {
        const score = innerProduct(toVector(bytesOf(vector)), asked.vector);
        nearest.offer({ number: Number(number), documentId: String(documentId), place: Number(place), score });
      }
      after = rows.length < rowsPerStatement ? null : Number(rows.at(-1)?.[0]);
    }
  }
  return nearest.list();
};

const find = async ({ dialect, query }: SqlRunner, best: readonly Candidate[]): Promise<readonly FoundChunk[]> => {
  if (best.length === 0) return [];
  const parameters = best.map(() => '?').join(', ');
  const numbers = best.map(({ number }) => number);
  const rows = await query(
    sqlOf(dialect, `SELECT number, ${columns} FROM chunk WHERE number IN (${parameters})`, ...numbers),
  );
  const byNumber = new Map(rows.map(([number, ...row]) => [Number(number), row]));
  // What is missing was removed since it was compared.
  return best.flatMap(({ number, score }) => {
    const row = byNumber.get(number);
    return row === undefined ? [] : [toFound(row, score)];
  });
};

/** An index in the database, always exact: by a scan of the stores' vectors. */
export const sqlVectors = (runner: SqlRunner): VectorIndex => {
  const { dialect, query, transact } = runner;
  return {
    put: async (chunks) => {
      checkChunks(chunks);
      if (chunks.length === 0) return;
      // One at a time: a store without a vector has no row that could be locked.
      const loads = [guardSql(dialect, 'chunks', true), ...dimensionsSql(dialect, chunks)];
      await transact(loads, ([, ...results]) => {
        checkStores(chunks, results);
        return { writes: chunks.flatMap((chunk) => putSql(dialect, chunk)), answer: () => undefined };
      });
    },
    search: async (asked) => {
      checkChunkQuery(asked);
      const stores = asked.storeIds.map((storeId) => ({ storeId, vector: asked.vector }));
      checkStores(stores, await Promise.all(dimensionsSql(dialect, stores).map(query)));
      return find(runner, await scan(runner, { ...asked, vector: unitVector(asked.vector) }));
    },
    remove: async (documentId) => {
      for (;;) {
        const rows = await query(
          sqlOf(dialect, 'SELECT number FROM chunk WHERE document_id = ? LIMIT ?', documentId, rowsPerStatement),
        );
        if (rows.length === 0) return;
        const parameters = rows.map(() => '?').join(', ');
        const numbers = rows.map(([number]) => Number(number));
        await query(sqlOf(dialect, `DELETE FROM chunk WHERE number IN (${parameters})`, ...numbers));
      }
    },
  };
};
