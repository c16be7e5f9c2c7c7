import type { BlobStore, OnBatch } from '@tollgate/storage';
import type { PostgresSource } from './open-client.ts';

/**
 * What a pooler between gateway and server keeps for a client: its session, or a connection to the server for no longer than one
 * transaction.
 */
export type Pooler = 'session' | 'transaction';

export type PostgresStorageOptions = PostgresSource & {
  /** The schema of all tables; `tollgate` by default. */
  readonly schema?: string | undefined;
  /** Concurrent batches of steps, each on a connection of its own; accounts are divided among them. 2 by default. */
  readonly batchConnections?: number | undefined;
  /** Steps that one batch carries at the most; 512 by default. */
  readonly stepsPerBatchMax?: number | undefined;
  /** Is shown each batch of steps. */
  readonly onBatch?: OnBatch | undefined;
  /** How long a statement may take before the server ends it; 15 s by default. */
  readonly statementTimeoutMs?: number | undefined;
  /** How long a statement may wait for a lock; 5 s by default. */
  readonly lockTimeoutMs?: number | undefined;
  /** How long to wait for a connection; 10 s by default. A host's pool has its own limit. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long the answer to one round trip may take before the server is taken for gone; three times `statementTimeoutMs` by default. */
  readonly answerTimeoutMs?: number | undefined;
  /** Whether to refuse a server whose commits wait for no synchronous standby (default false). */
  readonly requireStandby?: boolean | undefined;
  /**
   * Whether to use a server whose `fsync` or `full_page_writes` is off (default false): a crash of its machine can lose or destroy
   * what was acknowledged. For tests, and for services whose disks make these settings needless.
   */
  readonly allowUnsafeServer?: boolean | undefined;
  /** The kind of pooler that stands before the server; without this, one that is found is refused. */
  readonly pooler?: Pooler | undefined;
  /** How often what changed nothing is tried again after a lost race, a lock or a lost connection; 6 by default. */
  readonly retriesMax?: number | undefined;
  /** At most one notification of other processes in this time; 50 ms by default. */
  readonly notifyEveryMs?: number | undefined;
  /** Where large answers lie; a table of the schema by default. */
  readonly blobs?: BlobStore | undefined;
  /**
   * Whether only to read (default false): from a standby or a logical replica, for reports. What writes rejects with `read_only`. The
   * address names one host.
   */
  readonly readOnly?: boolean | undefined;
  /** Whether to bring the schema up to date first (the default) or to refuse one that is not. */
  readonly migrate?: boolean | undefined;
  /** Whether to create a schema that is missing (default true); without it a place that holds no gateway throws `database_missing`. */
  readonly create?: boolean | undefined;
  /** Replaces the server's clock, for tests. */
  readonly now?: (() => number) | undefined;
  /** From 0 up to but not including 1, for the waits between tries. */
  readonly random?: (() => number) | undefined;
};

export type PostgresNotificationsOptions = PostgresSource & {
  /** As the storages'; `tollgate` by default. */
  readonly schema?: string | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** How often to look whether the server still answers; 30 s by default. */
  readonly checkEveryMs?: number | undefined;
  /** The kind of pooler that stands before the server; without this, one that is found is refused. In transaction mode a pooler loses notifications. */
  readonly pooler?: 'session' | undefined;
  /** From 0 up to but not including 1. */
  readonly random?: (() => number) | undefined;
};

export type MigrateOptions = PostgresSource & {
  /** The schema of all tables, created where it is missing; `tollgate` by default. */
  readonly schema?: string | undefined;
  readonly connectTimeoutMs?: number | undefined;
};
