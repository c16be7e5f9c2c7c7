// What happens to a database of SQLite from outside, for the storage suite.
import { DatabaseSync } from 'node:sqlite';
import { columnName } from '@tollgate/storage/sql';
import type { HeldRecords, RefuseWrites } from '@tollgate/testing/storage';

/** Runs statements as another client of the file. */
const runOn = (path: string, sql: string): void => {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  database.exec(sql);
  database.close();
};

/** A trigger that throws, or one that leaves a reference to nothing, which fails when the transaction commits. */
export const refuseOnSqlite =
  (path: string, at: 'write' | 'commit'): RefuseWrites =>
  async ({ table, id }) => {
    const body =
      at === 'write' ? "SELECT RAISE(ABORT, 'refused')" : 'INSERT OR REPLACE INTO refused_child (parent) VALUES (1)';
    runOn(
      path,
      `CREATE TABLE IF NOT EXISTS refused_parent (id INTEGER PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS refused_child (parent INTEGER REFERENCES refused_parent DEFERRABLE INITIALLY DEFERRED)`,
    );
    for (const verb of ['INSERT', 'UPDATE'])
      runOn(
        path,
        `CREATE TRIGGER refusing_${verb} AFTER ${verb} ON ${columnName(table)} WHEN NEW.id = '${id}' BEGIN ${body}; END`,
      );
    return async () => runOn(path, 'DROP TRIGGER refusing_INSERT; DROP TRIGGER refusing_UPDATE');
  };

/** Another client that has the lock of all records. */
export const takeOnSqlite =
  (path: string): HeldRecords['take'] =>
  async () => {
    const database = new DatabaseSync(path, { timeout: 10_000 });
    database.exec('BEGIN IMMEDIATE');
    return async () => {
      database.exec('ROLLBACK');
      database.close();
    };
  };
