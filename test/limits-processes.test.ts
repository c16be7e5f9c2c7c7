import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { postgresLimits } from '@tollgate/limits';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { LimitsFinding, LimitsOrder } from './limits-process.ts';
import { runSql, testDatabase, type TestDatabase } from './postgres-server.ts';

let database: TestDatabase;
const databases: TestDatabase[] = [];
beforeEach(async () => {
  database = await testDatabase();
  databases.push(database);
});
afterAll(async () => {
  for (const made of databases) await made.drop();
});

const script = fileURLToPath(new URL('limits-process.ts', import.meta.url));

const start = (order: Omit<LimitsOrder, 'url'>): ChildProcess => {
  const child = spawn(
    process.execPath,
    ['--conditions=@tollgate/source', script, JSON.stringify({ ...order, url: database.url })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

const lineOf = async ({ stdout }: ChildProcess): Promise<string> => {
  let text = '';
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text;
};

const findingOf = async (child: ChildProcess): Promise<LimitsFinding> =>
  JSON.parse(await lineOf(child)) as LimitsFinding;

const nowMs = async (): Promise<number> => {
  const [row] = await runSql(database.url, 'select extract(epoch from clock_timestamp()) * 1000 as ms');
  return Number(row?.['ms']);
};

const order = {
  connections: 32,
  asksPerConnection: 40,
  requestsPerMinute: 6_000,
  requestsBurstMs: 500,
  concurrentRequests: 64,
  leaseMs: 30_000,
};

test('two processes with 64 connections admit at most one burst beside the rate', async () => {
  const fromMs = await nowMs();
  const findings = await Promise.all([start(order), start(order)].map(findingOf));
  const seconds = ((await nowMs()) - fromMs) / 1_000;
  const admitted = findings.reduce((sum, finding) => sum + finding.admitted, 0);
  const limited = findings.reduce((sum, finding) => sum + finding.limited, 0);
  expect(admitted + limited).toBe(2 * 32 * 40);
  expect(admitted).toBeGreaterThanOrEqual(50);
  expect(admitted).toBeLessThanOrEqual(50 + 100 * seconds);
});

test('two processes with 64 connections never run more at once than the bound', async () => {
  const bounded = { ...order, asksPerConnection: 20, requestsPerMinute: 6_000_000, requestsBurstMs: 60_000 };
  const children = [start({ ...bounded, concurrentRequests: 7 }), start({ ...bounded, concurrentRequests: 7 })];
  const findings = await Promise.all(children.map(findingOf));
  for (const { admitted, runningMost } of findings) {
    expect(admitted).toBeGreaterThan(0);
    expect(runningMost).toBeLessThanOrEqual(7);
  }
  expect(await runSql(database.url, 'select 1 from tollgate_limits.lease')).toEqual([]);
});

test('the place of a process that is killed is free when its lease has run out', async () => {
  const child = start({ ...order, connections: 1, asksPerConnection: 0, concurrentRequests: 1, leaseMs: 1_000 });
  expect(await lineOf(child)).toBe('admitted\n');
  const limiter = await postgresLimits({
    connectionString: database.url,
    refusalKeptMs: 0,
    leaseMs: 1_000,
    limitsOf: () => ({ account: { concurrentRequests: 1 } }),
  });
  onTestFinished(async () => limiter.close?.());
  const ask = async () =>
    limiter.reserve({
      caller: { keyId: 'k2', projectId: 'p1', accountId: 'a1' },
      limits: null,
      requestId: 'r',
      model: 'm',
      kind: 'chat',
      takes: { requests: 1, tokens: 0, concurrency: 1 },
    });
  // It renews its lease while it lives: more than two leases long the place is taken.
  const fromMs = await nowMs();
  while ((await nowMs()) < fromMs + 2_500) expect((await ask()).kind).toBe('limited');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  while ((await ask()).kind !== 'admitted');
  expect((await ask()).kind).toBe('limited');
});
