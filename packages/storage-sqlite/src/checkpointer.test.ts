import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { createCheckpointer, type CheckpointerMessage } from './checkpointer.ts';
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
  let added = 0;
  while (statSync(path).size < 2 * megabyte && added < 2_000) {
    const body = 'x'.repeat(added === 0 ? 2 * megabyte : 10);
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

/** A thread that does what the test says: it responds to a message where the test lets it. */
const createThread = () => {
  const told: CheckpointerMessage[] = [];
  const events = new EventEmitter();
  let holdsProcess = true;
  const thread = {
    on: (event: string, listener: () => void) => events.on(event, listener),
    postMessage: (message: CheckpointerMessage) => void told.push(message),
    ref: () => void (holdsProcess = true),
    unref: () => void (holdsProcess = false),
  };
  return { told, emit: (event: string) => events.emit(event), startWorker: () => thread, holds: () => holdsProcess };
};

test('leaves a short log alone', async () => {
  const { told, startWorker } = createThread();
  const { checkpointer, here, after } = overLog(megabyte, { walBytesMax: megabyte, startWorker });
  after(1_000);
  expect([here(), told]).toEqual([0, []]);
  await checkpointer.close();
  expect(told).toEqual([]);
});

test('has a long log copied by its thread, and asks again only when that has ended', async () => {
  const { told, emit, startWorker } = createThread();
  const { here, after } = overLog(megabyte + 1, { startWorker });
  after(200);
  after(200);
  expect(told).toEqual(['checkpoint']);
  emit('message');
  after(199);
  expect(told).toEqual(['checkpoint']);
  after(1);
  expect(told).toEqual(['checkpoint', 'checkpoint']);
  expect(here()).toBe(0);
});

test('keeps no process from its end, except while it closes, until its thread has ended', async () => {
  const { told, emit, startWorker, holds } = createThread();
  const { checkpointer, after } = overLog(megabyte + 1, { startWorker });
  after(200);
  expect(holds()).toBe(false);
  let isClosed = false;
  const closing = checkpointer.close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect([holds(), told, isClosed]).toEqual([true, ['checkpoint', 'stop'], false]);
  emit('exit');
  await closing;
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

const startNone = (): Worker => new Worker(new URL('./no-such-worker.ts', import.meta.url));

test('checkpoints on this thread when the worker cannot run', async () => {
  const { checkpointer, here, after } = overLog(megabyte + 1, { startWorker: startNone });
  for (let turns = 0; here() === 0 && turns < 2_000; turns += 1) {
    after(200);
    await new Promise((resolve) => void setTimeout(resolve, 1));
  }
  expect(here()).toBe(1);
  await checkpointer.close();
});
