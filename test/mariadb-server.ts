// A MariaDB server for tests, where the machine has one.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Connection } from 'mysql2/promise';
import { asUser, connected, createFolder, freePort, install, programOf } from './mariadb-files.ts';

/** Deletes every row of a database but its version and its locks. */
export const emptyDatabase = async (root: Connection, database: string): Promise<void> => {
  const [rows] = await root.query({
    sql: 'SELECT table_name FROM information_schema.tables WHERE table_schema = ?',
    values: [database],
    rowsAsArray: true,
  });
  const names = (rows as unknown as readonly (readonly string[])[]).flat();
  const emptied = names.filter((name) => name !== 'schema_version' && name !== 'lock_row');
  if (emptied.length > 0) await root.query(emptied.map((name) => `DELETE FROM ${database}.\`${name}\``).join(';'));
};

/** Starts a server on data of its own, with a database `gateway`. */
export const startMariaDb = async () => {
  const folder = createFolder();
  install(folder);
  const port = await freePort();
  const args = [
    '--no-defaults',
    `--datadir=${folder}/data`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${folder}/socket`,
    `--pid-file=${folder}/pid`,
    '--innodb-buffer-pool-size=64M',
    '--max-connections=400',
  ];
  const server = spawn(programOf('mariadbd') ?? '', args, { ...asUser, stdio: 'ignore' });
  const exited = new Promise((resolve) => {
    server.once('exit', resolve);
  });
  const url = `mysql://root@127.0.0.1:${port}/`;
  const root = await connected(url);
  await root.query('CREATE DATABASE gateway');
  return {
    url: `${url}gateway`,
    /** A connection of the server's owner. */
    root,
    empty: (database: string): Promise<void> => emptyDatabase(root, database),
    stop: async (): Promise<void> => {
      await root.end();
      server.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type MariaDb = Awaited<ReturnType<typeof startMariaDb>>;
