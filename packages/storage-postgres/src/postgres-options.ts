import type { BlobStore, OnBatch } from '@tollgate/storage';
import type { PostgresSource } from './open-client.ts';

/**
 * What a pooler between gateway and server keeps for a client: its session, or a connection to the server for no longer than one
 * transaction.
 */
export type Pooler = 'session' | 'transaction';

export type PostgresStorageOptions = PostgresSource & {
  /** The schema of all tables; `tollgate` by default. */
  readonly schema?: string;
  /** Concurrent batches of steps, each on a connection of its own; accounts are divided among them. 2 by default. */
  readonly batchConnections?: number;
  /** Steps that one batch carries at the most; 512 by default. */
  readonly stepsPerBatchMax?: number;
  /** Is shown each batch of steps. */
  readonly onBatch?: OnBatch;
  /** How long a statement may take before the server ends it; 15 s by default. */
  readonly statementTimeoutMs?: number;
  /** How long a statement may wait for a lock; 5 s by default. */
  readonly lockTimeoutMs?: number;
  /** How long to wait for a connection; 10 s by default. A host's pool has its own limit. */
  readonly connectTimeoutMs?: number;
  /** How long the answer to one round trip may take before the server is taken for gone; three times `statementTimeoutMs` by default. */
  readonly answerTimeoutMs?: number;
  /** Whether to refuse a server whose commits wait for no synchronous standby (default false). */
  readonly requireStandby?: boolean;
  /**
   * Whether to use a server whose `fsync` or `full_page_writes` is off (default false): a crash of its machine can lose or destroy
   * what was acknowledged. For tests, and for services whose disks make these settings needless.
   */
  readonly allowUnsafeServer?: boolean;
  /** The kind of pooler that stands before the server; without this, one that is found is refused. */
  readonly pooler?: Pooler;
  /** How often what changed nothing is tried again after a lost race, a lock or a lost connection; 6 by default. */
  readonly retriesMax?: number;
  /** At most one notification of other processes in this time; 50 ms by default. */
  readonly notifyEveryMs?: number;
  /** Where large answers lie; a table of the schema by default. */
  readonly blobs?: BlobStore;
  /**
   * Whether only to read (default false): from a standby or a logical replica, for reports. What writes rejects with `read_only`. The
   * address names one host.
   */
  readonly readOnly?: boolean;
  /** Whether to bring the schema up to date first (the default) or to refuse one that is not. */
  readonly migrate?: boolean;
  /** Whether to create a schema that is missing (default true); without it a place that holds no gateway throws `database_missing`. */
  readonly create?: boolean;
  /** Replaces the server's clock, for tests. */
  readonly now?: () => number;
  /** From 0 up to but not including 1, for the waits between tries. */
  readonly random?: () => number;
};

export type PostgresNotificationsOptions = PostgresSource & {
  /** As the storages'; `tollgate` by default. */
  readonly schema?: string;
  readonly connectTimeoutMs?: number;
  /** How often to look whether the server still answers; 30 s by default. */
  readonly checkEveryMs?: number;
  /** The kind of pooler that stands before the server; without this, one that is found is refused. In transaction mode a pooler loses notifications. */
  readonly pooler?: 'session';
  /** From 0 up to but not including 1. */
  readonly random?: () => number;
};

export type MigrateOptions = PostgresSource & {
  /** The schema of all tables, created where it is missing; `tollgate` by default. */
  readonly schema?: string;
  readonly connectTimeoutMs?: number;
};
