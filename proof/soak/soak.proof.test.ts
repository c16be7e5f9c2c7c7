import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findGrowth } from './find-growth.ts';
import { runSoak } from './run-soak.ts';
import { slopePerHour } from './slope.ts';
import { createPostgresStore } from '../torture/postgres-store.ts';
import { createSqliteStore } from '../torture/sqlite-store.ts';
import type { TortureStore } from '../torture/store-choice.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');

const createFile = (): TortureStore => {
  const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/soak');
  mkdirSync(folder, { recursive: true });
  return createSqliteStore(folder);
};

const stores: readonly (readonly [name: string, gateways: number, create: () => Promise<TortureStore>])[] = [
  ['SQLite', 1, async () => createFile()],
  ['PostgreSQL', 2, createPostgresStore],
];

test.each(stores)(
  'holds a mixed load on %s for a short while without an error, and the ledger is right',
  async (_, gateways, create) => {
    const options = { minutes: 0.1 * scale, intervalSeconds: 2, gateways, clients: 16, speed: 3_000, seed: 1 };
    const { samples, told, findings } = await runSoak({ ...options, store: await create(), onSample: () => {} });
    expect(findings).toEqual([]);
    expect(samples.length).toBeGreaterThan(2);
    const last = samples.at(-1)?.figures ?? {};
    expect(last).toMatchObject({ errors: 0, anomaly: 0 });
    expect(Math.min(last['resident MB'] ?? 0, last['operation'] ?? 0, last['store MB'] ?? 0)).toBeGreaterThan(0);
    const kinds = ['plain 200', 'stream 200', 'big 200', 'repeat 200', 'refused 422', 'lost 502', 'other body 409'];
    expect(kinds.filter((kind) => !told.has(kind))).toEqual([]);
  },
);

/** Thirty days, which records are kept at the least, in six seconds. */
const hasteSpeed = (30 * 86_400) / 6;
const hasty = async (recordDays: number) =>
  runSoak({
    minutes: 0.5 * scale,
    intervalSeconds: 1.5,
    gateways: 1,
    clients: 4,
    speed: hasteSpeed,
    seed: 1,
    recordDays,
    store: createFile(),
    onSample: () => {},
  });

test('keeps no more rows than its retention needs, in any table, however many requests it answers', async () => {
  const { samples, findings } = await hasty(30);
  expect(findings).toEqual([]);
  expect(findGrowth(samples)).toEqual([]);
  // Records went while it ran: of each answer that was given there is no row any more.
  const { answers = 0, operation = 0 } = samples.at(-1)?.figures ?? {};
  expect(operation).toBeLessThan(answers / 2);
});

test('finds a table whose rows are never removed', async () => {
  const { samples } = await hasty(30_000);
  expect(findGrowth(samples).join()).toContain('operation grows');
});

const sample = (minutes: number, answers: number, operation: number, entry: number) => ({
  minutes,
  figures: { answers, operation, entry },
});

test('tells growth by what each answer leaves', () => {
  const kept = [sample(0, 100, 100, 100), sample(1, 200, 150, 200), sample(2, 400, 150, 400)];
  expect(findGrowth(kept)).toEqual([]);
  // Half as fast, and nothing is removed.
  const growing = [sample(0, 100, 100, 100), sample(1, 200, 200, 200), sample(2, 300, 300, 300)];
  expect(findGrowth(growing)).toEqual(['operation grows: 300 rows, 1.000 an answer after 1.000']);
  // As many rows as before, in another sample: what a table holds just then is no growth.
  const uneven = [sample(0, 100, 60, 100), sample(1, 200, 110, 200), sample(2, 250, 55, 250), sample(3, 300, 105, 300)];
  expect(findGrowth(uneven)).toEqual([]);
  expect(findGrowth(kept.slice(0, 1))).toEqual(['there are too few samples']);
});

test('a slope is what a figure rises by in an hour', () => {
  const samples = [0, 1, 2, 3].map((minutes) => ({ minutes, figures: { rising: 5 + 2 * minutes, level: 7 } }));
  expect(slopePerHour(samples, 'rising')).toBeCloseTo(120);
  expect(slopePerHour(samples, 'level')).toBeCloseTo(0);
  expect(slopePerHour(samples.slice(0, 1), 'rising')).toBeNaN();
});
