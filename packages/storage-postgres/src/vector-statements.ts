import { foundColumns } from '@tollgate/storage/sql';
import { textArray } from './array-literal.ts';
import { lockNumber } from './lock-number.ts';
import { quoted } from './quoted.ts';
import type { Statement } from './statement.ts';

/** Rows that one statement removes at the most. */
export const removedPerStep = 256;

const questions = (schema: string) => {
  const chunk = `${quoted(schema)}.chunk`;
  return {
    /** The schema of pgvector's type and operators, where the database has it. */
    pgvector: (): Statement => ({
      name: '',
      text: `SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
      values: [],
    }),
    /** In the exact order, which the server makes of its own rows. */
    nearest: (extension: string, storeIds: readonly string[], vector: string, limit: number): Statement => {
      const type = `${quoted(extension)}.vector`;
      const angle = `elements::${type} OPERATOR(${quoted(extension)}.<=>) $2::real[]::${type}`;
      return {
        name: 'nearest_chunks',
        text: `SELECT ${foundColumns}, 1 - (${angle}) FROM ${chunk} WHERE store_id = ANY ($1::text[])
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
  };
};

const changes = (schema: string) => {
  const chunk = `${quoted(schema)}.chunk`;
  return {
    /** Stores are put to by one transaction at a time, for a store without a vector has no row that could be locked. */
    lock: (storeIds: readonly string[]): Statement => ({
      name: 'lock_chunk_stores',
      text: `SELECT pg_advisory_xact_lock(number) FROM (SELECT DISTINCT hashtextextended(id, ${lockNumber(schema, 'chunks')}) AS number
        FROM unnest($1::text[]) asked (id) ORDER BY number OFFSET 0) AS locks`,
      values: [textArray(storeIds)],
    }),
    /** Puts nothing where a store has vectors of another length. Hexadecimal text has two characters for a byte. */
    put: (values: readonly string[]): Statement => ({
      name: 'put_chunks',
      text: `INSERT INTO ${chunk} (${foundColumns}, vector, elements)
        SELECT d, p, s, nullif(g, -1), b, e, t, decode(v, 'hex'), a::real[]
        FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[],
          $9::text[]) given (d, p, s, g, b, e, t, v, a)
        WHERE NOT EXISTS (SELECT 1
          FROM (SELECT DISTINCT s, length(v) / 2 AS bytes FROM unnest($3::text[], $8::text[]) AS one (s, v)) AS asked,
            LATERAL (SELECT length(vector) AS bytes FROM ${chunk} WHERE store_id = asked.s LIMIT 1) AS present
          WHERE present.bytes <> asked.bytes)
        ON CONFLICT (document_id, place) DO UPDATE SET store_id = excluded.store_id, page = excluded.page,
          start_index = excluded.start_index, end_index = excluded.end_index, text = excluded.text,
          vector = excluded.vector, elements = excluded.elements`,
      values,
    }),
    remove: (documentId: string): Statement => ({
      name: 'remove_chunks',
      text: `DELETE FROM ${chunk} WHERE id IN
        (SELECT id FROM ${chunk} WHERE document_id = $1::text ORDER BY place LIMIT ${removedPerStep})`,
      values: [documentId],
    }),
  };
};

/** The statements over the table of chunks. */
export const createVectorStatements = (schema: string) => ({ ...questions(schema), ...changes(schema) });

export type VectorStatements = ReturnType<typeof createVectorStatements>;
