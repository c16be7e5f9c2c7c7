import { UnsafeDatabaseError } from '@tollgate/storage';
import type { Pooler } from './postgres-options.ts';
import type { ClusterPlace, ServerFacts } from './server-facts.ts';

/** What is wrong with a server. */
export type ServerFault =
  | 'in_recovery'
  | 'pooler'
  | 'server_encoding'
  | 'synchronous_commit'
  | 'fsync'
  | 'full_page_writes'
  | 'no_standby'
  | 'old_primary'
  | 'two_primaries'
  | 'other_cluster';

/** This server must not be used as it is set up. The message says what to do. */
export class UnsafeServerError extends UnsafeDatabaseError<ServerFault> {}

/** What a fail-over or its end mends by itself: a connection that was lost is tried again until then. */
const passingFaults: ReadonlySet<ServerFault> = new Set(['in_recovery', 'no_standby', 'old_primary', 'two_primaries']);

export const isPassing = (cause: unknown): boolean =>
  cause instanceof UnsafeServerError && passingFaults.has(cause.fault);

export interface ServerDemands {
  /** Whether the server is only read: then a standby will do, and no commit has to last. */
  readonly readOnly: boolean;
  /** Whether `fsync` and `full_page_writes` may be off. */
  readonly allowUnsafeServer: boolean;
  /** Whether a synchronous standby must be attached. */
  readonly requireStandby: boolean;
  /** The pooler that may stand between; null for none. */
  readonly pooler: Pooler | null;
}

const inRecovery = (): UnsafeServerError =>
  new UnsafeServerError(
    'in_recovery',
    'the server is in recovery: it is a standby. Give the address of the primary, or name all hosts in the connection string',
  );

/** A setting without which the machine's death takes what was acknowledged. */
const judgeDisk = (name: 'fsync' | 'full_page_writes', value: string): UnsafeServerError | null =>
  value === 'on'
    ? null
    : new UnsafeServerError(
        name,
        `${name} is ${value}: a crash of the machine could lose or destroy what was acknowledged. Set it to on; for a server of tests set tollgate.allow_unsafe_server = on beside it`,
      );

const judgeCommit = ({ synchronousCommit }: ServerFacts): UnsafeServerError | null =>
  ['on', 'remote_write', 'remote_apply'].includes(synchronousCommit)
    ? null
    : new UnsafeServerError(
        'synchronous_commit',
        `synchronous_commit is ${synchronousCommit} for this role or database: commits that were acknowledged could be lost. Set it to on`,
      );

const judgeStandbys = ({ standbyNames, standbys }: ServerFacts): UnsafeServerError | null => {
  if (standbyNames === '')
    return new UnsafeServerError(
      'no_standby',
      'requireStandby: synchronous_standby_names is empty, so commits wait for no standby. Name the standbys, as in ANY 1 (s1, s2)',
    );
  if ((standbys?.synchronous ?? 0) > 0) return null;
  const todo =
    (standbys?.hidden ?? 0) > 0
      ? 'this role may not see which: GRANT pg_read_all_stats to it'
      : 'every commit would wait for one. Attach a standby that synchronous_standby_names names';
  return new UnsafeServerError(
    'no_standby',
    `requireStandby: pg_stat_replication shows no standby that is sync or quorum; ${todo}`,
  );
};

const judgePooler = ({ servedBy, promisedBy }: ServerFacts): UnsafeServerError | null =>
  promisedBy === null || promisedBy === servedBy
    ? null
    : new UnsafeServerError(
        'pooler',
        `a pooler stands before the server (the connection was promised process ${promisedBy}, and ${servedBy} serves it). Connect directly, or say what kind it is with the option pooler`,
      );

/** What a transaction begins with can be set for a session alone, which there is none of behind such a pooler. */
const judgeDefaults = ({ transactionDefaults }: ServerFacts): UnsafeServerError | null =>
  transactionDefaults === 'read committed, off'
    ? null
    : new UnsafeServerError(
        'pooler',
        `default_transaction_isolation and default_transaction_read_only of this role are ${transactionDefaults}; behind a pooler in transaction mode they must be read committed and off`,
      );

const judgeEncoding = ({ encoding }: ServerFacts): UnsafeServerError | null =>
  encoding === 'UTF8'
    ? null
    : new UnsafeServerError(
        'server_encoding',
        `the database's encoding is ${encoding}, not UTF8: create a database with ENCODING 'UTF8'`,
      );

/** What is wrong with a server, or null. */
export const judgeServer = (facts: ServerFacts, demands: ServerDemands): UnsafeServerError | null => {
  const readable =
    (demands.pooler === null ? judgePooler(facts) : null) ??
    (demands.pooler === 'transaction' ? judgeDefaults(facts) : null) ??
    judgeEncoding(facts);
  if (demands.readOnly) return readable;
  if (facts.isInRecovery) return inRecovery();
  const isExempt = demands.allowUnsafeServer || facts.isForTests;
  return (
    readable ??
    judgeCommit(facts) ??
    (isExempt ? null : judgeDisk('fsync', facts.fsync)) ??
    (isExempt ? null : judgeDisk('full_page_writes', facts.fullPageWrites)) ??
    (demands.requireStandby ? judgeStandbys(facts) : null)
  );
};

/** Of a primary that a fail-over left behind. */
export const oldPrimary = ({ place }: ServerFacts, seen: ClusterPlace | null): UnsafeServerError =>
  new UnsafeServerError(
    'old_primary',
    `the only primary that can be reached is of timeline ${place?.timeline}, which ended: timeline ${seen?.timeline} was in use. Stop this server, and make it a standby`,
  );

/**
 * Which of several servers is the primary; throws `UnsafeServerError` where that is none, or cannot be said. An old primary that
 * runs again beside the one that was promoted is on an earlier timeline, and is passed over. `seen` is the latest place that
 * this storage knows: what lies before it is never gone back to.
 */
export const choosePrimary = <S extends { readonly facts: ServerFacts }>(
  servers: readonly S[],
  seen: ClusterPlace | null,
): S => {
  const primaries = servers.flatMap((server) => {
    const { isInRecovery, place } = server.facts;
    return isInRecovery || place === null ? [] : [{ server, ...place }];
  });
  const [latest, next] = primaries.toSorted((a, b) => b.timeline - a.timeline);
  if (latest === undefined) throw inRecovery();
  if (primaries.some(({ cluster }) => cluster !== (seen?.cluster ?? latest.cluster)))
    throw new UnsafeServerError(
      'other_cluster',
      'the hosts of the connection string are not all of one cluster. Name the servers of one; to move to another, start the process again',
    );
  if (next?.timeline === latest.timeline)
    throw new UnsafeServerError(
      'two_primaries',
      `two of the hosts are primaries of timeline ${latest.timeline}. Stop the one that must not be used, and make it a standby of the other`,
    );
  if (seen !== null && latest.timeline < seen.timeline) throw oldPrimary(latest.server.facts, seen);
  return latest.server;
};
