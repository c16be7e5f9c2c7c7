import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/postgres-server.ts';
import { runPayments } from './run-payments.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const payments = 24 * scale;
const seed = 20_261_125;

test('doubles and loses no deposit on SQLite while receivers of webhooks are killed before they commit', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-payments-'));
  const report = await runPayments({ kind: 'sqlite', at: path.join(folder, 'gateway.db'), payments, seed });
  await rm(folder, { recursive: true });
  expect(report.findings).toEqual([]);
  expect(report.killsInside).toBeGreaterThan(3);
});

test('doubles and loses no deposit on PostgreSQL while receivers of webhooks are killed before they commit', async () => {
  const database = await testDatabase();
  const report = await runPayments({ kind: 'postgres', at: database.url, payments, seed });
  await database.drop();
  expect(report.findings).toEqual([]);
  expect(report.killsInside).toBeGreaterThan(3);
});
