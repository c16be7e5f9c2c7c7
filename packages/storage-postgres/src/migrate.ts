import type { Client } from 'pg';
import { defaultSchema } from './default-schema.ts';
import { lockNumber } from './lock-number.ts';
import { refuseNewer, UnknownCommitError, type Migration } from '@tollgate/storage/sql';
import { migrations } from './migrations.ts';
import { isCancelledWait } from './line.ts';
import type { PostgresSource } from './open-client.ts';
import type { MigrateOptions } from './postgres-options.ts';
import { migrateCommandOf, schemaOpeningError } from './opening-advice.ts';
import { quoted } from './quoted.ts';
import { createServerDial, type ServerDial } from './server-dial.ts';
import { databaseMissingCode } from '@tollgate/storage';
import { checkConfiguration } from '@tollgate/contract/configuration';
import { migrateOptionsCheck } from './options-check.ts';

const connectTimeoutMsDefault = 10_000;

export const databaseMissing = (what: string, cause?: unknown): Error =>
  Object.assign(new Error(what, cause === undefined ? {} : { cause }), { code: databaseMissingCode });

/** What of a client migrations need. */
type Runs = Pick<Client, 'query'>;

const versionOf = async (client: Runs, schema: string): Promise<number> => {
  const { rows } = await client.query<{ version: number | null }>(
    `SELECT max(version)::int AS version FROM ${quoted(schema)}.schema_version`,
  );
  return rows[0]?.version ?? 0;
};

const createSchema = async (client: Runs, schema: string): Promise<void> => {
  // Only where it is missing: a role may be allowed to use a schema and not to create one.
  const { rows } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) await client.query(`CREATE SCHEMA ${quoted(schema)}`);
  await client.query(`CREATE TABLE IF NOT EXISTS ${quoted(schema)}.schema_version (
    version int PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`);
};

const applyAll = async (client: Runs, schema: string, steps: readonly Migration[]): Promise<readonly number[]> => {
  // Several processes start at once: one of them does it. Held by the transaction, so that it also works through a pooler;
  // and a statement of its own, for what follows must see what the one before us committed.
  await client.query(`SELECT pg_advisory_xact_lock(${lockNumber(schema, 'migrate')})`);
  await createSchema(client, schema);
  const found = await versionOf(client, schema);
  refuseNewer(found, steps.at(-1)?.version ?? 0);
  const missing = steps.filter((step) => step.version > found);
  await client.query(`SET LOCAL search_path TO ${quoted(schema)}`);
  for (const { version, statements } of missing) {
    await client.query(statements.join(';\n'));
    await client.query(`INSERT INTO schema_version (version) VALUES ($1)`, [version]);
  }
  return missing.map(({ version }) => version);
};

/** Brings the schema up to date on one client that the caller keeps, in one transaction. */
export const migrateOn = async (
  client: Runs,
  schema: string,
  steps: readonly Migration[] = migrations,
): Promise<readonly number[]> => {
  await client.query('BEGIN');
  try {
    // A role may have been set to see no warnings.
    await client.query('SET LOCAL client_min_messages = warning');
    const applied = await applyAll(client, schema, steps);
    await client.query('COMMIT');
    return applied;
  } catch (cause) {
    // The connection may be what failed; the first error is the one that tells.
    await client.query('ROLLBACK').catch(() => undefined);
    throw cause;
  }
};

/** What every schema of a gateway has had. */
const gatewayTables = ['schema_version', 'wallet'] as const;

/** Throws `database_missing` where the schema holds no gateway. */
export const requireGateway = async (client: Runs, schema: string): Promise<void> => {
  for (const table of gatewayTables) {
    const { rows } = await client.query<{ found: string | null; name: string }>(
      'SELECT to_regclass($1)::text AS found, current_database() AS name',
      [`${quoted(schema)}.${table}`],
    );
    const [row] = rows;
    if ((row?.found ?? null) === null)
      throw databaseMissing(`the schema ${quoted(schema)} of the database ${quoted(row?.name ?? '')} holds no gateway`);
  }
};

/** Throws where the schema is missing, older or newer than what this program knows. */
export const requireSchema = async (client: Runs, schema: string): Promise<void> => {
  const known = migrations.at(-1)?.version ?? 0;
  const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1)::text AS found', [
    `${quoted(schema)}.schema_version`,
  ]);
  const version = (rows[0]?.found ?? null) === null ? 0 : await versionOf(client, schema);
  refuseNewer(version, known);
  if (version < known)
    throw new Error(
      `the database has schema version ${version}; migrate it to ${known} first: ${migrateCommandOf(schema)}`,
    );
};

/**
 * Opens one connection for `body` and closes it. Rejects with `unknown_commit` where the wait of a commit for a standby was
 * cancelled: this server has the commit alone, and a fail-over loses it.
 */
export const onServer = async <T>(dial: ServerDial, body: (client: Client) => Promise<T>): Promise<T> => {
  const { client, discard } = await dial.open();
  let isCancelled = false;
  client.on('notice', (warning) => {
    isCancelled ||= isCancelledWait(warning);
  });
  try {
    const result = await body(client);
    if (!isCancelled) return result;
  } finally {
    discard();
  }
  throw new UnknownCommitError(
    'the migration did not reach the standby, for its wait was cancelled. Migrate again when a standby is attached',
  );
};

/** The same, on the primary of an address, however it is set up: a storage checks more when it opens. */
export const withClient = async <T>(
  source: PostgresSource,
  connectTimeoutMs: number,
  body: (client: Client) => Promise<T>,
): Promise<T> => {
  const demands = { readOnly: false, allowUnsafeServer: true, requireStandby: false, pooler: 'session' } as const;
  return onServer(createServerDial(source, { connectTimeoutMs, demands }), body);
};

/**
 * Brings the schema up to date, whole or not at all, and returns the versions applied. Safe when several processes do it at
 * once. Throws on a database of a newer program.
 */
export const migratePostgres = async (options: MigrateOptions): Promise<readonly number[]> => {
  checkConfiguration('migratePostgres', migrateOptionsCheck, options);
  const { schema = defaultSchema, connectTimeoutMs = connectTimeoutMsDefault } = options;
  try {
    return await withClient(options, connectTimeoutMs, (client) => migrateOn(client, schema));
  } catch (cause) {
    throw schemaOpeningError(cause, schema);
  }
};
