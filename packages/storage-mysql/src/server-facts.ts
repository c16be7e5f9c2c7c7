import type { SqlRow } from '@tollgate/storage/sql';
import { UnsafeServerError } from './unsafe-server-error.ts';

/** What a server says of itself. */
export interface ServerFacts {
  readonly isMariaDb: boolean;
  /** The bytes of the largest packet. */
  readonly packetBytesMax: number;
  /** The id of the Galera cluster of which the server is a node; null where it is none. */
  readonly clusterId: string | null;
  /** The server's clock in milliseconds. */
  readonly clockMs: number;
}

/** By how much a server's clock is before that of this process: somewhere between the two, in milliseconds. */
export interface ClockOffset {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How far the clocks of these servers are certain to be apart. */
export const clocksApartMs = (offsets: readonly ClockOffset[]): number =>
  Math.max(0, Math.max(...offsets.map(({ fromMs }) => fromMs)) - Math.min(...offsets.map(({ toMs }) => toMs)));

/** Says all that `readServerFacts` reads. Variables that a server does not have are no rows. */
export const factsSql: readonly string[] = [
  'SELECT @@innodb_flush_log_at_trx_commit, @@innodb_doublewrite, @@log_bin, @@sync_binlog, @@max_allowed_packet, VERSION(), UNIX_TIMESTAMP(NOW(3)) * 1000',
  `SHOW VARIABLES WHERE Variable_name IN ('wsrep_on', 'wsrep_provider', 'wsrep_OSU_method', 'group_replication_group_name',
    'group_replication_single_primary_mode')`,
  `SHOW STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_cluster_status', 'wsrep_local_state', 'wsrep_local_state_comment',
    'wsrep_cluster_state_uuid')`,
];

/** The code of errors that say that the connection, or its server, is of no use now. */
export const connectionLostCode = 'connection_lost';

export const lost = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: connectionLostCode });

type DurabilityFault = 'innodb_flush_log_at_trx_commit' | 'innodb_doublewrite' | 'sync_binlog';

const remedies: Readonly<Record<DurabilityFault, string>> = {
  innodb_flush_log_at_trx_commit:
    'SET GLOBAL innodb_flush_log_at_trx_commit = 1, and write it into the file of options',
  innodb_doublewrite: 'Set innodb_doublewrite = ON in the file of options, and restart the server',
  sync_binlog: 'SET GLOBAL sync_binlog = 1, and write it into the file of options',
};

const losing = (fault: DurabilityFault, value: string): Error =>
  new UnsafeServerError(fault, `the server loses acknowledged steps: ${fault} is ${value}. ${remedies[fault]}`);

/** Throws where the server acknowledges commits before they are durable. A kill of its process would not show it. */
const checkDurability = ([flush, doublewrite, logsBinary, syncBinlog]: SqlRow): void => {
  if (flush !== '1') throw losing('innodb_flush_log_at_trx_commit', String(flush));
  if (!['1', 'ON', 'DETECT_AND_RECOVER'].includes(String(doublewrite))) throw losing('innodb_doublewrite', 'off');
  if (logsBinary === '1' && syncBinlog !== '1') throw losing('sync_binlog', String(syncBinlog));
};

type Values = ReadonlyMap<string, string>;

const valuesOf = (rows: readonly SqlRow[]): Values =>
  new Map(rows.map(([name, value]) => [String(name).toLowerCase(), String(value)]));

/** What a node counts as in its cluster when it takes part with all it has. */
const synced = '4';

/** Throws where the node cannot serve now, or its cluster would change the schema node by node. */
const checkNode = (variables: Values, status: Values): void => {
  const method = variables.get('wsrep_osu_method');
  if (method !== 'TOI')
    throw new UnsafeServerError(
      'wsrep_OSU_method',
      `wsrep_OSU_method is ${String(method)}: changes of the schema would stay on one node. Set it to TOI`,
    );
  const stands = `wsrep_ready is ${String(status.get('wsrep_ready'))}, ${String(status.get('wsrep_cluster_status'))}, ${String(status.get('wsrep_local_state_comment'))}`;
  const isReady = status.get('wsrep_ready') === 'ON' && status.get('wsrep_cluster_status') === 'Primary';
  if (!isReady || status.get('wsrep_local_state') !== synced)
    throw lost(`the node has left its cluster or is not in step with it: ${stands}`);
};

const isNode = (variables: Values): boolean =>
  variables.get('wsrep_on') === 'ON' && !['none', '', undefined].includes(variables.get('wsrep_provider'));

/** Reads the results of `factsSql`. Throws `unsafe_database` where steps could be lost, and `connection_lost` where the server cannot serve. */
export const readServerFacts = (results: readonly (readonly SqlRow[])[]): ServerFacts => {
  const [[server = []] = [], variableRows = [], statusRows = []] = results;
  const [variables, status] = [valuesOf(variableRows), valuesOf(statusRows)];
  checkDurability(server);
  const hasGroup = (variables.get('group_replication_group_name') ?? '') !== '';
  if (hasGroup && variables.get('group_replication_single_primary_mode') !== 'ON')
    throw new UnsafeServerError(
      'group_replication',
      'the server is one of several primaries of Group Replication, which this storage does not know. Set group_replication_single_primary_mode to ON',
    );
  if (isNode(variables)) checkNode(variables, status);
  return {
    isMariaDb: String(server[5]).includes('MariaDB'),
    packetBytesMax: Number(server[4]),
    clockMs: Number(server[6]),
    clusterId: isNode(variables) ? (status.get('wsrep_cluster_state_uuid') ?? '') : null,
  };
};
