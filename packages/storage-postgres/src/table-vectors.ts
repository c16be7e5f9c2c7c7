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
import { quoted } from './quoted.ts';

type Run = (statement: Statement) => Promise<StatementResult>;

/** Vectors that one statement of a scan fetches. */
const scannedPerStatement = 256;
/** Rows that one statement removes at the most. */
const removedPerStep = 256;
/** Digits that tell every 32-bit float from every other. */
const floatDigits = 9;

const columns = 'document_id, place, store_id, page, start_index, end_index, text';

const createStatements = (schema: string) => {
  const chunk = `${quoted(schema)}.chunk`;
  return {
    /** The schema of pgvector's type and operators, where the database has it. */
    pgvector: (): Statement => ({
      name: '',
      text: `SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
      values: [],
    }),
    dimensions: (storeIds: readonly string[]): Statement => ({
      name: 'chunk_dimensions',
      text: `SELECT asked.id, (SELECT length(vector) / 4 FROM ${chunk} WHERE store_id = asked.id LIMIT 1)
        FROM unnest($1::text[]) asked (id)`,
      values: [textArray(storeIds)],
    }),
    put: (values: readonly string[]): Statement => ({
      name: 'put_chunks',
      text: `INSERT INTO ${chunk} (${columns}, vector, elements)
        SELECT d, p, s, nullif(g, -1), b, e, t, decode(v, 'hex'), a::real[]
        FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[],
          $9::text[]) given (d, p, s, g, b, e, t, v, a)
        ON CONFLICT (document_id, place) DO UPDATE SET store_id = excluded.store_id, page = excluded.page,
          start_index = excluded.start_index, end_index = excluded.end_index, text = excluded.text,
          vector = excluded.vector, elements = excluded.elements`,
      values,
    }),
    scan: (storeId: string, afterId: string): Statement => ({
      name: 'scan_chunks',
      text: `SELECT id, document_id, place, vector FROM ${chunk}
        WHERE store_id = $1::text AND id > $2::bigint ORDER BY id LIMIT ${scannedPerStatement}`,
      values: [storeId, afterId],
    }),
    find: (ids: readonly string[]): Statement => ({
      name: 'find_chunks',
      text: `SELECT id, ${columns} FROM ${chunk} WHERE id = ANY ($1::bigint[])`,
      values: [plainArray(ids)],
    }),
    /** In the exact order, which the server makes of its own rows. */
    nearest: (extension: string, storeIds: readonly string[], vector: string, limit: number): Statement => {
      const type = `${quoted(extension)}.vector`;
      const angle = `elements::${type} OPERATOR(${quoted(extension)}.<=>) $2::real[]::${type}`;
      return {
        name: 'nearest_chunks',
        text: `SELECT ${columns}, 1 - (${angle}) FROM ${chunk} WHERE store_id = ANY ($1::text[])
          ORDER BY ${angle}, document_id, place LIMIT $3::bigint`,
        values: [textArray(storeIds), vector, String(limit)],
      };
    },
    /** Whether a chunk was put when the database had no pgvector: the server cannot compare it. */
    anyPlain: (storeIds: readonly string[]): Statement => ({
      name: 'any_plain_chunk',
      text: `SELECT EXISTS (SELECT 1 FROM ${chunk} WHERE store_id = ANY ($1::text[]) AND elements IS NULL)`,
      values: [textArray(storeIds)],
    }),
    remove: (documentId: string): Statement => ({
      name: 'remove_chunks',
      text: `DELETE FROM ${chunk} WHERE id IN
        (SELECT id FROM ${chunk} WHERE document_id = $1::text ORDER BY place LIMIT ${removedPerStep})`,
      values: [documentId],
    }),
  };
};

type Statements = ReturnType<typeof createStatements>;

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
 * here. `run` runs one statement; `extension` replaces the look for pgvector.
 */
export const tableVectors = (schema: string, run: Run, extension?: () => Promise<string | null>): VectorIndex => {
  const statements = createStatements(schema);
  const pgvector = extension ?? pgvectorOf(statements, run);
  return {
    put: async (chunks) => {
      checkChunks(chunks);
      if (chunks.length === 0) return;
      await checkStores(statements, run, chunks);
      await run(statements.put(putValues(chunks, (await pgvector()) !== null)));
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
