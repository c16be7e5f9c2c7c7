import { oneChunk } from '../blob-chunks.ts';
import { isBlobKey } from '../blob-key.ts';
import { putBlobParts, readBlobParts, type BlobParts, type SlicePart } from '../blob-parts.ts';
import { rangeWithin } from '../blob-range.ts';
import type { BlobStore } from '../blob-store.ts';
import { certifySql } from './certify-sql.ts';
import type { Sql, SqlRow, SqlValue } from './sql-connection.ts';
import type { StatementDialect } from './sql-dialect.ts';
import type { Plan } from './sql-transaction.ts';
import { createParameters } from './table-sql.ts';

/** How blobs and vectors reach the database. */
export interface SqlRunner {
  readonly dialect: StatementDialect;
  /** Runs one statement by itself, again where it changed nothing. */
  readonly query: (statement: Sql) => Promise<readonly SqlRow[]>;
  /** Runs `runTransaction`, again where it changed nothing. */
  readonly transact: <T>(
    loads: readonly Sql[],
    plan: (results: readonly (readonly SqlRow[])[]) => Plan<T>,
  ) => Promise<T>;
}

/** A statement whose parameters are written as `?`. No text of it has another `?`. */
export const sqlOf = (dialect: StatementDialect, text: string, ...values: readonly SqlValue[]): Sql => {
  const parameters = createParameters(dialect);
  let at = 0;
  const named = text.replaceAll('?', () => {
    const value = values[at] ?? null;
    at += 1;
    return parameters.add(value);
  });
  return { text: named, values: parameters.values };
};

const checked = (key: string): string => {
  if (!isBlobKey(key)) throw new Error('not a blob key');
  return key;
};

/** Bytes as a driver returns them, or as the text of hexadecimal digits in which PostgreSQL does. */
export const bytesOf = (value: SqlRow[number] | undefined): Uint8Array => {
  if (typeof value === 'string' && value.startsWith(String.raw`\x`)) return Buffer.from(value.slice(2), 'hex');
  if (!(value instanceof Uint8Array)) throw new Error('the database returned no bytes');
  return value;
};

/**
 * Puts an upload in place, unless its key was deleted since it began. Its parts are locked: a deletion that comes later waits for them,
 * and then removes what was put.
 */
const place = ({ dialect, transact }: SqlRunner, key: string, upload: string, sizeBytes: number): Promise<boolean> => {
  const sql = (text: string, ...values: readonly SqlValue[]) => sqlOf(dialect, text, ...values);
  return transact(
    [
      sql(`SELECT upload FROM stored_blob WHERE id = ?${dialect.forUpdate}`, key),
      sql(`SELECT number, length(bytes) FROM blob_part WHERE upload = ? ORDER BY seq${dialect.forUpdate}`, upload),
    ],
    ([blobs = [], parts = []]) => {
      const isWhole = parts.reduce((sum, [, bytes]) => sum + Number(bytes), 0) === sizeBytes;
      const before = blobs[0]?.[0] ?? null;
      const put =
        before === null
          ? sql('INSERT INTO stored_blob (id, upload, size_bytes) VALUES (?, ?, ?)', key, upload, sizeBytes)
          : sql('UPDATE stored_blob SET upload = ?, size_bytes = ? WHERE id = ?', upload, sizeBytes, key);
      const writes = [
        put,
        sql('DELETE FROM blob_part WHERE upload = ?', before),
        ...certifySql(dialect, 'blob_part', 'number', parts[0]?.[0] ?? 0),
      ];
      return { writes: isWhole ? writes : [], answer: () => isWhole };
    },
  );
};

const partsOf = (runner: SqlRunner, key: string): BlobParts => {
  const { dialect, query } = runner;
  const insert = 'INSERT INTO blob_part (blob_id, upload, seq, bytes) VALUES (?, ?, ?, ?)';
  const used = 'SELECT upload FROM stored_blob WHERE id = ?';
  return {
    put: (upload, seq, bytes) => query(sqlOf(dialect, insert, key, upload, seq, bytes)),
    place: (upload, sizeBytes) => place(runner, key, upload, sizeBytes),
    drop: (upload) =>
      query(sqlOf(dialect, `DELETE FROM blob_part WHERE upload = ? AND upload NOT IN (${used})`, upload, key)),
  };
};

const sliceOf =
  ({ dialect, query }: SqlRunner, upload: string): SlicePart =>
  async (seq, fromByte, bytes) => {
    const text = 'SELECT substring(bytes, ?, ?) FROM blob_part WHERE upload = ? AND seq = ?';
    const [row] = await query(sqlOf(dialect, text, fromByte + 1, bytes, upload, seq));
    return row === undefined ? null : Uint8Array.from(bytesOf(row[0]));
  };

/** All of a blob by one statement, which sees one state of it. */
const readWhole = async ({ dialect, query }: SqlRunner, key: string): Promise<Uint8Array | undefined> => {
  const text = `SELECT stored_blob.size_bytes, blob_part.bytes FROM stored_blob LEFT JOIN blob_part ON blob_part.upload = stored_blob.upload
    WHERE stored_blob.id = ? ORDER BY blob_part.seq`;
  const rows = await query(sqlOf(dialect, text, key));
  if (rows.length === 0) return undefined;
  const parts = rows.flatMap(([, bytes]) => (bytes instanceof Uint8Array ? [bytes] : []));
  const whole = Uint8Array.from(Buffer.concat(parts));
  if (whole.length !== Number(rows[0]?.[0])) throw new Error('bytes of the blob are missing');
  return whole;
};

/** Blobs as rows of parts, in the same back-up and under the same commits as everything else. */
export const sqlBlobs = (runner: SqlRunner): BlobStore => {
  const { dialect, query, transact } = runner;
  return {
    put: async (key, bytes) => {
      await putBlobParts(partsOf(runner, checked(key)), oneChunk(Uint8Array.from(bytes)));
    },
    get: async (key) => readWhole(runner, checked(key)),
    putStream: async (key, chunks) => putBlobParts(partsOf(runner, checked(key)), chunks),
    getStream: async (key, range) => {
      const [row] = await query(
        sqlOf(dialect, 'SELECT upload, size_bytes FROM stored_blob WHERE id = ?', checked(key)),
      );
      if (row === undefined) return undefined;
      const sizeBytes = Number(row[1]);
      return { sizeBytes, chunks: readBlobParts(sliceOf(runner, String(row[0])), rangeWithin(sizeBytes, range)) };
    },
    delete: async (key) => {
      const texts = ['DELETE FROM blob_part WHERE blob_id = ?', 'DELETE FROM stored_blob WHERE id = ?'];
      const writes = texts.map((text) => sqlOf(dialect, text, checked(key)));
      await transact([], () => ({ writes, answer: () => undefined }));
    },
  };
};
