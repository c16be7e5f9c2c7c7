import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { sqliteStorage } from './sqlite-storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-processes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const writer = fileURLToPath(new URL('../test/writer-process.ts', import.meta.url));

const start = (path: string, count: number, inFlight: number) => {
  const args = ['--conditions=@tollgate/source', writer, path, String(count), String(inFlight)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, lines: createInterface({ input: child.stdout }), exited: once(child, 'exit') };
};

const readCount = async (path: string): Promise<number> => {
  const storage = sqliteStorage({ path });
  const records = await storage.read([{ table: 'setting', id: 'count' }]);
  await storage.close();
  return Number(records.get('setting', 'count')?.value);
};

test('keeps every increment of processes that start at once on a file that is not there yet', async () => {
  const path = join(folder, 'race', 'race.db');
  const processes = [start(path, 150, 8), start(path, 150, 1), start(path, 150, 8)];
  const answers = await Promise.all(
    processes.map(async ({ lines, exited }) => {
      const seen: number[] = [];
      for await (const line of lines) seen.push(Number(line));
      expect(await exited).toEqual([0, null]);
      return seen;
    }),
  );
  expect(answers.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 450 }, (_, at) => at + 1));
  expect(await readCount(path)).toBe(450);
});

test('has every acknowledged step after its process was killed', async () => {
  const path = join(folder, 'killed.db');
  let acknowledged = 0;
  for (let round = 0; round < 3; round += 1) {
    const { child, lines, exited } = start(path, 1_000_000, 16);
    const enough = acknowledged + 200;
    for await (const line of lines) {
      acknowledged = Math.max(acknowledged, Number(line));
      if (acknowledged >= enough) child.kill('SIGKILL');
    }
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(await readCount(path)).toBeGreaterThanOrEqual(acknowledged);
  }
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
});

/** Linux takes the number of a thread where others take a process's. */
const threadPriorities = (pid: number): ReadonlySet<number> =>
  new Set(readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread))));

test.runIf(process.platform === 'linux')('copies the log with a low priority, and serves with its own', async () => {
  const { child, exited } = start(join(folder, 'priority.db'), 1_000_000, 8);
  const own = getPriority();
  const low = Math.max(own, 10);
  const priorities = (): ReadonlySet<number> => threadPriorities(child.pid ?? 0);
  try {
    // A process that ends by itself ends the wait.
    await vi.waitUntil(() => child.exitCode !== null || priorities().has(low), { timeout: 600_000 });
    expect(child.exitCode).toBeNull();
    expect(priorities()).toEqual(new Set([own, low]));
  } finally {
    child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
});
