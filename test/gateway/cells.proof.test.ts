import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { cells } from '@tollgate/storage-cells';
import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { openGateway, type CreateData } from './open-in-process.ts';

/** Four memory storages, each of which knows its own accounts. */
const memoryCells: CreateData = (now) => {
  const disks = ['a', 'b', 'c', 'd'].map((name) => [name, createMemoryDisk()] as const);
  return () => cells({ cells: Object.fromEntries(disks.map(([name, disk]) => [name, memoryStorage({ disk, now })])) });
};

describeGateway({ describe, test }, 'a gateway over four cells in memory', (opening) =>
  openGateway(opening, { data: memoryCells }),
);
