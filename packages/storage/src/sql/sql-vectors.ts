import { checkChunkQuery, checkChunks, checkDimensions, unitVector } from '../chunk-checks.ts';
import { createNearestChunks, innerProduct } from '../nearest-chunks.ts';
import { bytesOfVector, vectorOfBytes } from '../vector-bytes.ts';
import type { ChunkQuery, FoundChunk, IndexedChunk, VectorIndex } from '../vector-index.ts';
import { certifySql } from './certify-sql.ts';
import { guardSql } from './kit-tables.ts';
import { bytesOf, sqlOf, type SqlRunner } from './sql-blobs.ts';
import type { Sql, SqlRow } from './sql-connection.ts';
import type { StatementDialect } from './sql-dialect.ts';

/** Vectors that one statement fetches, and rows that one removes, at the most. */
const rowsPerStatement = 256;

/** The columns of what is found, in the order of `foundChunkOf`. */
export const foundColumns = 'document_id, place, store_id, page, start_index, end_index, text';

/** A chunk from the row of `foundColumns`. */
export const foundChunkOf = (row: SqlRow, score: number): FoundChunk => {
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

/** The table of chunks where it is not the kit's own. */
export interface ChunkTable {
  /** The column that numbers its rows. */
  readonly number: string;
  /** The length of a row's vector. */
  readonly dimensions: string;
  /** Whether the one transaction that writes is alone anyway, so that no lock is needed. */
  readonly isAlone: boolean;
}

const kitTable: ChunkTable = { number: 'number', dimensions: 'dimensions', isAlone: false };

/** What a search needs of the database. */
type Searched = Pick<SqlRunner, 'dialect' | 'query'> & { readonly table: ChunkTable };

type Parts = SqlRunner & Searched;

interface InStore {
  readonly storeId: string;
  readonly vector: Float32Array;
}

const storesOf = (asked: readonly InStore[]): readonly string[] => [...new Set(asked.map(({ storeId }) => storeId))];

const dimensionsSql = (
  { dialect, table }: Pick<Searched, 'dialect' | 'table'>,
  asked: readonly InStore[],
): readonly Sql[] => {
  const text = `SELECT ${table.dimensions} FROM ${dialect.table('chunk')} WHERE store_id = ? LIMIT 1`;
  return storesOf(asked).map((storeId) => sqlOf(dialect, text, storeId));
};

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

const putSql = (dialect: StatementDialect, chunk: IndexedChunk): readonly Sql[] => {
  const { documentId, place, storeId, page, startIndex, endIndex, text } = chunk;
  const vector = unitVector(chunk.vector);
  const insert = `INSERT INTO ${dialect.table('chunk')} (${foundColumns}, dimensions, vector) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const values = [
    documentId,
    place,
    storeId,
    page,
    startIndex,
    endIndex,
    text,
    vector.length,
    bytesOfVector(vector),
  ] as const;
  return [
    sqlOf(dialect, `DELETE FROM ${dialect.table('chunk')} WHERE document_id = ? AND place = ?`, documentId, place),
    sqlOf(dialect, insert, ...values),
  ];
};

interface Candidate extends Pick<FoundChunk, 'documentId' | 'place' | 'score'> {
  readonly number: number;
}

/** Fetches every vector of the stores, a bounded number at a time, and compares them here. */
const scan = async ({ dialect, query, table }: Searched, asked: ChunkQuery): Promise<readonly Candidate[]> => {
  const nearest = createNearestChunks<Candidate>(asked.limit);
  const { number: id } = table;
  const text = `SELECT ${id}, document_id, place, vector FROM ${dialect.table('chunk')} WHERE store_id = ? AND ${id} > ? ORDER BY ${id} LIMIT ?`;
  for (const storeId of new Set(asked.storeIds)) {
    let after: number | null = 0;
    while (after !== null) {
      const rows: readonly SqlRow[] = await query(sqlOf(dialect, text, storeId, after, rowsPerStatement));
      for (const [number, documentId, place, vector] of rows) {
        const score = innerProduct(vectorOfBytes(bytesOf(vector)), asked.vector);
        nearest.offer({ number: Number(number), documentId: String(documentId), place: Number(place), score });
      }
      after = rows.length < rowsPerStatement ? null : Number(rows.at(-1)?.[0]);
    }
  }
  return nearest.list();
};

/** A condition on the numbers of rows. */
const numbered = ({ number }: ChunkTable, numbers: readonly number[]): string =>
  `${number} IN (${numbers.map(() => '?').join(', ')})`;

const find = async (parts: Searched, best: readonly Candidate[]): Promise<readonly FoundChunk[]> => {
  const { dialect, query, table } = parts;
  if (best.length === 0) return [];
  const numbers = best.map(({ number }) => number);
  const text = `SELECT ${table.number}, ${foundColumns} FROM ${dialect.table('chunk')} WHERE ${numbered(table, numbers)}`;
  const rows = await query(sqlOf(dialect, text, ...numbers));
  const byNumber = new Map(rows.map(([number, ...row]) => [Number(number), row]));
  // What is missing was removed since it was compared.
  return best.flatMap(({ number, score }) => {
    const row = byNumber.get(number);
    return row === undefined ? [] : [foundChunkOf(row, score)];
  });
};

/** Removes some chunks of a document; returns how many. */
const removeSome = ({ dialect, transact, table }: Parts, documentId: string): Promise<number> => {
  const text = `SELECT ${table.number} FROM ${dialect.table('chunk')} WHERE document_id = ? ORDER BY place LIMIT ?${dialect.forUpdate}`;
  return transact([sqlOf(dialect, text, documentId, rowsPerStatement)], ([rows = []]) => {
    const numbers = rows.map(([number]) => Number(number));
    const writes = [
      sqlOf(dialect, `DELETE FROM ${dialect.table('chunk')} WHERE ${numbered(table, numbers)}`, ...numbers),
    ];
    return { writes: numbers.length === 0 ? [] : writes, answer: () => numbers.length };
  });
};

const put = async (parts: Parts, chunks: readonly IndexedChunk[]): Promise<void> => {
  const { dialect, transact, table } = parts;
  // One at a time: a store without a vector has no row that could be locked.
  const locks = table.isAlone ? [] : [guardSql(dialect, 'chunks', true)];
  await transact([...locks, ...dimensionsSql(parts, chunks)], (results) => {
    checkStores(chunks, results.slice(locks.length));
    const certifying = certifySql(dialect, 'lock_row', 'id', 'chunks');
    return { writes: [...certifying, ...chunks.flatMap((chunk) => putSql(dialect, chunk))], answer: () => undefined };
  });
};

/** Throws where a store has vectors of another length than those given, or asked for. */
export const checkStoredLengths = async (searched: Searched, asked: readonly InStore[]): Promise<void> =>
  checkStores(asked, await Promise.all(dimensionsSql(searched, asked).map(searched.query)));

/** Searches the stores of a checked query, row by row. */
export const searchChunks = async (searched: Searched, asked: ChunkQuery): Promise<readonly FoundChunk[]> =>
  find(searched, await scan(searched, { ...asked, vector: unitVector(asked.vector) }));

/** An index in the database, always exact: by a scan of the stores' vectors. */
export const sqlVectors = (runner: SqlRunner, table = kitTable): VectorIndex => {
  const parts = { ...runner, table };
  return {
    put: async (chunks) => {
      checkChunks(chunks);
      if (chunks.length > 0) await put(parts, chunks);
    },
    search: async (asked) => {
      checkChunkQuery(asked);
      const stores = asked.storeIds.map((storeId) => ({ storeId, vector: asked.vector }));
      await checkStoredLengths(parts, stores);
      return searchChunks(parts, asked);
    },
    remove: async (documentId) => {
      while ((await removeSome(parts, documentId)) === rowsPerStatement);
    },
  };
};
