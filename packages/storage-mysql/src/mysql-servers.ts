import { setTimeout as delay } from 'node:timers/promises';
import type { SqlConnection } from '@tollgate/storage/sql';
import { addressAt, placeOf } from './mysql-address.ts';
import { mysqlConnection, type ConnectionSettings, type MysqlConnection } from './mysql-connection.ts';
import { clocksApartMs, type ServerFacts } from './server-facts.ts';
import { UnsafeServerError } from './unsafe-server-error.ts';

/** One server, or the nodes of one cluster. */
export interface MysqlServers {
  readonly facts: ServerFacts;
  /** Opens a connection for the batches of this number, or for everything else. */
  open(batchConnection: number | null): Promise<SqlConnection>;
  close(): void;
}

/** How often a node that could not be reached is asked whether it is back. */
const askMs = 1_000;

/** How far the clocks of the nodes may be apart: a lease ends by the clock of the node that is asked. */
const clocksApartMsMax = 1_000;

/** Throws where the server is not what the first one was: then locks, and what is read, are not what they are taken for. */
const checkAlike = (first: ServerFacts, { server }: MysqlConnection, host: string): void => {
  if (server.clusterId === first.clusterId) return;
  if (first.clusterId === null)
    throw new UnsafeServerError('became_node', `${host} has become a node of a Galera cluster: restart the gateway`);
  if (server.clusterId === null)
    throw new UnsafeServerError('no_cluster', `${host} is no node of a Galera cluster. Name nodes of one cluster`);
  throw new UnsafeServerError(
    'other_cluster',
    `${host} is a node of the cluster ${server.clusterId}, and not of ${first.clusterId}. Name nodes of one cluster`,
  );
};

interface Node {
  readonly host: string;
  readonly settings: ConnectionSettings;
  isDown: boolean;
  /** Counts how often it went down: connections from before are not used again. */
  falls: number;
}

const connectTo = async (first: ServerFacts, { settings, host }: Node): Promise<MysqlConnection> => {
  const connection = await mysqlConnection(settings);
  try {
    checkAlike(first, connection, host);
    return connection;
  } catch (cause) {
    connection.close();
    throw cause;
  }
};

/** Asks every node, so that one that is not fit is refused now and not on the day when it is needed. */
const readFacts = async (nodes: readonly Node[]): Promise<ServerFacts> => {
  const opened = await Promise.allSettled(nodes.map(({ settings }) => mysqlConnection(settings)));
  const connections = opened.map((one) => (one.status === 'fulfilled' ? one.value : null));
  for (const connection of connections) connection?.close();
  const causes = opened.flatMap((one): readonly unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  const unfit = causes.find((cause) => cause instanceof UnsafeServerError);
  if (unfit !== undefined) throw unfit;
  const first = connections.find((connection) => connection !== null);
  if (first === undefined) throw causes[0];
  for (const [at, connection] of connections.entries())
    if (connection !== null) checkAlike(first.server, connection, nodes[at]?.host ?? '');
  if (nodes.length > 1 && first.server.clusterId === null)
    throw new UnsafeServerError(
      'no_cluster',
      'nodes are several servers, and they are no nodes of a Galera cluster. Leave out nodes, and give the address of one server',
    );
  const apartMs = clocksApartMs(connections.flatMap((connection) => (connection === null ? [] : [connection.clock])));
  if (apartMs > clocksApartMsMax)
    throw new UnsafeServerError(
      'clocks',
      `the clocks of the nodes are ${Math.round(apartMs)} ms apart, and ${clocksApartMsMax} ms are the most. Synchronise them`,
    );
  return first.server;
};

/** Marks a node down, and asks it until it is back or the storage is closed. */
const fall = async (first: ServerFacts, node: Node, isClosed: () => boolean): Promise<void> => {
  if (node.isDown) return;
  node.isDown = true;
  node.falls += 1;
  while (node.isDown && !isClosed()) {
    await delay(askMs, undefined, { ref: false });
    try {
      (await connectTo(first, node)).close();
      node.isDown = false;
    } catch {
      // It is asked again.
    }
  }
};

/** The nodes in the order in which they are tried: from the home on, those that are down last. */
const orderFrom = (nodes: readonly Node[], home: number): readonly Node[] => {
  const order = [...nodes.slice(home), ...nodes.slice(0, home)];
  return [...order.filter(({ isDown }) => !isDown), ...order.filter(({ isDown }) => isDown)];
};

/** A connection to a node; one that is elsewhere than at its home is left as soon as its home is back. */
const connectionAt = async (first: ServerFacts, node: Node, home: Node | undefined): Promise<SqlConnection> => {
  const connection = await connectTo(first, node);
  const { falls } = node;
  const mayStay = (): boolean => node.falls === falls && (node === home || home?.isDown !== false);
  return {
    run: (statements) => connection.run(statements),
    close: () => connection.close(),
    isOpen: () => connection.isOpen() && mayStay(),
  };
};

const nodesOf = (settings: ConnectionSettings, hosts: readonly string[] | undefined): readonly Node[] => {
  const { address } = settings;
  const addresses = hosts?.toSorted().map((host) => addressAt(address, host)) ?? [address];
  return addresses.map((one) => ({
    host: placeOf(one),
    settings: { ...settings, address: one },
    isDown: false,
    falls: 0,
  }));
};

/**
 * Opens connections to the server, or to the nodes of a cluster. Each number of a batch connection has a node as its home, the same one in
 * every process, so that the steps about one account meet on one node. While that node is down its connections are opened to the next one;
 * when it is back they return. Where processes disagree for a while, steps conflict more often, and nothing else.
 */
export const connectServers = async (
  settings: ConnectionSettings,
  hosts: readonly string[] | undefined,
  random: () => number,
): Promise<MysqlServers> => {
  const nodes = nodesOf(settings, hosts);
  const first = await readFacts(nodes);
  const ownHome = Math.floor(random() * nodes.length);
  let isClosed = false;
  return {
    facts: first,
    open: async (batchConnection) => {
      const home = (batchConnection ?? ownHome) % nodes.length;
      let failure: unknown;
      for (const node of orderFrom(nodes, home)) {
        try {
          const connection = await connectionAt(first, node, nodes[home]);
          node.isDown = false;
          return connection;
        } catch (cause) {
          failure = cause;
          if (nodes.length > 1) void fall(first, node, () => isClosed);
        }
      }
      throw failure;
    },
    close: () => {
      isClosed = true;
    },
  };
};
