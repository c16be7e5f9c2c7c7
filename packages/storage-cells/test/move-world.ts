import { storageBusyCode, storageOf, tableColumns, type Storage, type TableName } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage, type MemoryDisk } from '@tollgate/storage-memory';
import type { Cell } from '../src/cell.ts';
import { cells, type CellsStorage } from '../src/cells.ts';
import { recordsOfAccount } from './account-sample.ts';
import { withHook, type Hook } from './mortal-cell.ts';

export const names = ['a', 'b', 'c'] as const;
export type Name = (typeof names)[number];

const textOf = (row: object): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** Three cells with two accounts in the first, and any number of processes over them. */
export const openWorld = async (dueAtMs: number | null = null) => {
  let nowMs = 1_000_000;
  let ids = 0;
  const disks = new Map<Name, MemoryDisk>(names.map((name) => [name, createMemoryDisk()]));
  const storageOn = (disk: MemoryDisk): Storage => memoryStorage({ disk, now: () => nowMs });
  const open = (hook: Hook = async () => {}): CellsStorage =>
    cells({
      cells: Object.fromEntries([...disks].map(([name, disk]) => [name, withHook(storageOn(disk), name, hook)])),
      accounts: { acme: 'a', globex: 'a', umbrella: 'b' },
      monotonicMs: () => nowMs,
      newId: () => `id${(ids += 1)}`,
    });
  const storage = open();
  for (const accountId of ['acme', 'globex'])
    for (const write of recordsOfAccount(accountId, dueAtMs))
      await storageOf(storage, accountId).transact(
        write.kind === 'put' ? [{ table: write.table, id: write.record.id }] : [],
        () => ({ writes: [write], answer: undefined }),
      );
  /** The rows of an account in a cell, by table. */
  const found = (name: Name, accountId: string) =>
    Object.keys(tableColumns)
      .filter((table): table is TableName => Object.hasOwn(tableColumns, table) && table !== 'setting')
      .flatMap((table) =>
        [...(disks.get(name)?.rows(table).values() ?? [])]
          .filter((row) => textOf(row).includes(accountId))
          .map((row) => ({ table, row })),
      );
  const rowsIn = (name: Name, accountId: string): readonly string[] =>
    found(name, accountId)
      .map(({ table, row }) => `${table} ${row.id}`)
      .toSorted();
  const contentsIn = (name: Name, accountId: string): readonly string[] =>
    found(name, accountId)
      .map(({ table, row }) => `${table} ${textOf(row)}`)
      .toSorted();
  /** A cell by itself, behind which no process stands. */
  const cell = (name: Name): Cell => ({
    name,
    storage: storageOn(disks.get(name) ?? createMemoryDisk()),
    isResting: () => false,
  });
  return {
    open,
    cell,
    rowsIn,
    contentsIn,
    disks,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
};

export type World = Awaited<ReturnType<typeof openWorld>>;

const wallet = (accountId: string) => ({ table: 'wallet', id: accountId }) as const;

/** Adds one to what an account has, and returns it. */
export const add = (storage: Storage, accountId: string): Promise<bigint> =>
  storageOf(storage, accountId).transact([wallet(accountId)], (records) => {
    const row = records.get('wallet', accountId);
    if (row === undefined) throw new Error('there is no wallet');
    const record = { ...row, balanceMicros: row.balanceMicros + 1n };
    return { writes: [{ kind: 'put', table: 'wallet', record }], answer: record.balanceMicros };
  });

export const balanceIn = ({ disks }: World, name: Name, accountId: string): bigint | undefined =>
  [...(disks.get(name)?.rows('wallet').values() ?? [])].flatMap((row) =>
    row.id === accountId && 'balanceMicros' in row ? [row.balanceMicros] : [],
  )[0];

export const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === storageBusyCode;
