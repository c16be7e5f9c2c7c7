import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runSoak } from '../scripts/soak/run-soak.ts';
import { slopePerHour } from '../scripts/soak/slope.ts';
import { createPostgresStore } from '../scripts/torture/postgres-store.ts';
import { createSqliteStore } from '../scripts/torture/sqlite-store.ts';
import type { TortureStore } from '../scripts/torture/store-choice.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');

const createFile = (): TortureStore => {
  const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/soak');
  mkdirSync(folder, { recursive: true });
  return createSqliteStore(folder);
};

const stores: readonly (readonly [name: string, gateways: number, create: () => Promise<TortureStore>])[] = [
  ['SQLite', 1, async () => createFile()],
  ['PostgreSQL', 2, createPostgresStore],
];

test.each(stores)(
  'holds a mixed load on %s for a short while without an error, and the books are right',
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
  120_000 * scale,
);

test('a slope is what a figure rises by in an hour', () => {
  const samples = [0, 1, 2, 3].map((minutes) => ({ minutes, figures: { rising: 5 + 2 * minutes, level: 7 } }));
  expect(slopePerHour(samples, 'rising')).toBeCloseTo(120);
  expect(slopePerHour(samples, 'level')).toBeCloseTo(0);
  expect(slopePerHour(samples.slice(0, 1), 'rising')).toBeNaN();
});
