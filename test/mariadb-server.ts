// A MariaDB server for tests, where the machine has one.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';

const places = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'];

const programOf = (name: string): string | undefined =>
  places.map((place) => path.join(place, name)).find((file) => existsSync(file));

/** Whether the machine has what `startMariaDb` starts. */
export const hasMariaDb = (): boolean =>
  programOf('mariadbd') !== undefined && programOf('mariadb-install-db') !== undefined;

/** The number of the user without rights: the server does not run as root. */
const userWithoutRights = 65_534;
const asUser = process.getuid?.() === 0 ? { uid: userWithoutRights, gid: userWithoutRights } : {};

/** A folder in memory where there is one: these suites prove what is stored, and an answer that waited for a disk proves no more. */
const createFolder = (): string => {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(path.join(parent, 'tollgate-mariadb-'));
  mkdirSync(path.join(folder, 'data'));
  for (const one of [folder, path.join(folder, 'data')])
    if (asUser.uid !== undefined) chownSync(one, asUser.uid, asUser.gid);
  return folder;
};

const install = (folder: string): void => {
  const args = [
    '--no-defaults',
    `--datadir=${folder}/data`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ];
  const { status, stderr } = spawnSync(programOf('mariadb-install-db') ?? '', args, { ...asUser, encoding: 'utf8' });
  if (status !== 0) throw new Error(`mariadb-install-db failed: ${stderr}`);
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
};

const connected = async (url: string): Promise<Connection> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await createConnection({ uri: url, multipleStatements: true });
    } catch (cause) {
      if (tries >= 300) throw cause;
      await delay(100);
    }
  }
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
    /** Deletes every row of a database but its version and its locks. */
    empty: async (database: string): Promise<void> => {
      const [rows] = await root.query({
        sql: 'SELECT table_name FROM information_schema.tables WHERE table_schema = ?',
        values: [database],
        rowsAsArray: true,
      });
      const names = (rows as unknown as readonly (readonly string[])[]).flat();
      const emptied = names.filter((name) => name !== 'schema_version' && name !== 'lock_row');
      if (emptied.length > 0) await root.query(emptied.map((name) => `DELETE FROM ${database}.\`${name}\``).join(';'));
    },
    stop: async (): Promise<void> => {
      await root.end();
      server.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type MariaDb = Awaited<ReturnType<typeof startMariaDb>>;
