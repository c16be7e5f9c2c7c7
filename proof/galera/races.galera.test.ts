// Rules over two records that two steps on two nodes would break together, and what nodes do when they come and go.
import type { Key, Storage, TableName } from '@tollgate/storage';
import { openSqlStorage } from '@tollgate/storage/sql';
import { mysqlStorage } from '@tollgate/storage-mysql';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGalera, type Galera, type GaleraNode } from '../../test/galera-cluster.ts';
import { startMariaDb } from '../../test/mariadb-server.ts';
import { parseAddress } from '../../packages/storage-mysql/src/mysql-address.ts';
import { mysqlConnection } from '../../packages/storage-mysql/src/mysql-connection.ts';
import { mysqlDialect } from '../../packages/storage-mysql/src/mysql-dialect.ts';
import { bump, countsRead, putCount, warm } from '../../packages/testing/src/storage/counted-record.ts';
import { commit, together } from '../../packages/testing/src/storage/storage-steps.ts';
import { disturbNode, findDifferences } from './disturb-nodes.ts';
import { onGalera } from './on-galera.ts';

const isThere = onGalera('races on Galera');

let cluster: Galera;
beforeAll(async () => {
  if (isThere) cluster = await startGalera();
});
afterAll(async () => {
  if (isThere) await cluster.stop();
});

const nodeAt = (at: number): GaleraNode => {
  const node = cluster.nodes[at % cluster.nodes.length];
  if (node === undefined) throw new Error(`there is no node ${at}`);
  return node;
};

const openAt = (at: number): Promise<Storage> => mysqlStorage({ connectionString: nodeAt(at).url });

const openAll = (): Promise<Storage> =>
  mysqlStorage({
    connectionString: nodeAt(0).url,
    nodes: cluster.nodes.map(({ host }) => host),
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 8_000,
  });

/** Deletes mine where both are there: one of them must stay. */
const leaveOne = (door: Storage, mine: Key, theirs: Key): Promise<boolean> =>
  door.transact([mine, theirs], (records) => {
    const both = [mine, theirs].every(({ table, id }) => records.get(table, id) !== undefined);
    return { writes: both ? [{ kind: 'delete', table: mine.table, id: mine.id }] : [], answer: both };
  });

/** Creates mine where theirs is absent: one of them at the most may be there. */
const takeIfFree = (door: Storage, mine: Key, theirs: Key): Promise<boolean> =>
  door.transact([mine, theirs], (records) => {
    const free = records.get(theirs.table, theirs.id) === undefined;
    return { writes: free ? [putCount(mine, 1)] : [], answer: free };
  });

const racesAtOnce = 4;

interface RaceOptions {
  readonly table: TableName;
  /** Whether the records are there before the race. */
  readonly present: boolean;
  /** A table that has rows of the same ids. */
  readonly standIn: TableName | null;
}

/** Races of two doors over two records; returns how often both won. */
const skewed = async (
  doors: readonly [Storage, Storage],
  races: number,
  { table, present, standIn }: RaceOptions,
): Promise<number> => {
  const won: number[] = [];
  const raceOnce = async (race: number): Promise<void> => {
    const [a, b] = [`a-${race}`, `b-${race}`].map((id): Key => ({ table, id: `${present}-${id}` }));
    if (a === undefined || b === undefined) return;
    if (present) await commit(doors[0], [putCount(a, 1), putCount(b, 1)]);
    if (standIn !== null)
      await commit(
        doors[0],
        [a, b].map(({ id }) => putCount({ table: standIn, id }, 1)),
      );
    for (const door of doors) await warm(door, [a, b]);
    const change = present ? leaveOne : takeIfFree;
    const changed = await Promise.all([change(doors[0], a, b), change(doors[1], b, a)]);
    won.push(changed.filter(Boolean).length);
  };
  for (let race = 0; race < races; race += racesAtOnce)
    await together(Math.min(racesAtOnce, races - race), (at) => raceOnce(race + at));
  expect(won).toHaveLength(races);
  return won.filter((winners) => winners !== 1).length;
};

/** As it would be if a cluster were one server. */
const openUncertified = async (at: number): Promise<Storage> => {
  const settings = { statementTimeoutMs: 8_000, lockTimeoutMs: 5_000, connectTimeoutMs: 2_000 };
  const address = parseAddress(nodeAt(at).url);
  if (address === null) throw new Error('it is an address');
  const open = () => mysqlConnection({ ...settings, address });
  const first = await open();
  first.close();
  return openSqlStorage({
    dialect: mysqlDialect({ ...first.server, clusterId: null }),
    open,
    retries: { retriesMax: 12, wait: (retries) => delay(20 * 2 ** Math.min(retries, 6) * Math.random()) },
    batchConnections: 2,
    stepsPerBatchMax: 512,
    create: true,
  });
};

const races = 300;

describe.runIf(isThere)('steps on two nodes of a Galera cluster', () => {
  test.each([
    ['wallet', true, null],
    ['wallet', false, null],
    ['apiKey', true, null],
    ['subscriptions', false, null],
    ['subscriptions', false, 'project'],
  ] as const)(
    `never break a rule over two records of %s together, present: %s, with rows of %s, in ${races} races`,
    async (table, present, standIn) => {
      await cluster.empty();
      const doors = [await openAt(0), await openAt(1)] as const;
      expect(await skewed(doors, races, { table, present, standIn })).toBe(0);
      for (const door of doors) await door.close();
      expect(await findDifferences(cluster)).toEqual([]);
    },
  );

  test('would break the rule if the storage took the cluster for one server', async () => {
    await cluster.empty();
    // With the columns of a cluster, and statements as for one server.
    await (await openAt(0)).close();
    const doors = [await openUncertified(0), await openUncertified(1)] as const;
    const broken = await skewed(doors, 40, { table: 'wallet', present: true, standIn: null });
    console.info(`races on Galera: taken for one server, it broke the rule in ${broken} of 40 races`);
    expect(broken).toBeGreaterThan(0);
    for (const door of doors) await door.close();
  });

  test('keep every change of one record by six processes on three nodes, and see each change at once', async () => {
    await cluster.empty();
    const doors = await together(6, openAt);
    const [first] = doors;
    const key: Key = { table: 'wallet', id: 'hot' };
    if (first === undefined) throw new Error('there is no door');
    await commit(first, [putCount(key, 0)]);
    const counts = await together(6, async (at) => {
      const own: number[] = [];
      for (let step = 0; step < 50; step += 1) {
        const count = await bump(doors[at] ?? first, key);
        own.push(count);
        const [seen = 0] = await countsRead(doors[(at + 1) % 6] ?? first, [key]);
        expect(seen).toBeGreaterThanOrEqual(count);
      }
      return own;
    });
    expect(new Set(counts.flat()).size).toBe(300);
    expect(await countsRead(first, [key])).toEqual([300]);
    for (const door of doors) await door.close();
  });
});

/** Connections to the gateway's database at a node. */
const connectionsAt = async (at: number): Promise<number> => {
  const rows = await nodeAt(at).query("SELECT count(*) AS n FROM information_schema.processlist WHERE db = 'gateway'");
  return Number(rows[0]?.['n']);
};

const schemaOf = async (node: GaleraNode): Promise<readonly string[]> => {
  const rows = await node.query(
    "SELECT CONCAT_WS(' ', table_name, column_name, column_type, is_nullable) AS c FROM information_schema.columns WHERE table_schema = 'gateway' ORDER BY 1",
  );
  return rows.map((row) => String(row['c']));
};

describe.runIf(isThere)('the nodes of a Galera cluster', () => {
  test('get one schema from processes that open an empty database on all nodes at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      await nodeAt(0).query('DROP DATABASE gateway');
      await nodeAt(0).query('CREATE DATABASE gateway');
      for (const node of cluster.nodes) await node.query('SET STATEMENT wsrep_sync_wait = 1 FOR SHOW DATABASES');
      const opened = await together(6, openAt);
      const schemas = await Promise.all(cluster.nodes.map(schemaOf));
      for (const schema of schemas) expect(schema).toEqual(schemas[0]);
      expect(schemas[0]?.filter((column) => column.includes(' certified '))).not.toHaveLength(0);
      expect(await bump(opened[round] ?? (await openAt(0)), { table: 'wallet', id: 'a' })).toBe(1);
      for (const storage of opened) await storage.close();
    }
  });

  test('are left when they are gone, and used again when they are back', async () => {
    const storage = await openAll();
    const accounts = Array.from({ length: 24 }, (_, at) => ({
      key: { table: 'wallet', id: `account-${at}` } satisfies Key,
      acknowledged: 0,
      unknown: 0,
    }));
    const bumpEach = async (): Promise<void> => {
      await Promise.all(
        accounts.map((account) =>
          bump(storage, account.key).then(
            () => void (account.acknowledged += 1),
            (cause: unknown) => {
              expect(cause).toMatchObject({ code: 'unknown_commit' });
              account.unknown += 1;
            },
          ),
        ),
      );
    };
    await bumpEach();
    for (const [at] of cluster.nodes.entries()) expect(await connectionsAt(at)).toBeGreaterThan(0);
    const state = { away: true, rounds: 0 };
    const done = disturbNode(cluster, 1, 'isolate').finally(() => {
      state.away = false;
    });
    for (; state.away; state.rounds += 1) await bumpEach();
    await done;
    expect(state.rounds).toBeGreaterThan(1);
    // It is asked every second whether it is back.
    await expect.poll(() => bumpEach().then(() => connectionsAt(1))).toBeGreaterThan(1);
    const counts = await countsRead(
      storage,
      accounts.map(({ key }) => key),
    );
    for (const [at, { acknowledged, unknown }] of accounts.entries()) {
      expect(counts[at]).toBeGreaterThanOrEqual(acknowledged);
      expect(counts[at]).toBeLessThanOrEqual(acknowledged + unknown);
    }
    await storage.close();
  });

  test('are refused by name where they are not nodes of one cluster', async () => {
    const other = await startMariaDb();
    const opening = (hosts: readonly string[]) => mysqlStorage({ connectionString: nodeAt(0).url, nodes: hosts });
    const alone = new URL(other.url).host;
    await expect(opening([nodeAt(0).host, alone])).rejects.toMatchObject({ code: 'unsafe_database' });
    await expect(opening([alone, alone])).rejects.toMatchObject({ code: 'unsafe_database' });
    await nodeAt(0).query("SET GLOBAL wsrep_OSU_method = 'RSU'");
    await expect(opening([nodeAt(0).host])).rejects.toThrow('wsrep_OSU_method is RSU');
    await nodeAt(0).query("SET GLOBAL wsrep_OSU_method = 'TOI'");
    await other.stop();
  });
});
