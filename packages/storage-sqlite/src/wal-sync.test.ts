import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createWalSync } from './wal-sync.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-sync-'));
afterAll(() => rmSync(folder, { recursive: true }));
const walPath = join(folder, 'log');
writeFileSync(walPath, 'log');

/** Sync calls that the test finishes by hand, and a clock that it moves. */
const heldSyncs = () => {
  const held: ((cause: Error | null) => void)[] = [];
  const done: string[] = [];
  let nowMs = 0;
  let inlineMs = 0;
  const sync = createWalSync({
    walPath,
    monotonicMs: () => nowMs,
    calls: {
      fdatasync: (_, finish) => held.push(finish),
      fdatasyncSync: () => {
        nowMs += inlineMs;
        done.push('inline');
      },
    },
  });
  return {
    sync,
    held,
    done,
    slowDown: (ms: number) => {
      inlineMs = ms;
    },
  };
};

const settled = async (flushed: Promise<void> | undefined): Promise<boolean> => {
  let isSettled = false;
  const watch = Promise.resolve(flushed).then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  await new Promise(setImmediate);
  if (isSettled) await watch;
  return isSettled;
};

test('does not sync when nothing was written', async () => {
  const { sync, done, held } = heldSyncs();
  await sync.flushed(true);
  await sync.flushed(false);
  expect([done.length, held.length]).toEqual([0, 0]);
  await sync.close();
});

test('waits for the disk on this thread when no other step waits, once for what was written', async () => {
  const { sync, done } = heldSyncs();
  sync.written();
  sync.written();
  expect(sync.flushed(true)).toBeUndefined();
  expect(sync.flushed(true)).toBeUndefined();
  expect(done).toEqual(['inline']);
  await sync.close();
});

test('leaves the thread free when others wait', async () => {
  const { sync, held } = heldSyncs();
  sync.written();
  const flushed = sync.flushed(false);
  expect(await settled(flushed)).toBe(false);
  held.shift()?.(null);
  await flushed;
  await sync.close();
});

test('leaves the thread free once the disk was slow', async () => {
  const { sync, held, done, slowDown } = heldSyncs();
  slowDown(3);
  sync.written();
  await sync.flushed(true);
  sync.written();
  const flushed = sync.flushed(true);
  expect(await settled(flushed)).toBe(false);
  expect(done).toEqual(['inline']);
  held.shift()?.(null);
  await flushed;
  await sync.close();
});

test('does not count a sync that began before a write', async () => {
  const { sync, held } = heldSyncs();
  sync.written();
  const first = sync.flushed(false);
  sync.written();
  const second = sync.flushed(false);
  held.shift()?.(null);
  await first;
  expect(await settled(second)).toBe(false);
  held.shift()?.(null);
  await second;
  await sync.close();
});

test('promises nothing any more after a sync that failed', async () => {
  const { sync, held } = heldSyncs();
  sync.written();
  const refused = sync.flushed(false);
  held.shift()?.(new Error('EIO'));
  await expect(refused).rejects.toMatchObject({ cause: { message: 'EIO' } });
  await expect(sync.flushed(true)).rejects.toMatchObject({ cause: { message: 'EIO' } });
  expect(sync.failure()).toBeInstanceOf(Error);
  expect(held).toEqual([]);
  await sync.close();
});
