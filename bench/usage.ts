// What rolling usage up costs, and how long questions about it take: so many operations of a month, written as the lines that
// settlements leave, rolled up, and asked about. `node --conditions=@tollgate/source bench/usage.ts [--lines 1000000]`
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Storage, UsageLineRecord } from '@tollgate/storage';
import { postgresStorage } from '@tollgate/storage-postgres';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { usage, type UsageQuery } from '@tollgate/engine';
import { rollUp } from '../packages/engine/src/jobs/roll-up.ts';
import { createTestDatabase, startKeeper } from '../test/postgres-server.ts';

const { values: flags } = parseArgs({
  options: { lines: { type: 'string', default: '1000000' }, storage: { type: 'string', default: 'sqlite,postgres' } },
});
const lines = Number(flags.lines);
const accounts = 100;
const models = 5;
const rowsPerStep = 250;
const stepsAtOnce = 8;
const dayMs = 86_400_000;
const fromMs = Date.UTC(2026, 9, 1);
const untilMs = Date.UTC(2026, 10, 1);

const lineOf = (at: number): UsageLineRecord => ({
  id: `operation:${String(at).padStart(12, '0')}`,
  accountId: `account-${at % accounts}`,
  projectId: `project-${at % accounts}`,
  keyId: `key-${at % (2 * accounts)}`,
  model: `model-${(at >> 3) % models}`,
  provider: 'upstream',
  requests: 1,
  chargedMicros: BigInt(at % 1_000),
  correctedMicros: 0n,
  units: { input_text_tokens: at % 4_000, output_text_tokens: at % 700 },
  createdAtMs: fromMs + Math.floor((at / lines) * (untilMs - fromMs)),
});

const addLines = async (storage: Storage): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < lines) {
      const first = next;
      next += rowsPerStep;
      const rows = Array.from({ length: Math.min(rowsPerStep, lines - first) }, (_, at) => lineOf(first + at));
      await storage.transact(
        rows.map(({ id }) => ({ table: 'usageLine', id, fresh: true })),
        () => ({ writes: rows.map((record) => ({ kind: 'put', table: 'usageLine', record })), answer: undefined }),
      );
    }
  };
  await Promise.all(Array.from({ length: stepsAtOnce }, work));
};

const month = { fromMs, untilMs, bucket: 'day' } as const;

const questions: readonly (readonly [string, UsageQuery])[] = [
  ['a month by day, one account', { ...month, filter: { accountId: 'account-7' } }],
  ['a month by day, one account, by model', { ...month, filter: { accountId: 'account-7' }, groupBy: ['model'] }],
  ['a month by day, one account, by key', { ...month, filter: { accountId: 'account-7' }, groupBy: ['keyId'] }],
  ['a month by day, all accounts', month],
  ['a month by day, all accounts, by model', { ...month, groupBy: ['model'] }],
  ['a month in all, by account', { fromMs, untilMs, groupBy: ['accountId'] }],
  [
    'a month by day, one account, days of New York',
    { ...month, filter: { accountId: 'account-7' }, timeZone: 'America/New_York' },
  ],
];

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await run();
  return performance.now() - startedMs;
};

const medianOf = async (run: () => Promise<unknown>): Promise<number> => {
  const taken: number[] = [];
  for (let round = 0; round < 9; round += 1) taken.push(await timed(run));
  return taken.toSorted((left, right) => left - right)[4] ?? 0;
};

const rollUpAll = async (storage: Storage): Promise<number> => {
  let rolledUp = 0;
  for (;;) {
    const report = await rollUp({ storage, limits: { sweepRoundsMax: 50 } });
    rolledUp += report.rolledUp;
    if (!report.more) return rolledUp;
  }
};

const totalOf = async (storage: Storage) => (await usage({ storage }, { fromMs, untilMs })).items[0];

const measure = async (name: string, storage: Storage): Promise<void> => {
  const writingMs = await timed(() => addLines(storage));
  console.log(`${name}: ${lines} lines written, ${((writingMs * 1_000) / lines).toFixed(1)} µs a line`);
  const before = await totalOf(storage);
  const rollingMs = await timed(() => rollUpAll(storage));
  console.log(`${name}: rolled up, ${((rollingMs * 1_000) / lines).toFixed(1)} µs a line`);
  const after = await totalOf(storage);
  if (after?.chargedMicros !== before?.chargedMicros || after?.requests !== lines) throw new Error('the sums changed');
  for (const [question, query] of questions)
    console.log(`${name}: ${question}: ${(await medianOf(() => usage({ storage }, query))).toFixed(1)} ms`);
  // What a second of traffic leaves between two roll-ups.
  const tail = Array.from({ length: 100 }, (_, at) => lineOf(at)).map((line) => ({ ...line, id: `tail:${line.id}` }));
  for (let round = 0; round < 100; round += 1)
    await storage.transact(
      tail.map(({ id }) => ({ table: 'usageLine', id: `${round}${id}`, fresh: true })),
      () => ({
        writes: tail.map((line) => ({
          kind: 'put',
          table: 'usageLine',
          record: { ...line, id: `${round}${line.id}`, createdAtMs: untilMs - dayMs },
        })),
        answer: undefined,
      }),
    );
  for (const [question, query] of questions.slice(0, 1))
    console.log(
      `${name}: ${question}, 10,000 lines not rolled up: ${(await medianOf(() => usage({ storage }, query))).toFixed(1)} ms`,
    );
};

if (flags.storage.includes('sqlite')) {
  const folder = path.resolve('node_modules/.cache/bench-usage');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const storage = sqliteStorage({ path: path.join(folder, 'tollgate.db') });
  await measure('SQLite', storage);
  await storage.close();
  await rm(folder, { recursive: true, force: true });
}

if (flags.storage.includes('postgres')) {
  const keeper = await startKeeper();
  const database = await createTestDatabase(await keeper.server());
  const storage = await postgresStorage({ connectionString: database.url });
  await measure('PostgreSQL', storage);
  await storage.close();
  await database.drop();
  await keeper.stop();
}
