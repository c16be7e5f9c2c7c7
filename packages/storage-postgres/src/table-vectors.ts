import {
  checkChunkQuery,
  checkChunks,
  bytesOfVector,
  unitVector,
  type ChunkQuery,
  type FoundChunk,
  type IndexedChunk,
  type VectorIndex,
} from '@tollgate/storage';
import { checkStoredLengths, foundChunkOf, searchChunks, type ChunkTable, type Sql } from '@tollgate/storage/sql';
import { plainArray, textArray } from './array-literal.ts';
import { named } from './list-statement.ts';
import { postgresDialect } from './postgres-dialect.ts';
import type { Statement, StatementResult } from './statement.ts';
import { createVectorStatements, removedPerStep, type VectorStatements as Statements } from './vector-statements.ts';

/** Runs statements in one transaction and returns the result of the last. */
type Run = (...statements: readonly Statement[]) => Promise<StatementResult>;

const chunkTable: ChunkTable = { number: 'id', dimensions: 'length(vector) / 4', isAlone: false };

/** Digits that tell every 32-bit float from every other. */
const floatDigits = 9;

const toLiteral = (vector: Float32Array): string =>
  plainArray([...vector].map((value) => String(Number(value.toPrecision(floatDigits)))));

/** With `elements` the server can read the vectors, which is of use to pgvector alone. */
const putValues = (chunks: readonly IndexedChunk[], withElements: boolean): readonly string[] => {
  const numbers = (of: (chunk: IndexedChunk) => number): string => plainArray(chunks.map((chunk) => String(of(chunk))));
  const texts = (of: (chunk: IndexedChunk) => string): string => textArray(chunks.map(of));
  const units = chunks.map(({ vector }) => unitVector(vector));
  return [
    texts(({ documentId }) => documentId),
    numbers(({ place }) => place),
    texts(({ storeId }) => storeId),
    numbers(({ page }) => page ?? -1),
    numbers(({ startIndex }) => startIndex),
    numbers(({ endIndex }) => endIndex),
    texts(({ text }) => text),
    textArray(units.map((unit) => bytesOfVector(unit).toString('hex'))),
    textArray(units.map((unit) => (withElements ? toLiteral(unit) : null))),
  ];
};

/** Asks the server itself, which has pgvector in this schema. */
const searchThere = async (
  statements: Statements,
  run: Run,
  extension: string,
  { storeIds, vector, limit }: ChunkQuery,
): Promise<readonly FoundChunk[]> => {
  const { rows } = await run(statements.nearest(extension, storeIds, toLiteral(vector), limit));
  return rows.map((row) => foundChunkOf(row, Number(row.at(-1))));
};

const hasPlain = async (statements: Statements, run: Run, { storeIds }: ChunkQuery): Promise<boolean> =>
  (await run(statements.anyPlain(storeIds))).rows[0]?.[0] === 't';

/** Looked up once, at the first use: an extension that is made later counts from the next start on, for what is put then. */
const pgvectorOf = (statements: Statements, run: Run): (() => Promise<string | null>) => {
  let found: Promise<string | null> | undefined;
  const look = async (): Promise<string | null> => (await run(statements.pgvector())).rows[0]?.[0] ?? null;
  return () => {
    found ??= look().catch((cause: unknown) => {
      found = undefined;
      throw cause;
    });
    return found;
  };
};

/**
 * An index in the schema, always exact: by pgvector in the server where the database has it, else by a scan of the stores' vectors
 * here. `run` runs statements in one transaction; `extension` replaces the look for pgvector.
 */
export const tableVectors = (schema: string, run: Run, extension?: () => Promise<string | null>): VectorIndex => {
  const statements = createVectorStatements(schema);
  const pgvector = extension ?? pgvectorOf(statements, run);
  const searched = {
    dialect: postgresDialect(schema),
    query: async (statement: Sql) => (await run(named('', statement))).rows,
    table: chunkTable,
  };
  return {
    put: async (chunks) => {
      checkChunks(chunks);
      if (chunks.length === 0) return;
      await checkStoredLengths(searched, chunks);
      const values = putValues(chunks, (await pgvector()) !== null);
      const { tag } = await run(statements.lock(chunks.map(({ storeId }) => storeId)), statements.put(values));
      // Another process has put vectors since the stores were checked.
      if (!tag.endsWith(' 0')) return;
      await checkStoredLengths(searched, chunks);
      throw new Error('the chunks were not put');
    },
    search: async (query) => {
      checkChunkQuery(query);
      const { storeIds, vector } = query;
      await checkStoredLengths(
        searched,
        storeIds.map((storeId) => ({ storeId, vector })),
      );
      const there = await pgvector();
      const isScanned = there === null || (await hasPlain(statements, run, query));
      if (isScanned) return searchChunks(searched, query);
      return searchThere(statements, run, there, { ...query, vector: unitVector(vector) });
    },
    remove: async (documentId) => {
      for (;;) {
        const { tag } = await run(statements.remove(documentId));
        if (Number(tag.split(' ').at(-1)) < removedPerStep) return;
      }
    },
  };
};
