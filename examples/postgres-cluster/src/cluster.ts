import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { migratePostgres, postgresNotifications, type PostgresNotifications } from '@tollgate/storage-postgres';
import { createGateway, type Gateway } from 'tollgate';
import { clusterLimits } from './cluster-limits.ts';
import { databaseEnvironment, openStorage, type ClusterDatabase } from './cluster-storage.ts';
import { startMember, type Member } from './member.ts';

export interface StartedGateway {
  readonly member: Member;
  readonly address: string;
}

/** Everything that runs, and how to run more. */
export interface Cluster {
  readonly admin: Gateway['admin'];
  readonly notifications: PostgresNotifications;
  readonly startGateway: (name: string) => Promise<StartedGateway>;
  readonly startWorker: (name: string, how?: 'stalls') => Promise<Member>;
  /** Ends whatever still runs, and leaves nothing behind. */
  readonly end: () => Promise<void>;
}

type Start = (name: string, script: URL, environment: Readonly<Record<string, string>>) => Promise<[Member, string]>;

const say = (name: string, address: string, pid: number): void =>
  console.log(`    ${name} (pid ${pid}) is ready${address === '' ? '' : `: ${address}`}`);

const dropSchema = async ({ url, schema }: ClusterDatabase): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await client.end();
};

const findDatabase = async (start: Start): Promise<ClusterDatabase> => {
  // Of its own, so that a database that is given keeps what it has.
  const schema = `cluster_${randomUUID().slice(0, 8)}`;
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return { url: given, schema };
  const [, url] = await start('PostgreSQL', new URL('postgres-process.ts', import.meta.url), {});
  return { url, schema };
};

/** Starts processes and remembers them, the last one first. */
const createStart =
  (members: Member[]): Start =>
  async (name, script, environment) => {
    const member = startMember(name, script, environment);
    members.unshift(member);
    const { address, pid } = await member.told('ready');
    say(name, address, pid);
    return [member, address];
  };

const openOn = async (database: ClusterDatabase, start: Start) => {
  await migratePostgres({ connectionString: database.url, schema: database.schema });
  const { admin, close } = await createGateway({ storage: await openStorage(database), limits: clusterLimits });
  const notifications = postgresNotifications({ connectionString: database.url, schema: database.schema });
  await notifications.ready();
  const environment = databaseEnvironment(database);
  const startGateway = async (name: string): Promise<StartedGateway> => {
    const [member, address] = await start(name, new URL('gateway-process.ts', import.meta.url), environment);
    return { member, address };
  };
  const startWorker = async (name: string, how?: 'stalls'): Promise<Member> => {
    const stalls = { CLUSTER_WORKER_STALLS: how === 'stalls' ? 'yes' : 'no' };
    const [member] = await start(name, new URL('worker-process.ts', import.meta.url), { ...environment, ...stalls });
    return member;
  };
  const stop = async (): Promise<void> => {
    await notifications.close();
    await close();
    await dropSchema(database);
  };
  return { admin, notifications, startGateway, startWorker, stop };
};

/** Finds or starts the database, brings its schema up to date, and opens the operator's side of the cluster. */
export const startCluster = async (): Promise<Cluster> => {
  const members: Member[] = [];
  const start = createStart(members);
  const endAll = async (): Promise<void> => {
    for (const member of members) await member.end(member.name === 'PostgreSQL' ? 'SIGTERM' : 'SIGKILL');
  };
  try {
    const { stop, ...open } = await openOn(await findDatabase(start), start);
    const end = async (): Promise<void> => {
      for (const member of members) if (member.name !== 'PostgreSQL') await member.end('SIGKILL');
      await stop();
      await endAll();
    };
    return { ...open, end };
  } catch (cause) {
    await endAll();
    throw cause;
  }
};
