import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { runSql } from '../../test/postgres-server.ts';
import type { StoreChoice } from '../torture/store-choice.ts';
import { kindsLimits } from './kinds-gateway.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];
type Query = (table: string, what: string) => Promise<Rows>;

/** What lies in a store of blobs, beside what its records say of it. */
interface Census {
  /** Names of blobs as they lie there. */
  readonly present: readonly string[];
  /** The name under which a key lies. */
  readonly nameOf: (key: string) => string;
  readonly query: Query;
}

/** Of a hash in hexadecimal. */
const hashChars = 64;

const censusOfSqlite = (path: string): Census => {
  const folder = `${path}-blobs`;
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return {
    // Behind the hash of its key, the name of a blob that was never put in place says so.
    present: files.filter((file) => file.isFile()).map(({ name }) => name.slice(0, hashChars)),
    nameOf: (key) => createHash('sha256').update(key).digest('hex'),
    query: async (table, what) => {
      const database = new DatabaseSync(path, { readOnly: true });
      const rows = database.prepare(`SELECT ${what} FROM ${table}`).all();
      database.close();
      return rows;
    },
  };
};

const censusOfPostgres = async (url: string): Promise<Census> => {
  const query: Query = (table, what) => runSql(url, `SELECT ${what} FROM tollgate.${table}`);
  const whole = await query('blob', 'key');
  // Parts of uploads that were never put in place lie there, too.
  const parts = await query('blob_part', 'DISTINCT key');
  return {
    present: [...new Set([...whole, ...parts].map(({ key }) => String(key)))],
    nameOf: (key) => key,
    query,
  };
};

const keyPattern = /"((?:inputs|media|videos|interactions|environments|answers)\/[\w/-]+)"/g;

/** Every key that the text of a record names. */
const keysIn = (value: unknown): readonly string[] => {
  const json = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return [...json.matchAll(keyPattern)].map((match) => match[1] ?? '');
};

/** The keys that records own: responses, items, files, trees of environments, and what the work of resources names. */
const ownedKeys = async (query: Query): Promise<readonly string[]> => {
  // Purged with its operation, however that ended: a worker may have died between an answer and its settlement.
  const operations = await query('operation', 'id');
  const items = await query('batch_item', 'id, state, answer');
  const files = await query('file', 'id');
  const trees = await query('environment_tree', 'files');
  const resources = await query('resource', 'work');
  return [
    ...operations.map(({ id }) => `answers/${String(id)}`),
    ...items.flatMap(({ id, state, answer }) =>
      state === 'completed' && answer === null ? [`answers/${String(id).replace(':', '/')}`] : [],
    ),
    ...files.map(({ id }) => `media/${String(id)}`),
    ...trees.flatMap((tree) => keysIn(tree['files'])),
    ...resources.flatMap(({ work }) => keysIn(work)),
  ];
};

/** How long after its time an ownerless blob may exist: a claim that died, and a few sweeps. */
const overdueMs = 2 * kindsLimits.leaseMs + 20 * kindsLimits.sweepMs;

/**
 * Every blob is owned by a record or is on the list of ownerless blobs, and none of those is older than its guard. Returns what is
 * neither, and whose time is long over.
 */
export const findOrphans = async (choice: StoreChoice): Promise<readonly string[]> => {
  if (choice.kind === 'galera') throw new Error('the blobs of a cluster are not listed');
  const { present, nameOf, query } =
    choice.kind === 'sqlite' ? censusOfSqlite(choice.path) : await censusOfPostgres(choice.url);
  const pending = await query('pending_blob', 'id, due_at_ms');
  const known = new Set([...pending.map(({ id }) => String(id)), ...(await ownedKeys(query))].map(nameOf));
  const orphans = present.filter((name) => !known.has(name)).map((name) => `blob ${name} has no owner`);
  const overdue = pending
    .filter((row) => row['due_at_ms'] !== null && Number(row['due_at_ms']) < Date.now() - overdueMs)
    .map(({ id }) => `blob ${String(id)} is older than its guard`);
  return [...orphans, ...overdue];
};
