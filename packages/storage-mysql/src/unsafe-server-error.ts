import { UnsafeDatabaseError } from '@tollgate/storage';

/** What is wrong with a server, or with a set of servers. */
export type ServerFault =
  | 'innodb_flush_log_at_trx_commit'
  | 'innodb_doublewrite'
  | 'sync_binlog'
  | 'wsrep_OSU_method'
  | 'group_replication'
  | 'no_cluster'
  | 'other_cluster'
  | 'became_node'
  | 'clocks';

/** This server would lose or contradict what it acknowledged. The message says what to do. */
export class UnsafeServerError extends UnsafeDatabaseError<ServerFault> {}
