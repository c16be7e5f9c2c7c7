// A primary of PostgreSQL and a synchronous standby on two ports, for tests of fail-over. The binaries have no pg_basebackup: a
// standby is a copy of the primary's folder, made between the start and the stop of a backup.
import { execFile, type ChildProcess } from 'node:child_process';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { ended, freePort, launchPostgres, urlOfPort, withPlace, type PostgresPlace } from './postgres-process.ts';
import { runSql } from './postgres-server.ts';
import { killProcesses, processesOf, signalAll } from './server-processes.ts';

/** Every standby has this name, so that the one that there is counts. */
const standbyName = 'standby';
const synchronous = `ANY 1 (${standbyName})`;
const settings = ['wal_keep_size=512MB', 'wal_retrieve_retry_interval=100ms', 'max_connections=100'];
const lookMs = 10;
const attachMsMax = 30_000;

const run = promisify(execFile);

export interface ClusterServer {
  readonly url: string;
  /** SIGKILL for it and its children. */
  kill(): Promise<void>;
  /** Stops it and its children where they are: it takes connections and says nothing. Returns what lets it go on. */
  freeze(): Promise<() => void>;
}

export interface PostgresCluster {
  /** Names both hosts. */
  readonly url: string;
  primary(): ClusterServer;
  standby(): ClusterServer;
  /** Makes the standby the primary, which has none itself then and waits with every commit. What the old one does is not asked. */
  promote(): Promise<void>;
  /** Makes a new standby of the primary where the old primary was, which is killed if it lives, and waits until it counts. */
  attachStandby(): Promise<void>;
  /** Lets the primary acknowledge without its standby, which receives nothing more. */
  part(): Promise<void>;
  /** Starts the old primary as it is, as a machine that comes back may. */
  restartOld(): Promise<void>;
  /** Ends both and deletes their data. */
  stop(): Promise<void>;
}

/** One of the two ports, with the server that is there. */
interface Seat {
  readonly port: number;
  readonly url: string;
  data: string;
  child: ChildProcess | null;
}

const kill = async (seat: Seat): Promise<void> => {
  const { child } = seat;
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  await killProcesses(child.pid);
  await ended(child);
};

const serverOn = (seat: Seat): ClusterServer => ({
  url: seat.url,
  kill: () => kill(seat),
  freeze: async () => {
    const pids = await processesOf(seat.child?.pid ?? 0);
    signalAll(pids, 'SIGSTOP');
    return () => signalAll(pids, 'SIGCONT');
  },
});

const start = async (place: PostgresPlace, seat: Seat): Promise<void> => {
  const { postgres, owner } = place;
  seat.child = await launchPostgres({ postgres, owner, data: seat.data, port: seat.port, settings });
};

/**
 * Copies data, without the log, which the standby receives. Files may vanish while they are copied, which the log makes good;
 * what is left out of a copy otherwise stops the server at its start.
 */
const copyData = async (from: string, to: string): Promise<void> => {
  const entries = (await readdir(from)).filter((entry) => entry !== 'pg_wal').map((entry) => join(from, entry));
  await mkdir(to, { mode: 0o700 });
  await mkdir(join(to, 'pg_wal'), { mode: 0o700 });
  await run('cp', ['-a', ...entries, to]).catch(() => undefined);
};

/** Copies the data of a running server; returns the label that tells the copy where to begin. */
const copyRunning = async (from: Seat, data: string): Promise<string> => {
  const client = new Client({ connectionString: from.url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('copy', true)`);
    await copyData(from.data, data);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    return rows[0]?.labelfile ?? '';
  } finally {
    await client.end();
  }
};

const makeStandby = async (primary: Seat, data: string): Promise<void> => {
  const label = await copyRunning(primary, data);
  await rm(join(data, 'postmaster.pid'), { force: true });
  for (const slot of await readdir(join(data, 'pg_replslot')))
    await rm(join(data, 'pg_replslot', slot), { recursive: true });
  await writeFile(join(data, 'backup_label'), label);
  await writeFile(join(data, 'standby.signal'), '');
  const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${standbyName}`;
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
};

/** Until the primary counts the standby; `potential` and `async` do not count. */
const untilCounted = async ({ url }: Seat): Promise<void> => {
  const giveUpMs = performance.now() + attachMsMax;
  for (;;) {
    const rows = await runSql(url, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'`);
    if (rows.length > 0) return;
    if (performance.now() > giveUpMs) throw new Error('the standby does not count');
    await delay(lookMs);
  }
};

const setOn = async ({ url }: Seat, setting: string, value: string): Promise<void> => {
  await runSql(url, `ALTER SYSTEM SET ${setting} = '${value}'`);
  await runSql(url, 'SELECT pg_reload_conf()');
};

const createSeat = async (folder: string): Promise<Seat> => {
  const port = await freePort();
  return { port, url: urlOfPort(port), data: join(folder, `data-${port}`), child: null };
};

const clusterOn = (place: PostgresPlace, first: Seat, second: Seat): PostgresCluster => {
  let [primary, other] = [first, second];
  let copies = 0;
  // A test that dies leaves no server behind.
  const killNow = (): void =>
    signalAll(
      [first, second].flatMap(({ child }) => (child?.pid === undefined ? [] : [child.pid])),
      'SIGKILL',
    );
  process.on('exit', killNow);
  return {
    url: `postgres://postgres@127.0.0.1:${first.port},127.0.0.1:${second.port}/postgres`,
    primary: () => serverOn(primary),
    standby: () => serverOn(other),
    promote: async () => {
      await runSql(other.url, 'SELECT pg_promote(true, 30)');
      [primary, other] = [other, primary];
    },
    attachStandby: async () => {
      await kill(other);
      await rm(other.data, { recursive: true, force: true });
      copies += 1;
      other.data = join(place.folder, `data-${other.port}-${copies}`);
      await makeStandby(primary, other.data);
      await run('chown', ['-R', `--reference=${primary.data}`, other.data]);
      await start(place, other);
      await untilCounted(primary);
    },
    part: async () => {
      await setOn(primary, 'synchronous_standby_names', '');
      await setOn(other, 'primary_conninfo', '');
    },
    restartOld: () => start(place, other),
    stop: async () => {
      process.off('exit', killNow);
      await Promise.all([kill(first), kill(second)]);
      await rm(place.folder, { recursive: true, force: true });
    },
  };
};

/** Starts the two, with every commit of the primary waiting for its standby. */
export const startPostgresCluster = (): Promise<PostgresCluster> =>
  withPlace(async (place) => {
    const first = await createSeat(place.folder);
    const second = await createSeat(place.folder);
    await place.initialise(first.data);
    const cluster = clusterOn(place, first, second);
    try {
      await start(place, first);
      await setOn(first, 'synchronous_standby_names', synchronous);
      await cluster.attachStandby();
      return cluster;
    } catch (cause) {
      await cluster.stop();
      throw cause;
    }
  });
