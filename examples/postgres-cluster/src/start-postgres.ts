// Starts a PostgreSQL server on data of its own.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { preparePostgresBinaries } from './postgres-binaries.ts';

export interface StartedPostgres {
  readonly url: string;
  readonly pid: number;
  /** Ends the server and deletes its data. */
  readonly stop: () => Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root; this user is in every system's list and owns nothing. */
const nobody: User = { uid: 65_534, gid: 65_534 };
const environment = { ...process.env, LC_ALL: 'C' };
const run = promisify(execFile);

const freePort = async (): Promise<number> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const whenListening = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      log = `${log}${chunk.toString('utf8')}`.slice(-4_000);
      if (log.includes('ready to accept connections')) resolve();
    });
    server.on('error', reject);
    server.on('exit', () => reject(new Error(`PostgreSQL ended at once:\n${log}`)));
  });

const launch = async (folder: string): Promise<StartedPostgres> => {
  const user = process.getuid?.() === 0 ? nobody : null;
  const owner = user ?? {};
  const data = path.join(folder, 'data');
  await chmod(folder, 0o755);
  const { initdb, postgres } = await preparePostgresBinaries(folder, user !== null);
  await mkdir(data, { mode: 0o700 });
  if (user !== null) await chown(data, user.uid, user.gid);
  const flags = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-locale'];
  await run(initdb, ['--pgdata', data, ...flags], { ...owner, env: environment, cwd: folder });
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  const server = spawn(postgres, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...owner,
    env: environment,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Not in the group of this process: an interrupt at the terminal would end it before those who use it.
    detached: true,
  });
  await whenListening(server);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: server.pid ?? 0,
    stop: async () => {
      const exited = once(server, 'exit');
      // A fast shutdown: connections are ended, nothing is lost.
      server.kill('SIGINT');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const startPostgres = async (): Promise<StartedPostgres> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-cluster-'));
  try {
    return await launch(folder);
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw cause;
  }
};
