import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { openWorld } from '../test/move-world.ts';
import { putRecords } from '../test/put-records.ts';
import { stopMove } from '../test/stopped-move.ts';
import { cells } from './cells.ts';

const account = (id: string, createdAtMs: number) =>
  ({
    kind: 'put',
    table: 'account',
    record: { id, name: id, status: 'active', createdAtMs, metadata: null, closedAtMs: null, plan: null, limits: null },
  }) as const;

test('lists the rows of all cells by time, newest first, and then by id, falling, and scans them by rising id', async () => {
  const rows = { a1: ['c', 1], b1: ['b', 3], a2: ['a', 2], b2: ['b', 2], c1: ['a', 2] } as const;
  const storage = cells({
    cells: { a: memoryStorage(), b: memoryStorage(), c: memoryStorage() },
    accounts: Object.fromEntries(Object.entries(rows).map(([id, [cell]]) => [id, cell])),
  });
  for (const [id, [, createdAtMs]] of Object.entries(rows)) await putRecords(storage, [account(id, createdAtMs)]);
  const listed = await storage.list('accounts', { of: '', limit: 5 });
  expect(listed.map(({ id }) => id)).toEqual(['b1', 'c1', 'b2', 'a2', 'a1']);
  expect((await storage.scan('account', { limit: 4 })).map(({ id }) => id)).toEqual(['a1', 'a2', 'b1', 'b2']);
  const after = { order: 2, id: 'c1' };
  expect((await storage.list('accounts', { of: '', limit: 2, after })).map(({ id }) => id)).toEqual(['b2', 'a2']);
});

test('scans and lists past the rows of an account that is on its way to a cell, page by page', async () => {
  const world = await openWorld();
  await stopMove(world, 'copying');
  const storage = world.open();
  const ids: string[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await storage.scan('entry', { after, limit: 2 });
    ids.push(...page.map(({ id }) => id));
    after = page.at(-1)?.id;
    if (page.length < 2) break;
  }
  expect(ids).toEqual(['acme:1', 'acme:2', 'acme:3', 'globex:1', 'globex:2', 'globex:3']);
  expect((await storage.scan('operation', { limit: 1 })).map(({ id }) => id)).toEqual(['acme-operation']);
  expect(await storage.list('operationsByState', { of: 'processing', limit: 10 })).toHaveLength(2);
  expect(await storage.list('operationsByState', { of: 'processing', limit: 1 })).toHaveLength(1);
});

test('fills a page up behind the rows of an account that has left, and reads no page more than it needs', async () => {
  const world = await openWorld();
  const { cells: moved } = await stopMove(world, 'gone');
  const entries = ['acme:1', 'acme:2', 'acme:3'].map((id) => ({ table: 'entry', id }) as const);
  // They are deleted where the account is now, and the cell that it has left is not cleared yet.
  await moved.to.storage.transact(entries, () => ({
    writes: entries.map((key) => ({ kind: 'delete', ...key, moved: true })),
    answer: undefined,
  }));
  const calls: string[] = [];
  const storage = world.open(async (call, done) => {
    if (done !== true) calls.push(call);
  });
  const first = async (limit: number) => (await storage.scan('entry', { limit })).map(({ id }) => id);
  expect(await first(2)).toEqual(['globex:1', 'globex:2']);
  expect(await first(1)).toEqual(['globex:1']);
  calls.length = 0;
  expect(await first(3)).toEqual(['globex:1', 'globex:2', 'globex:3']);
  expect(calls.filter((call) => call === 'scan a')).toHaveLength(2);
});
