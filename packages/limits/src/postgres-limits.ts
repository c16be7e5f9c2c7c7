import { randomUUID } from 'node:crypto';
import { checkConfiguration, openingError } from '@tollgate/contract/configuration';
import type { LimitQuestion, LimitVerdict, UsageLimiter } from '@tollgate/engine';
import { createKeptRefusals, type KeptRefusals } from './kept-refusals.ts';
import { reportsOf, refusalOf, tooLargeOf, tooLargeVerdict, type Judging, type KnownBucket } from './judge-buckets.ts';
import { bucketsOf, type LimitBucket, type LimitsOf } from './limit-buckets.ts';
import { createLeases, type Leases } from './leases.ts';
import { concurrencyRetryMsDefault, minuteMs } from './limits-options.ts';
import { givenPool, openPool, type LimitsPool } from './limits-pool.ts';
import { postgresLimitsCheck, withDefaults, type PostgresLimitsOptions } from './postgres-options.ts';
import { burstUs, incrementUs } from './rate.ts';
import { limitStatements, type LimitStatements } from './schema.ts';

interface Parts extends Judging {
  readonly pool: LimitsPool;
  readonly statements: LimitStatements;
  readonly limitsOf: LimitsOf | null;
  readonly refusals: KeptRefusals;
  readonly leases: Leases;
  readonly leaseUs: number;
}

/** A row of `take_v1`; the driver reads big numbers as text. */
type TakenRow = {
  readonly taken: boolean;
  readonly now_us: string;
  readonly backs: readonly string[];
  readonly running: readonly string[];
};

const usPerMs = 1_000;

/** How often a bucket that another process forgot in between is added again. */
const addsMax = 4;

const take = async (
  { pool, statements, burst, leaseUs }: Parts,
  buckets: readonly LimitBucket[],
  ticket: string,
): Promise<TakenRow> => {
  const ids = buckets.map(({ id }) => id);
  const rates = buckets.map((bucket) => ({ ...bucket, isPlace: bucket.amount === 'concurrency' }));
  const values = [
    ids,
    rates.map(({ isPlace, limit, cost }) => (isPlace ? 0 : incrementUs(limit, cost))),
    rates.map((bucket) => burstUs(bucket, burst)),
    rates.map(({ isPlace, limit }) => (isPlace ? limit : 0)),
    ticket,
    leaseUs,
  ];
  for (let adds = 0; adds <= addsMax; adds += 1) {
    const [row] = await pool.query<TakenRow>(statements.take, values);
    if (row !== undefined) return row;
    await pool.query(statements.add, [ids]);
  }
  throw new Error('the buckets of a request could not be added');
};

/** What of a ticket is to be corrected: nothing of most that have no place and used what was estimated. */
const changesOf = (buckets: readonly LimitBucket[], tokens: number | null): readonly (readonly [string, number])[] =>
  tokens === null
    ? []
    : buckets.flatMap(({ id, amount, limit, cost }) => {
        const change = amount === 'tokens' ? incrementUs(limit, tokens) - incrementUs(limit, cost) : 0;
        return change === 0 ? [] : [[id, change] as const];
      });

const release = async (
  { pool, statements, leases }: Parts,
  buckets: readonly LimitBucket[],
  ticket: string,
  tokens: number | null,
): Promise<void> => {
  const places = buckets.flatMap(({ id, amount }) => (amount === 'concurrency' ? [id] : []));
  const changes = changesOf(buckets, tokens);
  leases.end(ticket);
  if (places.length === 0 && changes.length === 0) return;
  const values = [changes.map(([id]) => id), changes.map(([, change]) => change), places, ticket];
  await pool.query(statements.give, values);
};

const admitted = (parts: Parts, buckets: readonly LimitBucket[], ticket: string): LimitVerdict => {
  let isReleased = false;
  const places = buckets.filter(({ amount }) => amount === 'concurrency').map(({ id }) => id);
  if (places.length > 0) parts.leases.begin(ticket, places);
  return {
    kind: 'admitted',
    ticket: {
      release: async ({ tokens }) => {
        if (isReleased) return;
        isReleased = true;
        await release(parts, buckets, ticket, tokens);
      },
    },
  };
};

const reserve = async (parts: Parts, question: LimitQuestion): Promise<LimitVerdict> => {
  const buckets = bucketsOf(question, parts.limitsOf);
  const ticket = randomUUID();
  if (buckets.length === 0) return admitted(parts, buckets, ticket);
  const tooLarge = tooLargeOf(parts, buckets);
  if (tooLarge !== null) return tooLargeVerdict(tooLarge, []);
  const kept = parts.refusals.find(buckets);
  if (kept !== null) return kept;
  const row = await take(parts, buckets, ticket);
  const nowUs = Number(row.now_us);
  const known: readonly KnownBucket[] = buckets.map((bucket, at) => ({
    bucket,
    state: { backUs: Number(row.backs[at]), running: Number(row.running[at]) },
  }));
  if (row.taken) return { ...admitted(parts, buckets, ticket), reports: reportsOf(parts, known, nowUs) };
  const refused = refusalOf(parts, known, nowUs);
  if (refused === null) throw new Error('the database refused what fits into every limit');
  parts.refusals.keep(refused.bucket, refused.refusal);
  return refused.refusal;
};

/** Deletes leases that ran out and buckets that are full again, a thousand at a time. */
const tidy = async ({ pool, statements }: Parts): Promise<void> => {
  try {
    for (const statement of statements.tidy) await pool.query(statement, []);
  } catch {
    // The next turn does it.
  }
};

const everyInterval = (ms: number, run: () => void): (() => void) => {
  const timer = setInterval(run, ms);
  timer.unref();
  return () => clearInterval(timer);
};

interface World {
  readonly every: NonNullable<PostgresLimitsOptions['every']>;
  readonly monotonicMs: () => number;
}

const partsOf = (options: PostgresLimitsOptions, pool: LimitsPool, { every, monotonicMs }: World): Parts => {
  const { schema, leaseMs, refusalKeptMs } = withDefaults(options);
  const statements = limitStatements(schema);
  const leaseUs = leaseMs * usPerMs;
  return {
    pool,
    statements,
    leaseUs,
    burst: { requestsMs: options.requestsBurstMs ?? minuteMs },
    limitsOf: options.limitsOf ?? null,
    concurrencyRetryMs: options.concurrencyRetryMs ?? concurrencyRetryMsDefault,
    refusals: createKeptRefusals(monotonicMs, refusalKeptMs),
    leases: createLeases({
      every,
      leaseMs,
      renew: (places, tickets) => pool.query(statements.renew, [places, tickets, leaseUs]),
    }),
  };
};

const wrongRole = 'correct the user and the password of its address';

/** Makes the schema where it is missing. Rejects with what to do where that cannot be done; connections of our own are closed. */
const createOn = async (pool: LimitsPool, { create, schema }: LimitStatements): Promise<void> => {
  try {
    await pool.transact(create);
  } catch (cause) {
    await pool.close();
    throw openingError(cause, {
      '28000': wrongRole,
      '28P01': wrongRole,
      '42501': `this role may not make the schema ${schema} of the limits. Call postgresLimits once as a role that may; grant this one USAGE on the schema and SELECT, INSERT, UPDATE and DELETE on its tables; then pass create: false`,
    });
  }
};

/**
 * Limits by key, project and account on PostgreSQL, shared by all processes: one statement for a request that is admitted, and one
 * for its end where it takes a place or used other tokens than estimated. It makes its schema where that is missing.
 */
export const postgresLimits = async (options: PostgresLimitsOptions): Promise<UsageLimiter> => {
  checkConfiguration('postgresLimits', postgresLimitsCheck, options);
  const { connectionsMax, timeoutMs, tidyEveryMs } = withDefaults(options);
  const every = options.every ?? everyInterval;
  const pool =
    options.pool === undefined
      ? await openPool({ connectionString: options.connectionString, connectionsMax, timeoutMs })
      : givenPool(options.pool);
  const parts = partsOf(options, pool, { every, monotonicMs: options.monotonicMs ?? (() => performance.now()) });
  if (options.create ?? true) await createOn(pool, parts.statements);
  const stopTidying = every(tidyEveryMs, () => void tidy(parts));
  return {
    reserve: (question) => reserve(parts, question),
    close: async () => {
      stopTidying();
      parts.leases.stop();
      await pool.close();
    },
  };
};
