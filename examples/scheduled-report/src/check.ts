// A report each weekday at nine: created, run, prevented, paused and disabled. It asserts, and ends by itself.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGateway, sandboxProvider, sqliteStorage } from 'tollgate';
import { createTriggerClient } from './trigger-client.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-report-'));
// A Thursday, shortly before nine in Lisbon: the check moves its clock instead of waiting.
let nowMs = Date.UTC(2026, 10, 19, 8, 59, 0);
const gateway = await createGateway({
  storage: sqliteStorage({ path: path.join(folder, 'gateway.db'), now: () => nowMs }),
  provider: sandboxProvider(),
  webhooks: false,
});
const { admin, jobs } = gateway;

const createKey = async (amountMicros: bigint) => {
  const { id: accountId } = await admin.createAccount({ name: 'example' });
  if (amountMicros > 0n) await admin.deposit({ accountId, amountMicros, reference: 'first' });
  const project = await admin.createProject({ accountId, name: 'example' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model: 'flash-2.5' });
  assert.ok(key !== null);
  return { accountId, key: key.key };
};

/** Moves on to an instant, and does what a process that runs jobs does all the time. */
const workAt = async (instant: string): Promise<void> => {
  nowMs = Date.parse(instant);
  await jobs.runDue();
  await jobs.runDue();
};

const weekdaysAtNine = {
  display_name: 'Morning report',
  schedule: '0 9 * * MON-FRI',
  time_zone: 'Europe/Lisbon',
  interaction: { input: 'Summarize what happened yesterday.' },
};

try {
  const { key } = await createKey(100_000_000n);
  const client = createTriggerClient(gateway.fetch, key);
  const report = await client.create(weekdaysAtNine);
  assert.equal(report.next_run_at, '2026-11-19T09:00:00.000Z');
  assert.deepEqual(await client.runs(report.id), []);
  console.log(`ok  created: the first report is due at ${report.next_run_at}`);

  await workAt('2026-11-19T09:00:00Z');
  await workAt('2026-11-20T09:00:03Z');
  // No process ran on Monday at nine; the weekend had no report anyway.
  await workAt('2026-11-23T12:00:00Z');
  const runs = await client.runs(report.id);
  assert.deepEqual(
    runs.map(({ scheduled_for, status }) => [scheduled_for, status]),
    [
      ['2026-11-20T09:00:00.000Z', 'completed'],
      ['2026-11-19T09:00:00.000Z', 'completed'],
    ],
  );
  const text = await client.readText(runs[0]?.interaction_id ?? '');
  assert.ok(text.length > 0);
  console.log(`ok  reported on two days, and not again for the one that was missed: ${text}`);

  const poor = await createKey(0n);
  const poorClient = createTriggerClient(gateway.fetch, poor.key);
  const { id } = await poorClient.create(weekdaysAtNine);
  await workAt('2026-11-24T09:00:00Z');
  await admin.deposit({ accountId: poor.accountId, amountMicros: 100_000_000n, reference: 'first' });
  await workAt('2026-11-25T09:00:00Z');
  const [second, first] = await poorClient.runs(id);
  assert.deepEqual([first?.status, first?.error_code, first?.request_id], ['failed', 'ai_insufficient_credits', null]);
  assert.equal(second?.status, 'completed');
  console.log('ok  prevented while there were no credits, and run again when there were');

  assert.equal((await client.setEnabled(report.id, false)).next_run_at, null);
  await workAt('2026-11-26T09:00:00Z');
  assert.equal((await client.setEnabled(report.id, true)).next_run_at, '2026-11-27T09:00:00.000Z');
  assert.equal((await client.disable(report.id)).enabled, false);
  await workAt('2026-11-27T09:00:00Z');
  assert.equal((await client.runs(report.id)).length, 4);
  console.log('ok  paused, resumed at the next future time, and disabled');
  assert.deepEqual((await admin.audit()).violations, []);
} finally {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
}
