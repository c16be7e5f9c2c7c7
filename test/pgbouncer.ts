// A PgBouncer before a server of PostgreSQL, for tests; not every machine has one.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './postgres-process.ts';

/** It refuses to run as root; this user owns nothing. */
const nobody = { uid: 65_534, gid: 65_534 };

const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (path) => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0,
);

/** Whether there is one; where there is none, says in one line what is left out. */
export const hasPgBouncer = (what: string): boolean => {
  if (program === undefined) console.info(`${what}: left out, for this machine has no pgbouncer`);
  return program !== undefined;
};

export interface PgBouncer {
  /** The same database, through it. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  /** The address of the database. */
  readonly url: string;
  readonly mode: 'session' | 'transaction';
  /** More settings, as in its file. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

const configuration = ({ url, mode, settings = {} }: PgBouncerOptions, port: number): string => {
  const server = new URL(url);
  const all = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', pool_mode: mode };
  return [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}`,
    '[pgbouncer]',
    ...Object.entries({ ...all, ...settings }).map(([name, value]) => `${name} = ${value}`),
    '',
  ].join('\n');
};

export const startPgBouncer = async (options: PgBouncerOptions): Promise<PgBouncer> => {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-pgbouncer-'));
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'pgbouncer.ini'), configuration(options, port));
  const child = spawn(program ?? 'pgbouncer', [join(folder, 'pgbouncer.ini')], {
    ...(process.getuid?.() === 0 && nobody),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
      if (log.includes('process up')) resolve();
    });
    child.on('exit', () => reject(new Error(`PgBouncer ended at once:\n${log}`)));
  });
  const url = new URL(options.url);
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
