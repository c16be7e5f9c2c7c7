import type { DatabaseSync } from 'node:sqlite';
import { refuseNewer, type Migration } from '@tollgate/storage/sql';
import { migrations } from './migrations.ts';

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version']);

/**
 * Brings the schema up to date under an exclusive lock, so that processes which start at once do it once. Throws on a
 * database of a newer program.
 */
export const migrate = (database: DatabaseSync, steps: readonly Migration[] = migrations): void => {
  const known = steps.at(-1)?.version ?? 0;
  const found = versionOf(database);
  refuseNewer(found, known);
  if (found === known) return;
  database.exec('BEGIN EXCLUSIVE');
  try {
    const version = versionOf(database);
    refuseNewer(version, known);
    for (const step of steps.filter((one) => one.version > version)) {
      for (const sql of step.statements) database.exec(sql);
      database.exec(`PRAGMA user_version = ${step.version}`);
    }
    database.exec('COMMIT');
  } catch (cause) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw cause;
  }
};
