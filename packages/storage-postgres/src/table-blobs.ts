import { isBlobKey, type BlobStore } from '@tollgate/storage';
import type { Statement, StatementResult } from './statement.ts';
import { quoted } from './table-statements.ts';

const checked = (key: string): string => {
  if (!isBlobKey(key)) throw new Error('not a blob key');
  return key;
};

/** Blobs as rows, in the same back-up and under the same commits as everything else. `run` runs one statement. */
export const tableBlobs = (schema: string, run: (statement: Statement) => Promise<StatementResult>): BlobStore => {
  const table = `${quoted(schema)}.blob`;
  return {
    put: async (key, bytes) => {
      await run({
        name: 'put_blob',
        text: `INSERT INTO ${table} (key, bytes) VALUES ($1::text, $2::bytea)
          ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes`,
        values: [checked(key), Buffer.from(bytes)],
      });
    },
    get: async (key) => {
      const { rows } = await run({
        name: 'get_blob',
        text: `SELECT encode(bytes, 'base64') FROM ${table} WHERE key = $1::text`,
        values: [checked(key)],
      });
      const text = rows[0]?.[0] ?? null;
      return text === null ? undefined : Uint8Array.from(Buffer.from(text, 'base64'));
    },
    delete: async (key) => {
      await run({ name: 'delete_blob', text: `DELETE FROM ${table} WHERE key = $1::text`, values: [checked(key)] });
    },
  };
};
