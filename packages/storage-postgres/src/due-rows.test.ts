import type { OperationRecord, Storage } from '@tollgate/storage';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql, testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { dueRowsSeenMax } from './due-rows.ts';
import { postgresStorage } from './postgres-storage.ts';

let database: TestDatabase;
let storage: Storage;
let nowMs = 1_000;
beforeAll(async () => {
  database = await testDatabase();
  storage = await postgresStorage({ connectionString: database.url, now: () => nowMs });
});
afterAll(async () => {
  await storage.close();
  await database.drop();
});

const put = (id: string, change: Partial<OperationRecord> | null): Promise<void> =>
  storage.transact([{ table: 'operation', id }], () => ({
    writes: [
      change === null
        ? { kind: 'delete', table: 'operation', id }
        : { kind: 'put', table: 'operation', record: { ...sampleRecords.operation(id), ...change } },
    ],
    answer: undefined,
  }));

const claim = (limit = 100): Promise<readonly OperationRecord[]> =>
  storage.claim({ table: 'operation', owner: 'me', leaseMs: 1_000, limit });

const countOf = async (table: string, where = 'true'): Promise<number> => {
  const [row] = await runSql(database.url, `SELECT count(*)::int AS n FROM tollgate.${table} WHERE ${where}`);
  return Number(row?.['n']);
};

/** Operations that no row of due times would bring up in time, or that are open and not among the open ones. */
const forgotten = (): Promise<readonly unknown[]> =>
  runSql(
    database.url,
    `SELECT id FROM tollgate.operation AS one
     WHERE (ended_at_ms IS NULL AND NOT EXISTS (
         SELECT FROM tollgate.operation_open AS o
         WHERE o.id = one.id AND o.due_at_ms <= coalesce(one.due_at_ms, 9223372036854775807)))
       OR (due_at_ms IS NOT NULL AND NOT EXISTS (
         SELECT FROM (TABLE tollgate.operation_open UNION ALL TABLE tollgate.operation_kept) AS d
         WHERE d.id = one.id AND d.due_at_ms <= one.due_at_ms))`,
  );

type Act = { readonly id: string; readonly dueAtMs: number | null; readonly ended: boolean } | 'claim' | 'delete';
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      dueAtMs: fc.option(fc.integer({ min: 0, max: 9_000 })),
      ended: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Act>('claim', 'delete') },
);

test('forgets no operation that is due or open, whatever becomes of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { maxLength: 12 }), async (plan) => {
      for (const act of plan) {
        nowMs += 400;
        if (act === 'claim') await claim(2);
        else if (act === 'delete') await put('a', null);
        else
          await put(act.id, {
            dueAtMs: act.dueAtMs === null ? null : nowMs - 4_500 + act.dueAtMs,
            endedAtMs: act.ended ? 1 : null,
          });
        expect(await forgotten()).toEqual([]);
      }
    }),
    { numRuns: 40 * Number(process.env['TEST_SCALE'] ?? '1') },
  );
});

test('adds no row of due times where an operation is due later', async () => {
  await put('later', { dueAtMs: nowMs + 30_000, endedAtMs: null });
  await put('later', { dueAtMs: nowMs + 90_000, endedAtMs: nowMs });
  expect(await countOf('operation_open', `id = 'later'`)).toBe(1);
  expect(await countOf('operation_kept', `id = 'later'`)).toBe(0);
});

test('moves what spoke too early, however much it is, before it claims', async () => {
  const many = 2 * dueRowsSeenMax + 10;
  await runSql(
    database.url,
    `TRUNCATE tollgate.operation, tollgate.operation_open, tollgate.operation_kept;
     INSERT INTO tollgate.operation_open SELECT 1, 'gone' || n FROM generate_series(1, ${many}) AS n`,
  );
  await put('ended', { dueAtMs: nowMs + 5, endedAtMs: null });
  await put('ended', { dueAtMs: nowMs + 50_000, endedAtMs: nowMs });
  await put('due', { dueAtMs: nowMs + 9, endedAtMs: null });
  nowMs += 10;
  expect((await claim(1)).map(({ id }) => id)).toEqual(['due']);
  expect(await countOf('operation_open')).toBe(1);
  expect(await countOf('operation_kept', `id = 'ended' AND due_at_ms = ${nowMs - 10 + 50_000}`)).toBe(1);
  nowMs += 50_000;
  expect((await claim()).map(({ id }) => id).toSorted()).toEqual(['due', 'ended']);
});
