import { setTimeout as delay } from 'node:timers/promises';
import {
  callable,
  checkConfiguration,
  flag,
  having,
  list,
  optionsCheck,
  required,
  text,
  timerMs,
  whole,
} from '@tollgate/contract/configuration';
import {
  collisionWaitMs,
  type BlobStore,
  type CarryRetries,
  type OnBatch,
  type Storage,
  type VectorIndex,
} from '@tollgate/storage';
import { openSqlStorage } from '@tollgate/storage/sql';
import { acceptedAddress, parseAddress } from './mysql-address.ts';
import { mysqlDialect } from './mysql-dialect.ts';
import { connectServers, type MysqlServers } from './mysql-servers.ts';

export interface MysqlStorageOptions {
  /**
   * The address of a database that exists, as `mysql://user:password@host:3306/database`, with special characters percent-encoded. The
   * parameter `ssl` encrypts the connection: `true`, or an object in JSON.
   */
  readonly connectionString: string;
  /**
   * Every node of a Galera cluster, as `host:port`; the same in every process, in any order. User, password and database are those of
   * `connectionString`, whose host is not used then. Accounts are divided among the nodes.
   */
  readonly nodes?: readonly string[] | undefined;
  /** Concurrent batches of steps on each node, each on a connection of its own; accounts are divided among them. 2 by default. */
  readonly batchConnections?: number | undefined;
  /** Steps that one batch carries at the most; 512 by default. */
  readonly stepsPerBatchMax?: number | undefined;
  /** Is shown each batch of steps. */
  readonly onBatch?: OnBatch | undefined;
  /** How long to wait for the answer to one packet before the server is taken for gone; 15 s by default. */
  readonly statementTimeoutMs?: number | undefined;
  /** How long a statement may wait for a lock, in whole seconds that the server knows; 5 s by default. */
  readonly lockTimeoutMs?: number | undefined;
  /** How long to wait for a connection; 10 s by default. */
  readonly connectTimeoutMs?: number | undefined;
  /** How often what changed nothing is tried again after a lost race, a lock or a lost connection; 6 by default, 12 on a Galera cluster. */
  readonly retriesMax?: number | undefined;
  /** Where large answers lie; tables of the database by default. */
  readonly blobs?: BlobStore | undefined;
  /** Where texts of documents are found; a table of the database by default. */
  readonly vectors?: VectorIndex | undefined;
  /** Whether to create missing tables (default true); without it a database that holds no gateway throws `database_missing`. */
  readonly create?: boolean | undefined;
  /** Replaces the server's clock, for tests. */
  readonly now?: (() => number) | undefined;
  /** From 0 up to but not including 1, for the waits between tries. */
  readonly random?: (() => number) | undefined;
}

const isHost = (host: string): boolean => URL.parse(`mysql://${host}`)?.host === host;

const mysqlOptionsCheck = optionsCheck<MysqlStorageOptions>({
  connectionString: required(
    text({ accepted: acceptedAddress, isSound: (written) => parseAddress(written) !== null, isSecret: true }),
  ),
  nodes: list(text({ isSound: isHost, accepted: 'is the host and port of a node, as db1:3306' }), { entriesMin: 1 }),
  batchConnections: whole({ min: 1 }),
  stepsPerBatchMax: whole({ min: 1 }),
  onBatch: callable(),
  statementTimeoutMs: timerMs({ min: 1 }),
  lockTimeoutMs: timerMs({ min: 1 }),
  connectTimeoutMs: timerMs({ min: 1 }),
  retriesMax: whole(),
  blobs: having<BlobStore>('put', 'get', 'putStream', 'getStream', 'delete'),
  vectors: having<VectorIndex>('put', 'search', 'remove'),
  create: flag(),
  now: callable(),
  random: callable(),
});

const retriesOf = (retriesMax: number, random: () => number): CarryRetries => ({
  retriesMax,
  wait: (retries) => delay(collisionWaitMs(retries, random)),
});

/** Conflicts of two nodes come on top of locks, and one who loses several times in a row must win in the end. */
const retriesOnCluster = 12;
const retriesElse = 6;

const openOn = async (servers: MysqlServers, options: MysqlStorageOptions): Promise<Storage> => {
  const { batchConnections = 2, nodes, random = Math.random } = options;
  const { facts } = servers;
  const retriesMax = options.retriesMax ?? (facts.clusterId === null ? retriesElse : retriesOnCluster);
  const storage = await openSqlStorage({
    dialect: mysqlDialect(facts),
    open: (batchConnection) => servers.open(batchConnection),
    retries: retriesOf(retriesMax, random),
    batchConnections: batchConnections * (nodes?.length ?? 1),
    stepsPerBatchMax: options.stepsPerBatchMax ?? 512,
    create: options.create ?? true,
    now: options.now,
    onBatch: options.onBatch,
    blobs: options.blobs,
    vectors: options.vectors,
  });
  return {
    ...storage,
    close: async () => {
      await storage.close();
      servers.close();
    },
  };
};

/**
 * A storage on MySQL 8, MariaDB or a Galera cluster for any number of processes. Creates its tables and opens its connections before it
 * resolves; rejects where that cannot be done, with `unsafe_database` where the server acknowledges commits before they are durable. A
 * node of a Galera cluster is recognised by what it says of itself, with or without `nodes`.
 */
export const mysqlStorage = async (options: MysqlStorageOptions): Promise<Storage> => {
  checkConfiguration('mysqlStorage', mysqlOptionsCheck, options);
  const { statementTimeoutMs = 15_000, lockTimeoutMs = 5_000, connectTimeoutMs = 10_000 } = options;
  const address = parseAddress(options.connectionString);
  if (address === null) throw new Error('an address that was checked cannot be read');
  const settings = { address, statementTimeoutMs, lockTimeoutMs, connectTimeoutMs };
  const servers = await connectServers(settings, options.nodes, options.random ?? Math.random);
  try {
    return await openOn(servers, options);
  } catch (cause) {
    servers.close();
    throw cause;
  }
};
