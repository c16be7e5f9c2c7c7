import { cells } from '@tollgate/storage-cells';
import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { moveUnderLoad } from './moved-under-load.ts';

test('moves accounts while their clients go on, and loses, doubles and mischarges nothing', async () => {
  const names = ['a', 'b', 'c'];
  const disks = names.map((name) => [name, createMemoryDisk()] as const);
  const open = () => cells({ cells: Object.fromEntries(disks.map(([name, disk]) => [name, memoryStorage({ disk })])) });
  const moved = await moveUnderLoad({ names, open, moves: 20, accounts: 3, clientsOfEach: 2, pauseMs: 2 });
  expect(moved.acknowledged).toBeGreaterThan(20);
  expect(moved.audit).toMatchObject({ violations: [], busy: [] });
});
