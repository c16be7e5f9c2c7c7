import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/postgres-server.ts';
import { runHooks } from './run-hooks.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const calls = 60 * scale;

test('loses no event of the host on SQLite while workers are killed before they acknowledge it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-hooks-'));
  const report = await runHooks({ kind: 'sqlite', at: path.join(folder, 'gateway.db'), calls });
  await rm(folder, { recursive: true });
  expect(report.findings).toEqual([]);
  expect(report.events).toBeGreaterThanOrEqual(50);
  expect(report.kills).toBeGreaterThanOrEqual(1);
});

test('loses no event of the host on PostgreSQL while workers are killed before they acknowledge it', async () => {
  const database = await testDatabase();
  const report = await runHooks({ kind: 'postgres', at: database.url, calls });
  await database.drop();
  expect(report.findings).toEqual([]);
  expect(report.events).toBeGreaterThanOrEqual(50);
  expect(report.kills).toBeGreaterThanOrEqual(1);
});

test('sees a worker that acknowledges an event before the host has it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-hooks-'));
  const mutant = 'an event is concluded before its function has taken it';
  const report = await runHooks({ kind: 'sqlite', at: path.join(folder, 'gateway.db'), calls: 4, mutant });
  await rm(folder, { recursive: true });
  expect(
    report.findings.filter((finding) => finding.endsWith('was handed over after it was acknowledged')),
  ).not.toEqual([]);
});
