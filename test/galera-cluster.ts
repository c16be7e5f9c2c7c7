// A MariaDB Galera cluster of three nodes for tests, where the machine has what it needs.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { asUser, connected, createFolder, hasMariaDb, install, programOf } from './mariadb-files.ts';
import { emptyDatabase } from './mariadb-server.ts';

const provider = ['/usr/lib/galera', '/usr/lib64/galera-4', '/usr/local/lib/galera']
  .map((folder) => path.join(folder, 'libgalera_smm.so'))
  .find((file) => existsSync(file));

/** Whether the machine has what `startGalera` starts: MariaDB, galera-4, and rsync, by which a node gets the data. */
export const hasGalera = (): boolean =>
  hasMariaDb() &&
  provider !== undefined &&
  programOf('rsync') !== undefined &&
  programOf('wsrep_sst_rsync') !== undefined;

/** How soon the nodes agree that one of them is gone: quick, for nodes on one machine. */
const groupTimes = [
  'evs.suspect_timeout=PT2S',
  'evs.inactive_timeout=PT4S',
  'evs.install_timeout=PT4S',
  'evs.keepalive_period=PT0.5S',
  'evs.inactive_check_period=PT0.5S',
];

interface Place {
  readonly folder: string;
  readonly name: string;
  readonly port: number;
  readonly groupPort: number;
  readonly copyPort: number;
  readonly sendPort: number;
}

const argsOf = ({ folder, name, port, groupPort, copyPort, sendPort }: Place, cluster: string): readonly string[] => [
  '--no-defaults',
  `--datadir=${folder}/data`,
  `--port=${port}`,
  '--bind-address=127.0.0.1',
  `--socket=${folder}/socket`,
  `--pid-file=${folder}/pid`,
  '--innodb-buffer-pool-size=64M',
  '--max-connections=400',
  '--binlog-format=ROW',
  '--innodb-autoinc-lock-mode=2',
  '--wsrep-on=ON',
  `--wsrep-provider=${provider ?? ''}`,
  '--wsrep-cluster-name=tollgate',
  `--wsrep-cluster-address=gcomm://${cluster}`,
  `--wsrep-node-name=${name}`,
  `--wsrep-node-address=127.0.0.1:${groupPort}`,
  '--wsrep-sst-method=rsync',
  `--wsrep-sst-receive-address=127.0.0.1:${copyPort}`,
  `--wsrep-provider-options=${[
    `base_port=${groupPort}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${groupPort}`,
    `ist.recv_addr=127.0.0.1:${sendPort}`,
    'gcache.size=64M',
    ...groupTimes,
  ].join(';')}`,
];

/** Below the ports from which systems make connections: a node that comes back must find its ports as it left them. */
const [lowestPort, highestPort] = [20_000, 30_000];

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  const isTaken = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(true));
    server.listen(port, '127.0.0.1', () => resolve(false));
  });
  server.close();
  return !isTaken;
};

const steadyPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(lowestPort, highestPort);
    if (await isFree(port)) return port;
  }
};

/** A node's folder with a copy of the data, so that no node begins by copying all of it over the network. */
const createPlace = async (name: string, data: string | null): Promise<Place> => {
  const folder = createFolder();
  if (data === null) install(folder);
  else spawnSync('cp', ['-a', `${data}/.`, `${folder}/data`], { stdio: 'inherit' });
  const [port, groupPort] = [await steadyPort(), await steadyPort()];
  const [copyPort, sendPort] = [await steadyPort(), await steadyPort()];
  return { folder, name, port, groupPort, copyPort, sendPort };
};

const lookMs = 100;
const joinMsMax = 120_000;
const logCharsShown = 2_000;

const createNode = (place: Place, cluster: string) => {
  const { folder, port } = place;
  const url = `mysql://root@127.0.0.1:${port}/`;
  let server: ChildProcess | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  /** Runs a statement on a connection of its own, as the node's owner. */
  const query = async (text: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const root = await createConnection({ uri: url, connectTimeout: 2_000 });
    root.on('error', () => undefined);
    try {
      const [rows] = await root.query<RowDataPacket[]>({ sql: text, timeout: 30_000 });
      return rows;
    } finally {
      root.destroy();
    }
  };
  /** How many nodes the node sees that take part with it; 0 where it does not take part itself. */
  const seen = async (): Promise<number> => {
    const names = "'wsrep_local_state', 'wsrep_ready', 'wsrep_cluster_size'";
    const rows = await query(`SHOW STATUS WHERE Variable_name IN (${names})`).catch(() => []);
    const values = new Map(rows.map((row) => [row['Variable_name'], row['Value']]));
    const takesPart = values.get('wsrep_local_state') === '4' && values.get('wsrep_ready') === 'ON';
    return takesPart ? Number(values.get('wsrep_cluster_size')) : 0;
  };
  const start = (isFirst: boolean): void => {
    const log = openSync(path.join(folder, 'log'), 'a');
    const args = [...argsOf(place, cluster), ...(isFirst ? ['--wsrep-new-cluster'] : [])];
    const started = spawn(programOf('mariadbd') ?? '', args, { ...asUser, stdio: ['ignore', log, log] });
    closeSync(log);
    server = started;
    exited = new Promise((resolve) => {
      started.once('exit', resolve);
    });
  };
  /** Resolves when the node takes part in its cluster, and sees as many nodes. */
  const joined = async (size: number): Promise<void> => {
    const giveUpMs = performance.now() + joinMsMax;
    while ((await seen()) !== size) {
      if (performance.now() > giveUpMs || server?.exitCode !== null)
        throw new Error(
          `${place.name} does not join:\n${readFileSync(path.join(folder, 'log'), 'utf8').slice(-logCharsShown)}`,
        );
      await delay(lookMs);
    }
  };
  return {
    name: place.name,
    host: `127.0.0.1:${port}`,
    url: `${url}gateway`,
    folder,
    query,
    joined,
    start,
    signal: (signal: NodeJS.Signals): void => void server?.kill(signal),
    kill: async (): Promise<void> => {
      server?.kill('SIGKILL');
      await exited;
    },
  };
};

export type GaleraNode = ReturnType<typeof createNode>;

/** Starts three nodes, with a database `gateway`. */
export const startGalera = async () => {
  const places = [await createPlace('node1', null)];
  for (const name of ['node2', 'node3'])
    places.push(await createPlace(name, path.join(places[0]?.folder ?? '', 'data')));
  const cluster = places.map(({ groupPort }) => `127.0.0.1:${groupPort}`).join(',');
  const nodes = places.map((place) => createNode(place, cluster));
  const killAll = (): void => {
    for (const node of nodes) node.signal('SIGKILL');
  };
  // However this process ends, no server outlives it.
  process.once('exit', killAll);
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()));
    process.off('exit', killAll);
    for (const { folder } of nodes) rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const [at, node] of nodes.entries()) {
      node.start(at === 0);
      await node.joined(at + 1);
    }
  } catch (cause) {
    await stop();
    throw cause;
  }
  const root = await connected(nodes[0]?.url.replace(/gateway$/, '') ?? '');
  await root.query('CREATE DATABASE gateway');
  return {
    nodes,
    /** Resolves when all nodes take part again. */
    whole: async (): Promise<void> => {
      await Promise.all(nodes.map((node) => node.joined(nodes.length)));
    },
    empty: (): Promise<void> => emptyDatabase(root, 'gateway'),
    stop: async (): Promise<void> => {
      root.destroy();
      await stop();
    },
  };
};

export type Galera = Awaited<ReturnType<typeof startGalera>>;
