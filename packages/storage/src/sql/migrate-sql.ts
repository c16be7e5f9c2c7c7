import type { CarryRetries } from '../carry-steps.ts';
import { databaseMissingCode, storageBusyCode } from '../storage.ts';
import { missingCertification } from './certify-sql.ts';
import { kitMigrations } from './kit-tables.ts';
import { refuseNewer } from './refuse-newer.ts';
import { plainSql, type SqlConnection } from './sql-connection.ts';
import type { SqlDialect, SqlFault } from './sql-dialect.ts';
import { retrying } from './sql-transaction.ts';

const versionOf = async (dialect: SqlDialect, connection: SqlConnection): Promise<number> => {
  const version = dialect.quoted('schema_version');
  const [rows] = await connection.run([plainSql(`SELECT max(${dialect.quoted('version')}) FROM ${version}`)]);
  return Number(rows?.[0]?.[0] ?? 0);
};

/** Runs a statement that may have been run before, where a migration was broken off. */
const apply = async (dialect: SqlDialect, connection: SqlConnection, statement: string): Promise<void> => {
  try {
    await connection.run([plainSql(statement)]);
  } catch (cause) {
    const fault = dialect.faultOf(cause);
    // A row of a lock that is there is a race that was won long ago.
    if (fault !== 'applied' && fault !== 'race') throw cause;
  }
};

const applyMissing = async (dialect: SqlDialect, connection: SqlConnection): Promise<void> => {
  const version = dialect.quoted('schema_version');
  const column = dialect.quoted('version');
  await apply(
    dialect,
    connection,
    `CREATE TABLE ${version} (${column} ${dialect.types.integer} NOT NULL, PRIMARY KEY (${column}))${dialect.tableEnd('schema_version')}`,
  );
  const migrations = kitMigrations(dialect);
  const found = await versionOf(dialect, connection);
  refuseNewer(found, migrations.length);
  for (const migration of migrations.slice(found)) {
    for (const statement of migration.statements) await apply(dialect, connection, statement);
    await apply(dialect, connection, `INSERT INTO ${version} VALUES (${migration.version})`);
  }
  for (const statement of await missingCertification(dialect, connection)) await apply(dialect, connection, statement);
};

/** Throws `database_missing` where the database holds no gateway. */
const requireGateway = async (dialect: SqlDialect, connection: SqlConnection): Promise<void> => {
  try {
    await versionOf(dialect, connection);
  } catch (cause) {
    if (dialect.faultOf(cause) !== 'other') throw cause;
    throw Object.assign(new Error('the database holds no gateway', { cause }), { code: databaseMissingCode });
  }
};

const storageBusyError = (): Error =>
  Object.assign(new Error('another process has been migrating the database for too long'), { code: storageBusyCode });

/**
 * Brings the schema up to date. Several processes may do it at once: one does, and the others wait. Where a database has several
 * primaries, each of them may let one process do it: then each statement is run by the first that comes to it, and one that is
 * interrupted by a statement of another process is run again.
 */
export const migrateSql = async (
  dialect: SqlDialect,
  connection: SqlConnection,
  { create, retries }: { readonly create: boolean; readonly retries: CarryRetries },
): Promise<void> => {
  if (!create) await requireGateway(dialect, connection);
  const rows = (await retrying(dialect, retries, () => connection.run(dialect.lockMigrations))).at(-1);
  if (Number(rows?.[0]?.[0]) !== 1) throw storageBusyError();
  try {
    // Each statement may run again, so one that was interrupted and may have run does.
    const faultOf = (cause: unknown): SqlFault => {
      const fault = dialect.faultOf(cause);
      return fault === 'unknown' ? 'busy' : fault;
    };
    await retrying({ ...dialect, faultOf }, retries, () => applyMissing(dialect, connection));
  } finally {
    if (connection.isOpen()) await connection.run(dialect.unlockMigrations);
  }
};
