import { storageOf, tableColumns } from '@tollgate/storage';
import { expect, test } from 'vitest';
import type { CellsStorage } from './cells.ts';
import { cellUnknownCode } from './mover.ts';
import { isDead, mortal } from '../test/mortal-cell.ts';
import { add, balanceIn, isBusy, names, openWorld, type World } from '../test/move-world.ts';

test('moves every record of an account and none of another', async () => {
  const world = await openWorld();
  const [own, others] = [world.rowsIn('a', 'acme'), world.rowsIn('a', 'globex')];
  expect(new Set(own.map((row) => row.split(' ')[0])).size).toBe(Object.keys(tableColumns).length - 3);
  const contents = world.contentsIn('a', 'acme');
  const storage = world.open();
  expect(await storage.moveAccount('acme', 'b')).toBe(true);
  expect(world.contentsIn('b', 'acme')).toEqual(contents);
  expect(world.rowsIn('a', 'acme')).toEqual([]);
  expect(world.rowsIn('b', 'acme')).toEqual(own);
  expect(world.rowsIn('a', 'globex')).toEqual(others);
  expect(await storage.cellOfAccount('acme')).toBe('b');
  expect(await storage.moveAccount('acme', 'b')).toBe(false);
  expect(await storage.moves()).toEqual([]);
});

test('moves an account on and back, and another process follows it', async () => {
  const world = await openWorld();
  const own = world.rowsIn('a', 'acme');
  const [storage, other] = [world.open(), world.open()];
  expect(await add(other, 'acme')).toBe(101n);
  for (const [at, name] of (['b', 'c', 'a', 'c', 'b'] as const).entries()) {
    await storage.moveAccount('acme', name);
    expect(world.rowsIn(name, 'acme')).toEqual(own);
    expect(await add(other, 'acme')).toBe(102n + BigInt(at));
    expect(await other.cellOfAccount('acme')).toBe(name);
  }
  const later = world.open();
  expect(
    (await later.read([{ table: 'operation', id: 'acme-operation' }])).get('operation', 'acme-operation'),
  ).toBeDefined();
  expect(await add(later, 'acme')).toBe(107n);
});

test('forgets what it saw of an account in the cell that it left when the other cell tells of it first', async () => {
  const world = await openWorld();
  const other = world.open();
  const project = { table: 'project', id: 'acme-project' } as const;
  expect((await other.read([project])).get('project', project.id)).toBeDefined();
  await world.open().moveAccount('acme', 'b');
  // What is asked of another account in the new cell tells that accounts came there.
  await storageOf(other, 'umbrella').read([project]);
  const step = other.transact([{ table: 'account', id: 'acme' }, project], (records) => ({
    writes: [],
    answer: records.get('project', project.id)?.accountId,
  }));
  expect(await step).toBe('acme');
});

test('refuses a cell that is not there by its name, and an account that is nowhere', async () => {
  const storage = (await openWorld()).open();
  await expect(storage.moveAccount('acme', 'z')).rejects.toThrow('there is no cell "z"; accepted are a, b, c');
  await expect(storage.moveAccount('acme', 'z')).rejects.toMatchObject({ code: cellUnknownCode });
  await expect(
    storage.moveAccount('nobody', storage.cells.all.length > 0 ? await otherCell(storage) : ''),
  ).rejects.toMatchObject({
    code: 'not_found',
    message: 'account nobody is in no cell',
  });
});

test('lists a move once, by the cell that the account leaves, and refuses to while a cell is away', async () => {
  const world = await openWorld();
  const seen = new Set<string>();
  const storage = world.open(async () => {
    const moves = await world.open().moves();
    expect(moves.length).toBeLessThanOrEqual(1);
    for (const { state } of moves) seen.add(state);
  });
  await storage.moveAccount('acme', 'b');
  expect([...seen].toSorted()).toEqual(['copying', 'gone', 'leaving']);
  const later = world.open(async (call) => {
    if (call === 'read c') throw new Error('connect ECONNREFUSED');
  });
  await expect(later.moves()).rejects.toMatchObject({ message: 'the cell c does not respond', cell: 'c' });
});

const otherCell = async (storage: CellsStorage): Promise<string> => {
  const own = await storage.cellOfAccount('nobody');
  return names.find((name) => name !== own) ?? own;
};

/** What another process sees of an account at each moment of a move, and what it does. */
const createWatcher = (world: World) => {
  const storage = world.open();
  let added = 0n;
  let refused = 0;
  const watch = async (): Promise<void> => {
    const { length } = (await storage.list('accounts', { of: '', limit: 100 })).filter(({ id }) => id === 'acme');
    expect(length, 'rows of the account in the list of all').toBe(1);
    const sums = await storage.sumUsage({
      rollUp: 'usageHour',
      bounds: [0, 3_600_000],
      where: {},
      groupBy: ['accountId'],
      after: null,
      limit: 10,
    });
    expect(sums.map(({ values, requests }) => [...values, requests])).toEqual([
      ['acme', 2n],
      ['globex', 2n],
    ]);
    const entries = await storageOf(storage, 'acme').list('entriesByAccount', { of: 'acme', limit: 100 });
    expect(entries, 'entries of the account').toHaveLength(3);
    const found = await storage.read([{ table: 'apiKey', id: 'acme-key' }]);
    expect(found.get('apiKey', 'acme-key'), 'a key by its id alone').toBeDefined();
    await storage.transact([{ table: 'resource', id: 'acme-operation' }], (records) => {
      const record = records.get('resource', 'acme-operation');
      if (record === undefined) throw new Error('there is no resource');
      return {
        writes: [{ kind: 'put', table: 'resource', record: { ...record, uses: record.uses + 1 } }],
        answer: null,
      };
    });
    await add(storage, 'acme');
    added += 1n;
  };
  return {
    storage,
    added: () => added,
    refused: () => refused,
    watch: async () => {
      try {
        await watch();
      } catch (cause) {
        if (!isBusy(cause)) throw cause;
        refused += 1;
      }
    },
  };
};

test('shows another process the account once at every moment of a move, and loses none of its steps', async () => {
  const world = await openWorld();
  const watcher = createWatcher(world);
  const seen = new Set<string>();
  const storage = world.open(async (call) => {
    seen.add(call);
    await watcher.watch();
  });
  await storage.moveAccount('acme', 'b');
  await watcher.watch();
  expect(watcher.added()).toBeGreaterThan(100n);
  expect(watcher.refused()).toBeGreaterThan(0);
  expect(watcher.refused()).toBeLessThan(30);
  expect(balanceIn(world, 'b', 'acme')).toBe(100n + watcher.added());
  expect(balanceIn(world, 'a', 'acme')).toBeUndefined();
  await watcher.storage.close();
  expect([...seen].toSorted()).toEqual(expect.arrayContaining(['transact a', 'transact b', 'read a', 'scan a']));
});

/** Kills the process that moves after so many of its calls, and another one goes on. */
const dieAfter = async (calls: number) => {
  const world = await openWorld();
  const own = world.rowsIn('a', 'acme');
  const life = mortal(calls);
  const outcome = await world
    .open(life.hook)
    .moveAccount('acme', 'b')
    .then(
      () => 'moved',
      (cause: unknown) => (isDead(cause) ? 'died' : String(cause)),
    );
  const survivor = world.open();
  const balances: (bigint | 'refused')[] = [];
  const step = () =>
    add(survivor, 'acme').catch((cause: unknown) => {
      if (!isBusy(cause)) throw cause;
      return 'refused' as const;
    });
  balances.push(await step());
  world.pass(11_000);
  // A fence that is over is taken away by the process that meets it.
  while (balances.at(-1) === 'refused') {
    await survivor.close();
    balances.push(await step().catch(() => 'refused' as const));
    if (balances.length > 5) break;
  }
  return { world, own, outcome, balances };
};

test('brings a move to an end whose process died, after whichever of its calls', async () => {
  const ends = new Map<string, number>();
  let calls = 1;
  for (; calls < 1_000; calls += 1) {
    const { world, own, outcome } = await dieAfter(calls);
    const survivor = world.open();
    // The next process that claims looks for what was left.
    await survivor.claim({ table: 'operation', owner: 'me', leaseMs: 1, limit: 1 });
    await survivor.close();
    const at = await world.open().cellOfAccount('acme');
    expect(world.rowsIn(at === 'a' ? 'a' : 'b', 'acme'), `after ${calls} calls`).toEqual(own);
    expect(world.rowsIn(at === 'a' ? 'b' : 'a', 'acme'), `after ${calls} calls`).toEqual([]);
    expect(await world.open().moves(), `after ${calls} calls`).toEqual([]);
    ends.set(at, (ends.get(at) ?? 0) + 1);
    if (outcome === 'moved') break;
    expect(outcome).toBe('died');
    expect(await world.open().moveAccount('acme', 'c')).toBe(true);
    expect(world.rowsIn('c', 'acme')).toEqual(own);
  }
  expect(calls).toBeGreaterThan(50);
  expect([...ends.keys()].toSorted()).toEqual(['a', 'b']);
});
