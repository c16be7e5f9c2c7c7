import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runRaces } from './run-races.ts';
import { testDatabase } from '../../test/postgres-server.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const rounds = 40 * scale;

test(`runs each identity once and admits exactly what the wallet has room for, among four processes, in ${rounds} rounds [ledger:concurrency:no-overdraft] [idempotency:concurrency:one-execution]`, async () => {
  const database = await testDatabase();
  const report = await runRaces({ url: database.url, rounds, processes: 4, seed: 20_261_120 });
  await database.drop();
  const { findings, told, admissible, calls } = report;
  expect(findings).toEqual([]);
  expect(told['started']).toBe(admissible);
  // All ways of losing a race were met, and there were a thousand calls or more.
  expect(Math.min(told['known'] ?? 0, told['conflict'] ?? 0, told['insufficient'] ?? 0)).toBeGreaterThan(0);
  expect(calls).toBeGreaterThan(1_000 * scale);
});

const cappedRounds = 20 * scale;

const sqliteFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-races-'));
  return { url: join(folder, 'races.db'), drop: () => rmSync(folder, { recursive: true }) };
};

test.each([
  { name: 'PostgreSQL', open: testDatabase },
  { name: 'SQLite', open: sqliteFile },
])('lets through exactly what the cap of a key has room for, among two processes on $name', async ({ open }) => {
  const database = await open();
  onTestFinished(() => database.drop());
  const report = await runRaces({
    url: database.url,
    rounds: cappedRounds,
    processes: 2,
    seed: 20_261_125,
    scarce: 'cap',
  });
  expect(report.findings).toEqual([]);
  expect(report.told['started']).toBe(report.admissible);
  expect(report.told['refused'] ?? 0).toBeGreaterThan(0);
  expect(report.told['insufficient'] ?? 0).toBe(0);
});
