import { randomUUID } from 'node:crypto';
import type { LevelLimits, LimitVerdict, UsageLimiter } from '@tollgate/engine';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { postgresLimits } from './postgres-limits.ts';
import type { PostgresLimitsOptions } from './postgres-options.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = new Pool({ connectionString: database.url, max: 16 });
  // A connection that is still closing when the database is dropped is ended by the server.
  pool.on('error', () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const caller = { keyId: 'k1', projectId: 'p1', accountId: 'a1' };

interface Timer {
  readonly ms: number;
  readonly run: () => void;
}

let schemas = 0;

const world = async (limits: LevelLimits, options: Partial<PostgresLimitsOptions> = {}) => {
  schemas += 1;
  const schema = `limits ${schemas}`;
  const timers = new Set<Timer>();
  const every = (ms: number, run: () => void) => {
    const timer = { ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const open = () => postgresLimits({ pool, schema, every, refusalKeptMs: 0, ...options } as PostgresLimitsOptions);
  const askOf =
    (limiter: UsageLimiter) =>
    async (takes: { tokens?: number; concurrency?: 0 | 1 } = {}, keyId = caller.keyId): Promise<LimitVerdict> =>
      limiter.reserve({
        caller: { ...caller, keyId },
        limits,
        requestId: 'r',
        model: 'm',
        kind: 'chat',
        takes: { requests: 1, tokens: 0, concurrency: 1, ...takes },
      });
  const ask = askOf(await open());
  const admit = async (...asked: Parameters<typeof ask>) => {
    const verdict = await ask(...asked);
    if (verdict.kind !== 'admitted') throw new Error(`refused: ${JSON.stringify(verdict)}`);
    return verdict;
  };
  const query = async (sql: string): Promise<readonly Record<string, unknown>[]> =>
    (await pool.query<Record<string, unknown>>(sql.replaceAll('@', `"${schema}"`))).rows;
  /** Lets time pass for the buckets and leases alone: the clock of the server goes on by itself. */
  const pass = async (ms: number) => {
    await query(`update @.bucket set back_us = back_us - ${ms * 1_000}`);
    await query(`update @.lease set until_us = until_us - ${ms * 1_000}`);
  };
  return { open, askOf, ask, admit, query, pass, timers };
};

const countOf = (verdicts: readonly LimitVerdict[]): number =>
  verdicts.filter(({ kind }) => kind === 'admitted').length;

test('admits exactly one burst of requests that come at once on a fresh key', async () => {
  const { ask } = await world({ key: { requestsPerMinute: 5 } });
  expect(countOf(await Promise.all(Array.from({ length: 64 }, () => ask())))).toBe(5);
});

test('tells which limit was met, its bound and the wait', async () => {
  const { ask, admit, pass } = await world({ key: { requestsPerMinute: 100 }, account: { requestsPerMinute: 2 } });
  await admit();
  const { reports } = await admit();
  expect(reports).toMatchObject([
    { level: 'key', amount: 'requests', limit: 100, remaining: 98 },
    { level: 'account', amount: 'requests', limit: 2, remaining: 0 },
  ]);
  const refused = await ask();
  expect(refused).toMatchObject({ kind: 'limited', level: 'account', amount: 'requests', limit: 2 });
  if (refused.kind === 'admitted') throw new Error('admitted');
  expect(refused.retryAfterMs).toBeGreaterThan(20_000);
  expect(refused.retryAfterMs).toBeLessThanOrEqual(30_000);
  await pass(30_000);
  await admit();
});

test('takes nothing of any limit for a request that one of them refuses', async () => {
  const { ask, admit } = await world({
    key: { requestsPerMinute: 1, concurrentRequests: 9 },
    account: { requestsPerMinute: 3 },
  });
  await admit();
  for (let index = 0; index < 5; index += 1) expect(await ask()).toMatchObject({ level: 'key', amount: 'requests' });
  await admit({}, 'k2');
  await admit({}, 'k3');
  expect(await ask({}, 'k4')).toMatchObject({ level: 'account', limit: 3 });
});

test('gives back the tokens that were not used, and makes a debt of what was used beyond the estimate', async () => {
  const { ask, admit } = await world({ key: { tokensPerMinute: 1_000_000 } });
  const first = await admit({ tokens: 900_000 });
  expect(await ask({ tokens: 200_000 })).toMatchObject({ kind: 'limited', amount: 'tokens' });
  await first.ticket.release({ tokens: 0 });
  await first.ticket.release({ tokens: 0 });
  const second = await admit({ tokens: 950_000 });
  expect(await ask({ tokens: 200_000 })).toMatchObject({ kind: 'limited' });
  await second.ticket.release({ tokens: 3_000_000 });
  const refused = await ask({ tokens: 1 });
  if (refused.kind === 'admitted') throw new Error('admitted');
  expect(refused.retryAfterMs).toBeGreaterThan(100_000);
});

test('keeps the estimate of a request whose use is unknown', async () => {
  const { ask, admit } = await world({ key: { tokensPerMinute: 1_000_000 } });
  await (await admit({ tokens: 1_000_000 })).ticket.release({ tokens: null });
  expect(await ask({ tokens: 500_000 })).toMatchObject({ kind: 'limited' });
});

test('refuses for good, without asking, what is more than the limit ever has', async () => {
  const { ask, query } = await world({ key: { tokensPerMinute: 1_000 } });
  expect(await ask({ tokens: 1_001 })).toMatchObject({ kind: 'too_large', amount: 'tokens', limit: 1_000 });
  expect(await query('select id from @.bucket')).toEqual([]);
});

test('never runs more at once than the bound, and the next when one has ended', async () => {
  const { ask, admit, query } = await world({ account: { concurrentRequests: 3 } });
  const verdicts = await Promise.all(Array.from({ length: 64 }, () => ask()));
  expect(countOf(verdicts)).toBe(3);
  for (const verdict of verdicts) if (verdict.kind === 'admitted') await verdict.ticket.release({ tokens: 0 });
  expect(await query('select ticket from @.lease')).toEqual([]);
  const { ticket } = await admit();
  await admit();
  await admit();
  expect(await ask()).toMatchObject({ kind: 'limited', amount: 'concurrency', limit: 3, retryAfterMs: 1_000 });
  await ticket.release({ tokens: 0 });
  await admit();
});

test('frees the place of a process that died when its lease has run out, and keeps those that are renewed', async () => {
  const { ask, admit, pass, timers } = await world({ key: { concurrentRequests: 1 } }, { leaseMs: 30_000 });
  await admit();
  const renewing = [...timers].find(({ ms }) => ms === 10_000);
  await pass(29_000);
  expect(await ask()).toMatchObject({ amount: 'concurrency' });
  renewing?.run();
  // The pool runs the renewal on a connection of its own: it is there when the place holds for longer than the lease.
  for (;;) {
    const [row] = await pool
      .query<{ free: boolean }>(
        `select bool_and(until_us > (extract(epoch from clock_timestamp()) * 1000000)::bigint + 20000000) as free from "limits ${schemas}".lease`,
      )
      .then(({ rows }) => rows);
    if (row?.free === true) break;
  }
  await pass(15_000);
  expect(await ask()).toMatchObject({ amount: 'concurrency' });
  await pass(15_001);
  await admit();
});

test('renews as long as requests run, and not longer', async () => {
  const { admit, timers } = await world({ key: { concurrentRequests: 2 } });
  const renewals = () => [...timers].filter(({ ms }) => ms === 10_000).length;
  expect(renewals()).toBe(0);
  const one = await admit();
  const other = await admit();
  expect(renewals()).toBe(1);
  await one.ticket.release({ tokens: 0 });
  expect(renewals()).toBe(1);
  await other.ticket.release({ tokens: 0 });
  expect(renewals()).toBe(0);
});

test('deletes what says nothing any more, and goes on after it', async () => {
  const { admit, query, pass, timers } = await world({ key: { requestsPerMinute: 60, concurrentRequests: 5 } });
  const { ticket } = await admit();
  const tidying = [...timers].find(({ ms }) => ms === 60_000);
  await pass(200_000);
  tidying?.run();
  while ((await query('select 1 from @.bucket union all select 1 from @.lease')).length > 0);
  await ticket.release({ tokens: 0 });
  const { reports } = await admit();
  expect(reports).toMatchObject([{ remaining: 59 }]);
});

test('repeats a refusal for a moment without asking the database', async () => {
  let nowMs = 0;
  const { ask, admit, pass } = await world(
    { key: { requestsPerMinute: 1 } },
    { refusalKeptMs: 250, monotonicMs: () => nowMs },
  );
  await admit();
  const refused = await ask();
  if (refused.kind === 'admitted') throw new Error('admitted');
  await pass(120_000);
  nowMs = 249;
  expect(await ask()).toMatchObject({ kind: 'limited', retryAfterMs: refused.retryAfterMs - 249 });
  nowMs = 250;
  await admit();
});

test('two processes share their limits, and either may make the schema', async () => {
  const { open, askOf, admit } = await world({ key: { requestsPerMinute: 3 } });
  const others = await Promise.all([open(), open(), open()]);
  await admit();
  const verdicts = await Promise.all(others.map((limiter) => askOf(limiter)()));
  expect(countOf(verdicts)).toBe(2);
});

test('is refused by the server where the schema is missing and may not be made', async () => {
  const limiter = await postgresLimits({ connectionString: database.url, schema: 'absent', create: false });
  const question = { caller, limits: { key: { requestsPerMinute: 1 } }, requestId: 'r', model: 'm', kind: 'chat' };
  const asking = Promise.resolve(limiter.reserve({ ...question, takes: { requests: 1, tokens: 0, concurrency: 1 } }));
  await expect(asking).rejects.toThrow('does not exist');
  await limiter.close?.();
});

test('refuses an address whose password has a #, and repeats nothing of it', async () => {
  for (const connectionString of ['postgres://gw:p#hush@localhost/x', 'postgres://gw:12#hush@localhost/x']) {
    const error: unknown = await postgresLimits({ connectionString }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'configuration_invalid', faults: [{ place: 'connectionString' }] });
    expect(String(error)).toContain('# as %23');
    expect(`${String(error)}${JSON.stringify(error)}`).not.toMatch(/hush|gw:/u);
  }
});

test('says what to do where its role may not make the schema, and works with the rights that it names', async () => {
  const role = `limited_${randomUUID().slice(0, 8)}`;
  await pool.query(`CREATE ROLE ${role} LOGIN`);
  const url = new URL(database.url);
  url.username = role;
  const options = { connectionString: url.href, schema: 'of_the_owner' };
  await expect(postgresLimits(options)).rejects.toMatchObject({
    code: '42501',
    message: expect.stringMatching(/permission denied for database .*the schema "of_the_owner" .*create: false$/),
  });
  await (await postgresLimits({ pool, schema: 'of_the_owner' })).close?.();
  await pool.query(
    `GRANT USAGE ON SCHEMA of_the_owner TO ${role}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA of_the_owner TO ${role}`,
  );
  const limiter = await postgresLimits({ ...options, create: false });
  const verdict = await limiter.reserve({
    caller,
    limits: { key: { requestsPerMinute: 1 } },
    requestId: 'r',
    model: 'm',
    kind: 'chat',
    takes: { requests: 1, tokens: 0, concurrency: 0 },
  });
  expect(verdict.kind).toBe('admitted');
  await limiter.close?.();
  await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
});
