import { setImmediate as nextTurn } from 'node:timers/promises';
import { claimableTables, storageOf } from '@tollgate/storage';
import { expect, test } from 'vitest';
import type { Hook } from '../test/mortal-cell.ts';
import { add, balanceIn, isBusy, openWorld } from '../test/move-world.ts';

/** The next process that claims looks for what was left of moves. */
const settleAll = async (world: Awaited<ReturnType<typeof openWorld>>): Promise<void> => {
  world.pass(11_000);
  const storage = world.open();
  await storage.claim({ table: 'operation', owner: 'me', leaseMs: 1, limit: 1 });
  await storage.close();
};

/** Loses the answer to one call, or refuses it. */
const failingOnce = (at: number, isLost: boolean): { readonly hook: Hook; readonly calls: () => number } => {
  let calls = 0;
  return {
    calls: () => calls,
    hook: async (_, done) => {
      if (done !== true) calls += 1;
      if (calls === at && (done === true) === isLost) {
        // Only this call.
        calls += 1;
        throw new Error(isLost ? 'the answer was lost' : 'the connection was refused');
      }
    },
  };
};

test('moves the account or leaves it where it was, whichever call of the move fails or whose answer is lost', async () => {
  const ends = new Set<string>();
  for (const isLost of [true, false])
    for (let at = 1; ; at += 1) {
      const world = await openWorld();
      const own = world.rowsIn('a', 'acme');
      const fault = failingOnce(at, isLost);
      const outcome = await world
        .open(fault.hook)
        .moveAccount('acme', 'b')
        .catch(() => 'rejected' as const);
      await settleAll(world);
      const place = await world.open().cellOfAccount('acme');
      const name = `call ${at}, ${isLost ? 'lost' : 'refused'}: ${String(outcome)}`;
      expect(place, name).toMatch(outcome === true ? /b/ : /a|b/);
      expect(world.rowsIn(place === 'a' ? 'a' : 'b', 'acme'), name).toEqual(own);
      expect(world.rowsIn(place === 'a' ? 'b' : 'a', 'acme'), name).toEqual([]);
      expect(await world.open().moves(), name).toEqual([]);
      ends.add(`${place} ${String(outcome)}`);
      if (fault.calls() < at) break;
    }
  expect([...ends]).toEqual(expect.arrayContaining(['a rejected', 'b true']));
});

test('takes a record for none of the cell that its account left, though it is deleted there while that is found out', async () => {
  const world = await openWorld();
  const [isGone, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const mover = world.open(async () => {
    const states = (await world.open().moves()).map(({ state }) => state);
    if (states.length !== 1 || states[0] !== 'gone') return;
    isGone.resolve();
    await released.promise;
  });
  const moving = mover.moveAccount('acme', 'b');
  await isGone.promise;
  let reads = 0;
  const deleted = Promise.withResolvers<void>();
  const other = world.open(async (call, done) => {
    // The cell where the account is answers later than the one that it left.
    if (call === 'read b' && reads <= 1) {
      await deleted.promise;
      for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    }
    if (call !== 'read a' || done !== true) return;
    reads += 1;
    if (reads > 1) return;
    released.resolve();
    await moving;
    deleted.resolve();
  });
  const keys = [
    { table: 'apiKey', id: 'acme-key' },
    { table: 'project', id: 'acme-project' },
  ] as const;
  expect((await other.read([keys[0]])).get('apiKey', 'acme-key')).toBeDefined();
  expect((await other.read([keys[1]])).get('project', 'acme-project')).toBeDefined();
  const step = other.transact(keys, (records) => ({ writes: [], answer: records.get('apiKey', 'acme-key')?.name }));
  expect(await step).toBeDefined();
  expect(reads).toBeGreaterThan(0);
});

/** Stops a process before its call of this number, until it is released. */
const stoppedAt = (at: number) => {
  const [reached, released] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
  let calls = 0;
  const hook: Hook = async (_, done) => {
    if (done === true) return;
    calls += 1;
    if (calls !== at) return;
    reached.resolve(true);
    await released.promise;
  };
  return { hook, reached, release: released.resolve };
};

test('lets a process that was taken for dead change nothing, wherever it stood', async () => {
  for (let at = 1; ; at += 1) {
    const world = await openWorld();
    const own = world.rowsIn('a', 'acme');
    const stop = stoppedAt(at);
    const slow = world.open(stop.hook);
    const moving = slow.moveAccount('acme', 'b').then(
      () => 'moved',
      () => 'rejected',
    );
    const isStopped = await Promise.race([stop.reached.promise, moving.then(() => false)]);
    if (!isStopped) break;
    const other = world.open();
    // One that has not begun yet moves the account on from where it is then.
    const hasBegun = (await other.moves()).length > 0 || (await other.cellOfAccount('acme')) !== 'a';
    const [end, ...others] = hasBegun ? (['c', 'a', 'b'] as const) : (['b', 'a', 'c'] as const);
    world.pass(11_000);
    await other.moveAccount('acme', 'c');
    const balance = await add(other, 'acme');
    stop.release();
    await moving;
    await settleAll(world);
    expect(await other.cellOfAccount('acme'), `stopped at ${at}`).toBe(end);
    expect(world.rowsIn(end, 'acme'), `stopped at ${at}`).toEqual(own);
    expect(
      others.flatMap((name) => world.rowsIn(name, 'acme')),
      `stopped at ${at}`,
    ).toEqual([]);
    expect(balanceIn(world, end, 'acme'), `stopped at ${at}`).toBe(balance);
    expect(await add(slow, 'acme'), `stopped at ${at}`).toBe(balance + 1n);
    expect(at).toBeLessThan(1_000);
  }
});

test('takes a move back whose account was closed for longer than a second', async () => {
  const world = await openWorld();
  const own = world.rowsIn('a', 'acme');
  let isLeaving = false;
  const storage = world.open(async () => {
    const [move] = await world.open().moves();
    if (move?.state !== 'leaving' || isLeaving) return;
    isLeaving = true;
    await expect(add(world.open(), 'acme')).rejects.toMatchObject({ code: 'storage_busy' });
    world.pass(1_001);
  });
  await expect(storage.moveAccount('acme', 'b')).rejects.toThrow('is moving to another cell');
  expect(isLeaving).toBe(true);
  expect(world.rowsIn('a', 'acme')).toEqual(own);
  expect(world.rowsIn('b', 'acme')).toEqual([]);
  expect(await add(storage, 'acme')).toBe(101n);
});

test('refuses to bring a record under an id that another account has in the other cell', async () => {
  const world = await openWorld();
  const storage = world.open();
  await storage.moveAccount('globex', 'b');
  const payment = { table: 'payment', id: 'shared' } as const;
  for (const accountId of ['acme', 'globex'])
    await storageOf(storage, accountId).transact([payment], () => ({
      writes: [
        {
          kind: 'put',
          table: 'payment',
          record: {
            id: 'shared',
            accountId,
            creditedMicros: 1n,
            backMicros: 0n,
            takenMicros: 0n,
            version: 1,
            notice: 'n',
            createdAtMs: 1,
          },
        },
      ],
      answer: undefined,
    }));
  const own = world.rowsIn('a', 'acme');
  await expect(storage.moveAccount('acme', 'b')).rejects.toThrow('another account has the payment shared there');
  expect(world.rowsIn('a', 'acme')).toEqual(own);
  expect(world.rowsIn('b', 'acme')).toEqual([]);
  expect(await storage.cellOfAccount('acme')).toBe('a');
});

/** Claims once while an account moves, before a call of the move: later claims would lease what is hidden of it as well. */
const claimBefore = async (from: number): Promise<readonly string[]> => {
  const world = await openWorld(5);
  const workers = world.open();
  const claimed: string[] = [];
  const claim = async (): Promise<void> => {
    for (const table of claimableTables) {
      const rows = await workers.claim({ table, owner: 'worker', leaseMs: 60_000, limit: 2 });
      claimed.push(...rows.map(({ id }) => `${table} ${id}`));
    }
  };
  let calls = 0;
  const storage = world.open(async () => {
    calls += 1;
    if (calls === from) await claim();
  });
  await storage.moveAccount('acme', 'b');
  for (let rounds = 0; rounds < 5; rounds += 1) await claim();
  expect(new Set(claimed).size).toBe(claimed.length);
  const before = claimed.length;
  expect(before).toBeGreaterThan(claimableTables.length);
  // Each row is there once, in the cell of its account: after the leases all of them are claimed again.
  world.pass(60_001);
  claimed.length = 0;
  for (let rounds = 0; rounds < 10; rounds += 1) await claim();
  expect(new Set(claimed).size).toBe(claimed.length);
  const due = [...world.rowsIn('b', 'acme'), ...world.rowsIn('a', 'globex')].filter((row) =>
    claimableTables.some((table) => row.startsWith(`${table} `)),
  );
  expect(claimed.toSorted()).toEqual(due.toSorted());
  return claimed;
};

test('gives a due row of an account that moves to one worker alone, whenever it is claimed', async () => {
  for (let from = 0; from < 140; from += 5)
    expect((await claimBefore(from)).length).toBeGreaterThan(claimableTables.length);
});

const chunk = (documentId: string) => ({
  storeId: 'store',
  documentId,
  place: 0,
  page: null,
  startIndex: 0,
  endIndex: 1,
  text: documentId,
  vector: Float32Array.of(1),
});

test('finds blobs and vectors where they were put, after any number of moves, and leaves none behind', async () => {
  const world = await openWorld();
  const storage = world.open();
  const view = storageOf(world.open(), 'acme');
  const search = async () =>
    (await view.vectors.search({ storeIds: ['store'], vector: Float32Array.of(1), limit: 10 })).map(
      ({ documentId }) => documentId,
    );
  for (const name of ['a', 'b', 'c', 'a'] as const) {
    await storage.moveAccount('acme', name);
    await view.blobs.put(`blobs/${name}`, Buffer.from(name));
    await view.vectors.put([chunk(name)]);
    for (const key of ['a', 'b', 'c'].slice(0, ['a', 'b', 'c'].indexOf(name) + 1))
      expect(Buffer.from((await view.blobs.get(`blobs/${key}`)) ?? []).toString()).toBe(key);
  }
  expect(await search()).toEqual(['a', 'b', 'c']);
  const blob = await view.blobs.getStream('blobs/b');
  expect(blob?.sizeBytes).toBe(1);
  for (const name of ['a', 'b', 'c']) {
    await view.blobs.delete(`blobs/${name}`);
    await view.vectors.remove(name);
  }
  expect(await search()).toEqual([]);
  for (const disk of world.disks.values()) expect([disk.blobs.size, disk.chunks.size]).toEqual([0, 0]);
});

const away: Hook = async (call) => {
  if (call.endsWith(' a')) throw new Error('connect ECONNREFUSED');
};

test('serves a moved account from a process that starts while the cell is away that it has left', async () => {
  const world = await openWorld();
  await world.open().moveAccount('acme', 'b');
  const later = world.open(away);
  // The cell that is away is checked before a step is sent to it, so it is certain that nothing was done there.
  expect(await add(later, 'acme')).toBe(101n);
  await expect(add(later, 'globex')).rejects.toSatisfy(isBusy);
});
