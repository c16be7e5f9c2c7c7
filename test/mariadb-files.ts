// Programs, folders and ports of MariaDB servers that tests start.
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';

const places = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'];

export const programOf = (name: string): string | undefined =>
  places.map((place) => path.join(place, name)).find((file) => existsSync(file));

/** Whether the machine has what `startMariaDb` starts. */
export const hasMariaDb = (): boolean =>
  programOf('mariadbd') !== undefined && programOf('mariadb-install-db') !== undefined;

/** The number of the user without rights: the server does not run as root. */
const userWithoutRights = 65_534;
export const asUser = process.getuid?.() === 0 ? { uid: userWithoutRights, gid: userWithoutRights } : {};

/** A folder in memory where there is one: these suites prove what is stored, and an answer that waited for a disk proves no more. */
export const createFolder = (): string => {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(path.join(parent, 'tollgate-mariadb-'));
  mkdirSync(path.join(folder, 'data'));
  for (const one of [folder, path.join(folder, 'data')])
    if (asUser.uid !== undefined) chownSync(one, asUser.uid, asUser.gid);
  return folder;
};

/** Puts a new database into the folder's `data`. */
export const install = (folder: string): void => {
  const args = [
    '--no-defaults',
    `--datadir=${folder}/data`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ];
  const { status, stderr } = spawnSync(programOf('mariadb-install-db') ?? '', args, { ...asUser, encoding: 'utf8' });
  if (status !== 0) throw new Error(`mariadb-install-db failed: ${stderr}`);
};

export const freePort = async (): Promise<number> => {
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

/** Connects as the server's owner when the server is there. */
export const connected = async (url: string): Promise<Connection> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await createConnection({ uri: url, multipleStatements: true });
    } catch (cause) {
      if (tries >= 300) throw cause;
      await delay(100);
    }
  }
};
