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
