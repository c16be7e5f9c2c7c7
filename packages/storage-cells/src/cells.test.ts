import { storageOf, type Storage } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage, type MemoryDisk } from '@tollgate/storage-memory';
import { describeStorage, type OpenedStorage, type TestRunner } from '@tollgate/testing/storage';
import { describe, expect, test } from 'vitest';
import { cells } from './cells.ts';

const bytesOf = ({ blobs }: MemoryDisk) => [...blobs.values()].reduce((sum, { length }) => sum + length, 0);

const open = (names: readonly string[]): OpenedStorage & { readonly reopen: () => Promise<Storage> } => {
  const disks = new Map<string, MemoryDisk>(names.map((name) => [name, createMemoryDisk()]));
  let nowMs = 1;
  const now = () => nowMs;
  const openCells = () =>
    cells({ cells: Object.fromEntries([...disks].map(([name, disk]) => [name, memoryStorage({ disk, now })])) });
  return {
    storage: openCells(),
    reopen: async () => openCells(),
    setNow: (ms) => {
      nowMs = ms;
    },
    blobBytes: () => [...disks.values()].reduce((sum, disk) => sum + bytesOf(disk), 0),
  };
};

/** The same as one account sees it. */
const openOfAccount = async (names: readonly string[]): Promise<OpenedStorage> => {
  const { storage, reopen, ...rest } = open(names);
  return {
    ...rest,
    storage: storageOf(storage, 'account'),
    reopen: async () => storageOf(await reopen(), 'account'),
  };
};

/** Cases whose steps have records of several accounts, which lie in both cells. */
const crossing = new Set([
  'S3: gives a key that two doors found absent to one of them, in every table',
  'S2: lets no two steps break a rule over records of which each only reads one, in every table',
  'S2: lets no two steps break a rule over absent keys of which each only reads one, in every table',
  'S4: shows a door that has looked before every change of another, in every table',
  'S6: keeps what it acknowledged when the data is opened again',
  'S9: makes a record under a fresh id alone, in every table',
  'S12: carries steps of two doors over the same records in any order, or refuses them as busy',
  'S20: keeps every value of a record exactly: account',
  'S20: keeps every value of a record exactly: wallet',
  'S20: keeps every value of a record exactly: balanceAlert',
  'S20: keeps every value of a record exactly: debt',
  'S20: keeps every value of a record exactly: topUp',
  'S20: keeps both ends of the amounts of a wallet',
  'S25: does not take one id for another that looks alike, in any table',
  'S26: keeps ids of the greatest length apart by each of their characters, in every table',
  'S25: finds an odd id again or refuses it, and takes it for no other, in every table',
  'S28: lists rows of one time by the character codes of their ids, falling',
  'S28: lists rows of one time in one order and each once, whatever characters their ids have',
  'S27: lists an index newest first, page by page, and only its rows: accounts',
  'S29: lists at most 100 rows and refuses any other limit',
  'S46: scans a table by rising id, page by page, and only the rows asked for: account',
  'S46: scans a table by rising id, page by page, and only the rows asked for: wallet',
  'S46: scans a table by rising id, page by page, and only the rows asked for: balanceAlert',
  'S46: scans a table by rising id, page by page, and only the rows asked for: debt',
  'S46: scans a table by rising id, page by page, and only the rows asked for: topUp',
]);

const breaks = async (run: Promise<void>): Promise<boolean> => {
  try {
    await run;
    return false;
  } catch (cause) {
    if (/two cells|is refused/.test(String(cause))) return true;
    throw cause;
  }
};

/** Runs every case; those of several accounts must fail, and any other must not. */
const refusingCrossed: TestRunner = {
  describe,
  test: (name, body) =>
    // oxlint-disable-next-line vitest/valid-title -- the suite names its cases
    test(name, async (context) => {
      expect(await breaks(body(context))).toBe(crossing.has(name));
    }),
};

describeStorage({ describe, test }, 'cells with one cell', async () => open(['a']));
describeStorage(refusingCrossed, 'cells with two cells, for one account', () => openOfAccount(['a', 'b']));
