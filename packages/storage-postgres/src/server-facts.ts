import type { Client } from 'pg';

/** Where in the history of a cluster a primary is. Each promotion begins a timeline with the next number. */
export interface ClusterPlace {
  /** The same on a primary and all of its standbys. */
  readonly cluster: string;
  readonly timeline: number;
}

/** What a server says of itself when a connection to it is made. */
export interface ServerFacts {
  readonly isInRecovery: boolean;
  readonly encoding: string;
  readonly synchronousCommit: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  /** The server's setting `tollgate.allow_unsafe_server`: it says of itself that it is for tests. */
  readonly isForTests: boolean;
  /** Isolation level, and whether read-only, as in `read committed, off`. */
  readonly transactionDefaults: string;
  readonly standbyNames: string;
  /** Standbys without which no commit is acknowledged, and those whose state this role may not see; null where not asked. */
  readonly standbys: { readonly synchronous: number; readonly hidden: number } | null;
  /** Null on a standby, and where not asked. */
  readonly place: ClusterPlace | null;
  /** The process that serves this connection, by its own word. */
  readonly servedBy: number;
  /** The process that the connection was promised when it began: another one if a pooler stands between. */
  readonly promisedBy: number | null;
}

export interface FactsWanted {
  readonly standbys: boolean;
  readonly place: boolean;
}

const setting = (name: string): string => `current_setting('${name}')`;

const always = {
  recovery: 'pg_is_in_recovery()',
  encoding: setting('server_encoding'),
  synchronous_commit: setting('synchronous_commit'),
  fsync: setting('fsync'),
  full_page_writes: setting('full_page_writes'),
  for_tests: `coalesce(current_setting('tollgate.allow_unsafe_server', true), '')`,
  standby_names: setting('synchronous_standby_names'),
  transaction: `${setting('default_transaction_isolation')} || ', ' || ${setting('default_transaction_read_only')}`,
  pid: 'pg_backend_pid()',
};

const standbysWhere = (condition: string): string => `(SELECT count(*) FROM pg_stat_replication WHERE ${condition})`;

const ofStandbys = {
  synchronous: standbysWhere(`state = 'streaming' AND sync_state IN ('sync', 'quorum')`),
  hidden: standbysWhere('sync_state IS NULL'),
};

// The name of a file of the log begins with its timeline. What the last checkpoint says lags behind a promotion.
const ofPlace = {
  cluster: '(SELECT system_identifier FROM pg_control_system())',
  timeline: 'CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END',
};

/** Not asked where not wanted: services that are like PostgreSQL need not have these functions. */
const factsSql = (wanted: FactsWanted): string => {
  const groups = [always, wanted.standbys ? ofStandbys : {}, wanted.place ? ofPlace : {}];
  const columns = groups.flatMap((group) => Object.entries<string>(group));
  return `SELECT ${columns.map(([name, sql]) => `(${sql})::text AS ${name}`).join(', ')}`;
};

type FactsRow = Readonly<Partial<Record<string, string | null>>>;

const toFacts = (row: FactsRow, wanted: FactsWanted, promisedBy: unknown): ServerFacts => ({
  isInRecovery: row['recovery'] === 'true',
  encoding: row['encoding'] ?? '',
  synchronousCommit: row['synchronous_commit'] ?? '',
  fsync: row['fsync'] ?? '',
  fullPageWrites: row['full_page_writes'] ?? '',
  isForTests: row['for_tests'] === 'on',
  transactionDefaults: row['transaction'] ?? '',
  standbyNames: row['standby_names'] ?? '',
  standbys: wanted.standbys ? { synchronous: Number(row['synchronous']), hidden: Number(row['hidden']) } : null,
  place:
    typeof row['timeline'] === 'string'
      ? { cluster: row['cluster'] ?? '', timeline: Number.parseInt(row['timeline'], 16) }
      : null,
  servedBy: Number(row['pid']),
  promisedBy: typeof promisedBy === 'number' ? promisedBy : null,
});

/** Asks a server what it is. Rejects where it does not answer within `waitMs`. */
export const askServer = async (client: Client, wanted: FactsWanted, waitMs: number): Promise<ServerFacts> => {
  const silent = new Error(`no answer within ${waitMs} ms`);
  // A frozen server takes connections and says nothing; the query rejects when its connection ends.
  const timer = setTimeout(() => client.connection.stream.destroy(silent), waitMs);
  try {
    const { rows } = await client.query<FactsRow>(factsSql(wanted));
    return toFacts(rows[0] ?? {}, wanted, Reflect.get(client, 'processID'));
  } finally {
    clearTimeout(timer);
  }
};
