import {
  blobPartBytes,
  isBlobKey,
  putBlobParts,
  rangeWithin,
  readBlobParts,
  type BlobParts,
  type BlobRange,
  type BlobStore,
  type BlobStream,
  type SlicePart,
} from '@tollgate/storage';
import type { Statement, StatementResult } from './statement.ts';
import { quoted } from './quoted.ts';

type Run = (statement: Statement) => Promise<StatementResult>;

const checked = (key: string): string => {
  if (!isBlobKey(key)) throw new Error('not a blob key');
  return key;
};

const createStatements = (schema: string) => {
  const blob = `${quoted(schema)}.blob`;
  const part = `${quoted(schema)}.blob_part`;
  // Of what the key held before, if that came in chunks.
  const goneParts = `DELETE FROM ${part} WHERE key = $1::text AND upload = (SELECT upload FROM ${blob} WHERE key = $1::text)`;
  const replace = `ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes, upload = excluded.upload,
    size_bytes = excluded.size_bytes, part_bytes = excluded.part_bytes`;
  return {
    put: (key: string, bytes: Buffer): Statement => ({
      name: 'put_blob',
      text: `WITH gone AS (${goneParts})
        INSERT INTO ${blob} (key, bytes) VALUES ($1::text, $2::bytea) ${replace}`,
      values: [key, bytes],
    }),
    putPart: (key: string, upload: string, seq: number, bytes: Buffer): Statement => ({
      name: 'put_blob_part',
      // It may be sent again after a connection was lost.
      text: `INSERT INTO ${part} (key, upload, seq, bytes) VALUES ($1::text, $2::text, $3::bigint, $4::bytea)
        ON CONFLICT (key, upload, seq) DO UPDATE SET bytes = excluded.bytes`,
      values: [key, upload, String(seq), bytes],
    }),
    /**
     * Puts a whole upload in place of what the key was seen to hold, and removes the rows of that. Two that replace the same are
     * sent one after the other: the second changes nothing, as the key does not hold what it has seen.
     */
    place: (key: string, upload: string, sizeBytes: number, seen: string | null): Statement => ({
      name: 'place_blob',
      text: `WITH whole AS (SELECT 1 FROM ${part} WHERE key = $1::text AND upload = $2::text
          HAVING coalesce(sum(length(bytes)), 0) = $3::bigint),
        gone AS (DELETE FROM ${part} WHERE key = $1::text AND upload = $5::text AND upload <> $2::text
          AND EXISTS (SELECT FROM whole))
        INSERT INTO ${blob} (key, bytes, upload, size_bytes, part_bytes)
        SELECT $1::text, ''::bytea, $2::text, $3::bigint, $4::bigint FROM whole
        ${replace} WHERE ${blob}.upload IS NOT DISTINCT FROM $5::text`,
      values: [key, upload, String(sizeBytes), String(blobPartBytes), seen],
    }),
    dropUpload: (key: string, upload: string): Statement => ({
      name: 'drop_blob_upload',
      text: `DELETE FROM ${part} WHERE key = $1::text AND upload = $2::text`,
      values: [key, upload],
    }),
    get: (key: string): Statement => ({
      name: 'get_blob',
      text: `SELECT upload, encode(bytes, 'base64') FROM ${blob} WHERE key = $1::text`,
      values: [key],
    }),
    find: (key: string): Statement => ({
      name: 'find_blob',
      text: `SELECT upload, coalesce(size_bytes, length(bytes)), part_bytes FROM ${blob} WHERE key = $1::text`,
      values: [key],
    }),
    slice: (key: string, fromByte: number, bytes: number): Statement => ({
      name: 'slice_blob',
      text: `SELECT encode(substring(bytes FROM $2::int FOR $3::int), 'base64') FROM ${blob}
        WHERE key = $1::text AND upload IS NULL`,
      values: [key, String(fromByte + 1), String(bytes)],
    }),
    slicePart: (key: string, upload: string, seq: number, [fromByte, bytes]: readonly [number, number]): Statement => ({
      name: 'slice_blob_part',
      text: `SELECT encode(substring(bytes FROM $4::int FOR $5::int), 'base64') FROM ${part}
        WHERE key = $1::text AND upload = $2::text AND seq = $3::bigint`,
      values: [key, upload, String(seq), String(fromByte + 1), String(bytes)],
    }),
    remove: (key: string): Statement => ({
      name: 'delete_blob',
      text: `WITH gone AS (DELETE FROM ${part} WHERE key = $1::text) DELETE FROM ${blob} WHERE key = $1::text`,
      values: [key],
    }),
  };
};

type Statements = ReturnType<typeof createStatements>;

interface Found {
  /** Null where the bytes lie in the blob's own row. */
  readonly upload: string | null;
  readonly sizeBytes: number;
  readonly partBytes: number;
}

const findBlob = async (run: Run, statement: Statement): Promise<Found | undefined> => {
  const [row] = (await run(statement)).rows;
  if (row === undefined) return undefined;
  const [upload, sizeBytes, bytes] = row;
  return { upload: upload ?? null, sizeBytes: Number(sizeBytes), partBytes: Number(bytes ?? sizeBytes) };
};

/** They are short, for they come as text, which the client holds whole. */
const sliceOf =
  (statements: Statements, run: Run, key: string, upload: string | null): SlicePart =>
  async (seq, fromByte, bytes) => {
    const statement =
      upload === null
        ? statements.slice(key, fromByte, bytes)
        : statements.slicePart(key, upload, seq, [fromByte, bytes]);
    const text = (await run(statement)).rows[0]?.[0] ?? null;
    return text === null ? null : Uint8Array.from(Buffer.from(text, 'base64'));
  };

/** So many other writers of a key may come first before one gives up. */
const placesMax = 1_000;

/** Whether the upload is in place; not where its rows are gone. Each other writer that comes first has put its own in place. */
const placeUpload = async (
  run: Run,
  { find }: Statements,
  key: string,
  place: (seen: string | null) => Statement,
): Promise<boolean> => {
  const look = async (): Promise<string | null> => (await findBlob(run, find(key)))?.upload ?? null;
  let seen = await look();
  for (let tries = 0; tries < placesMax; tries += 1) {
    if ((await run(place(seen))).tag.endsWith(' 1')) return true;
    const now = await look();
    if (now === seen) return false;
    seen = now;
  }
  throw new Error(`${placesMax} others wrote the blob at the same time`);
};

const partsOf = (statements: Statements, run: Run, key: string): BlobParts => ({
  put: (upload, seq, bytes) =>
    run(statements.putPart(key, upload, seq, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
  place: (upload, sizeBytes) =>
    placeUpload(run, statements, key, (seen) => statements.place(key, upload, sizeBytes, seen)),
  drop: (upload) => run(statements.dropUpload(key, upload)),
});

/** Blobs as rows, in the same back-up and under the same commits as everything else. `run` runs one statement. */
export const tableBlobs = (schema: string, run: Run): BlobStore => {
  const statements = createStatements(schema);
  const getStream = async (key: string, range?: BlobRange): Promise<BlobStream | undefined> => {
    const found = await findBlob(run, statements.find(checked(key)));
    if (found === undefined) return undefined;
    const { upload, sizeBytes, partBytes } = found;
    const slice = sliceOf(statements, run, key, upload);
    return { sizeBytes, chunks: readBlobParts(slice, rangeWithin(sizeBytes, range), partBytes) };
  };
  return {
    put: async (key, bytes) => {
      await run(statements.put(checked(key), Buffer.from(bytes)));
    },
    get: async (key) => {
      const [row] = (await run(statements.get(checked(key)))).rows;
      if (row === undefined) return undefined;
      const [upload, text] = row;
      if ((upload ?? null) === null) return Uint8Array.from(Buffer.from(text ?? '', 'base64'));
      const found = await getStream(key);
      if (found === undefined) return undefined;
      const bytes = new Uint8Array(found.sizeBytes);
      let at = 0;
      for await (const chunk of found.chunks) {
        bytes.set(chunk, at);
        at += chunk.length;
      }
      return bytes;
    },
    putStream: async (key, chunks) => putBlobParts(partsOf(statements, run, checked(key)), chunks),
    getStream,
    delete: async (key) => {
      await run(statements.remove(checked(key)));
    },
  };
};
