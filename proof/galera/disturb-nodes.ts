import { setTimeout as delay } from 'node:timers/promises';
import type { Galera, GaleraNode } from '../../test/galera-cluster.ts';

/** What can happen to a node. Each ends when all nodes take part again. */
export type Disturbance = 'kill' | 'isolate' | 'freeze';

/** The others agree within four seconds that the node is gone, and serve without it for as long again. */
const awayMs = 8_000;
/** Longer than clients wait for an answer. */
const frozenMs = 12_000;

const disturb: Readonly<Record<Disturbance, (node: GaleraNode) => Promise<void>>> = {
  kill: async (node) => {
    await node.kill();
    await delay(awayMs);
    node.start(false);
  },
  isolate: async (node) => {
    await node.query("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'");
    await delay(awayMs);
    await node.query("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'");
  },
  freeze: async (node) => {
    node.signal('SIGSTOP');
    await delay(frozenMs);
    node.signal('SIGCONT');
  },
};

export const disturbances: readonly Disturbance[] = ['kill', 'isolate', 'freeze'];

export const disturbNode = async (cluster: Galera, at: number, what: Disturbance): Promise<void> => {
  const node = cluster.nodes[at % cluster.nodes.length];
  if (node === undefined) throw new Error(`there is no node ${at}`);
  await disturb[what](node);
  await cluster.whole();
};

/** The tables of the gateway on which two nodes differ, and those that a node finds damaged. */
export const findDifferences = async ({ nodes }: Galera): Promise<readonly string[]> => {
  const tables = (await nodes[0]?.query('SHOW TABLES FROM gateway'))?.map((row) => String(Object.values(row)[0])) ?? [];
  const list = tables.map((table) => `gateway.\`${table}\``).join(', ');
  const sums = await Promise.all(
    nodes.map((node) => node.query(`SET STATEMENT wsrep_sync_wait = 1 FOR CHECKSUM TABLE ${list} EXTENDED`)),
  );
  const checks = await Promise.all(nodes.map((node) => node.query(`CHECK TABLE ${list}`)));
  return [
    ...tables.flatMap((table, at) => {
      const of = sums.map((rows) => String(rows[at]?.['Checksum']));
      return new Set(of).size === 1 ? [] : [`${table} differs: ${of.join()}`];
    }),
    ...checks.flatMap((rows, at) =>
      rows
        .filter((row) => row['Msg_type'] === 'error' || row['Msg_type'] === 'warning')
        .map((row) => `node ${at}: ${String(row['Table'])}: ${String(row['Msg_text'])}`),
    ),
  ];
};
