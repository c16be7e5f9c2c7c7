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
import { plainArray, textArray } from './array-literal.ts';
import type { Row } from './row-codec.ts';
import type { Statement, StatementResult } from './statement.ts';
import {
  createVectorStatements,
  removedPerStep,
  scannedPerStatement,
  type VectorStatements as Statements,
} from './vector-statements.ts';

/** Runs statements in one transaction and returns the result of the last. */
type Run = (...statements: readonly Statement[]) => Promise<StatementResult>;

/** Digits that tell every 32-bit float from every other. */
const floatDigits = 9;

const toLiteral = (vector: Float32Array): string =>
  plainArray([...vector].map((value) => String(Number(value.toPrecision(floatDigits)))));

const toHex = (vector: Float32Array): string => {
  const bytes = Buffer.allocUnsafe(vector.byteLength);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * Float32Array.BYTES_PER_ELEMENT);
  return bytes.toString('hex');
};

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
    textArray(units.map(toHex)),
    textArray(units.map((unit) => (withElements ? toLiteral(unit) : null))),
  ];
};

const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** From PostgreSQL's text form of bytes. */
const toVector = (value: string | null | undefined): Float32Array => {
  const bytes = Buffer.from((value ?? '').slice(2), 'hex');
  const size = Float32Array.BYTES_PER_ELEMENT;
  const length = Math.floor(bytes.length / size);
  if (littleEndian && bytes.byteOffset % size === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, length);
  return Float32Array.from({ length }, (_, at) => bytes.readFloatLE(at * size));
};

const toFound = (row: Row, score: number): FoundChunk => {
  const [documentId, place, storeId, page, startIndex, endIndex, text] = row;
  return {
    storeId: storeId ?? '',
    documentId: documentId ?? '',
    place: Number(place),
    page: (page ?? null) === null ? null : Number(page),
    startIndex: Number(startIndex),
    endIndex: Number(endIndex),
    text: text ?? '',
    score,
  };
};

interface Candidate extends Pick<FoundChunk, 'documentId' | 'place' | 'score'> {
  readonly id: string;
}

/** Fetches every vector of the stores, a bounded number at a time, and compares them here. */
const scan = async (statements: Statements, run: Run, query: ChunkQuery): Promise<readonly FoundChunk[]> => {
  const nearest = createNearestChunks<Candidate>(query.limit);
  for (const storeId of new Set(query.storeIds)) {
    for (let afterId: string | null = '0'; afterId !== null;) {
      const { rows }: StatementResult = await run(statements.scan(storeId, afterId));
      for (const [id, documentId, place, vector] of rows) {
        const score = innerProduct(toVector(vector), query.vector);
        nearest.offer({ id: id ?? '', documentId: documentId ?? '', place: Number(place), score });
      }
      afterId = rows.length < scannedPerStatement ? null : (rows.at(-1)?.[0] ?? null);
    }
  }
  const best = nearest.list();
  const { rows } = await run(statements.find(best.map(({ id }) => id)));
  const byId = new Map(rows.map(([id, ...row]) => [id, row]));
  // What is missing was removed since it was compared.
  return best.flatMap(({ id, score }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [toFound(row, score)];
  });
};

/** Asks the server itself, which has pgvector in this schema. */
const searchThere = async (
  statements: Statements,
  run: Run,
  extension: string,
  { storeIds, vector, limit }: ChunkQuery,
): Promise<readonly FoundChunk[]> => {
  const { rows } = await run(statements.nearest(extension, storeIds, toLiteral(vector), limit));
  return rows.map((row) => toFound(row, Number(row.at(-1))));
};

const hasPlain = async (statements: Statements, run: Run, { storeIds }: ChunkQuery): Promise<boolean> =>
  (await run(statements.anyPlain(storeIds))).rows[0]?.[0] === 't';

const checkStores = async (
  statements: Statements,
  run: Run,
  asked: readonly { readonly storeId: string; readonly vector: Float32Array }[],
): Promise<void> => {
  const { rows } = await run(statements.dimensions([...new Set(asked.map(({ storeId }) => storeId))]));
  const present = new Map(rows.flatMap(([id, length]) => (length === null ? [] : [[id, Number(length)] as const])));
  for (const { storeId, vector } of asked) {
    checkDimensions(present.get(storeId), vector);
    present.set(storeId, vector.length);
  }
};

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
  return {
    put: async (chunks) => {
      checkChunks(chunks);
      if (chunks.length === 0) return;
      await checkStores(statements, run, chunks);
      const values = putValues(chunks, (await pgvector()) !== null);
      const { tag } = await run(statements.lock(chunks.map(({ storeId }) => storeId)), statements.put(values));
      // Another process has put vectors since the stores were checked.
      if (!tag.endsWith(' 0')) return;
      await checkStores(statements, run, chunks);
      throw new Error('the chunks were not put');
    },
    search: async (query) => {
      checkChunkQuery(query);
      const unit = { ...query, vector: unitVector(query.vector) };
      await checkStores(
        statements,
        run,
        query.storeIds.map((storeId) => ({ storeId, vector: query.vector })),
      );
      const there = await pgvector();
      const isScanned = there === null || (await hasPlain(statements, run, query));
      return isScanned ? scan(statements, run, unit) : searchThere(statements, run, there, unit);
    },
    remove: async (documentId) => {
      for (;;) {
        const { tag } = await run(statements.remove(documentId));
        if (Number(tag.split(' ').at(-1)) < removedPerStep) return;
      }
    },
  };
};
