import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCheckpointer } from './checkpointer.ts';
import { sqliteStorage } from './sqlite-storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-checkpoint-'));
afterAll(() => rmSync(folder, { recursive: true }));

const megabyte = 1024 * 1024;
let files = 0;

/** A checkpointer over a log of a given length, and how often it checkpointed on this thread. */
const overLog = (bytes: number, extra: Partial<Parameters<typeof createCheckpointer>[0]> = {}) => {
  files += 1;
  const file = join(folder, `${files}.db`);
  writeFileSync(`${file}-wal`, new Uint8Array(bytes));
  let nowMs = 0;
  let here = 0;
  const checkpointer = createCheckpointer({
    file,
    checkpointHere: () => (here += 1),
    everyMs: 200,
    monotonicMs: () => nowMs,
    ...extra,
  });
  return {
    checkpointer,
    here: () => here,
    after: (ms: number) => {
      nowMs += ms;
      checkpointer.nudge();
    },
  };
};

test('copies a long log into the database from a thread of its own, and ends with the storage', async () => {
  const path = join(folder, 'aside.db');
  const storage = sqliteStorage({ path, checkpointEveryMs: 0 });
  const body = 'x'.repeat(100_000);
  let added = 0;
  while (statSync(path).size < 2 * megabyte && added < 2_000) {
    added += 1;
    const record = { id: `a${added}`, body, bytes: body.length, division: null, createdAtMs: 1 };
    await storage.transact([{ table: 'answer', id: record.id }], () => ({
      writes: [{ kind: 'put', table: 'answer', record }],
      answer: undefined,
    }));
  }
  expect(statSync(path).size).toBeGreaterThanOrEqual(2 * megabyte);
  await storage.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test('leaves a short log alone', async () => {
  const { checkpointer, here, after } = overLog(megabyte, { walBytesMax: megabyte });
  after(1_000);
  expect(here()).toBe(0);
  await checkpointer.close();
});

test('checkpoints on this thread when the log is too long for the worker, and not more often than told', async () => {
  const { checkpointer, here, after } = overLog(megabyte + 1, { walBytesMax: megabyte });
  after(199);
  expect(here()).toBe(0);
  after(1);
  expect(here()).toBe(1);
  after(199);
  expect(here()).toBe(1);
  after(1);
  expect(here()).toBe(2);
  await checkpointer.close();
});

test('checkpoints on this thread when the worker cannot run', async () => {
  const workerUrl = new URL('./no-such-worker.ts', import.meta.url);
  const { checkpointer, here, after } = overLog(megabyte + 1, { workerUrl });
  for (let turns = 0; here() === 0 && turns < 2_000; turns += 1) {
    after(200);
    await new Promise((resolve) => void setTimeout(resolve, 1));
  }
  expect(here()).toBe(1);
  await checkpointer.close();
});
