import { cellsCrossedCode, storageBusyCode, storageOf, type Key, type Storage, type Write } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { identityKey } from './cell-identity.ts';
import { cells } from './cells.ts';
import type { CellsOptions } from './cells-options.ts';

const names = ['a', 'b', 'c', 'd'] as const;
// Placed by their ids; see `place-account.test.ts`.
const home = { acme: 'b', globex: 'd', umbrella: 'a' } as const;
type Account = keyof typeof home;
const accounts = Object.keys(home) as readonly Account[];

/** Four cells that can be switched off, and the calls that each of them got. */
const openWorld = (options: Partial<CellsOptions> = {}) => {
  let nowMs = 0;
  const off = new Set<string>();
  const calls: string[] = [];
  const disks = new Map(names.map((name) => [name, createMemoryDisk()]));
  const cellOf = (name: (typeof names)[number]): Storage => {
    const disk = disks.get(name);
    const storage = memoryStorage({ ...(disk === undefined ? {} : { disk }), now: () => 1_000 });
    const asked = <T>(call: string, ask: () => Promise<T>, keys: readonly Key[] = []): Promise<T> => {
      // That a cell is checked before it is first asked has tests of its own.
      if (!keys.some(({ id }) => id === identityKey.id)) calls.push(`${call} ${name}`);
      return off.has(name) ? Promise.reject(new Error('connect ECONNREFUSED')) : ask();
    };
    return {
      ...storage,
      transact: (keys, decide) => asked('transact', () => storage.transact(keys, decide), keys),
      read: (keys) => asked('read', () => storage.read(keys), keys),
      list: (index, query) => asked('list', () => storage.list(index, query)),
      claim: (query) => asked('claim', () => storage.claim(query)),
    };
  };
  const open = () =>
    cells({
      cells: Object.fromEntries(names.map((name) => [name, cellOf(name)])),
      monotonicMs: () => nowMs,
      ...options,
    });
  return {
    storage: open(),
    open,
    off,
    calls: () => calls.splice(0),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
};

const put = (storage: Storage, keys: readonly Key[], dueAtMs: number | null = null): Promise<void> =>
  storage.transact(keys, () => ({
    writes: keys.flatMap(({ table, id }): readonly Write[] => {
      if (table === 'pendingBlob') return [{ kind: 'put', table, record: { id, owner: null, dueAtMs } }];
      if (table === 'setting') return [{ kind: 'put', table, record: { id, value: id } }];
      if (table !== 'account') return [];
      const record = {
        id,
        name: id,
        status: 'active',
        createdAtMs: id.length,
        metadata: null,
        closedAtMs: null,
        plan: null,
        limits: null,
      } as const;
      return [{ kind: 'put', table, record }];
    }),
    answer: undefined,
  }));

const account = (id: string): Key => ({ table: 'account', id });
const blob = (id: string): Key => ({ table: 'pendingBlob', id });

/** Opens a project; false where it is there. */
const openProject = (storage: Storage, id: string, accountId: string): Promise<boolean> =>
  storage.transact([account(accountId), { table: 'project', id }], (records) => {
    const record = {
      id,
      accountId,
      name: id,
      status: 'active',
      createdAtMs: 1,
      metadata: null,
      closedAtMs: null,
      limits: null,
    } as const;
    const isThere = records.get('project', id) !== undefined;
    return { writes: isThere ? [] : [{ kind: 'put', table: 'project', record }], answer: !isThere };
  });

test('carries a step out in the cell of its account, and asks no other', async () => {
  const { storage, calls } = openWorld();
  for (const id of accounts) {
    await put(storage, [account(id), blob(`inputs/${id}`)]);
    expect(calls()).toEqual([`transact ${home[id]}`]);
  }
});

test('refuses a step with records of two cells by code, and names them', async () => {
  const { storage, calls } = openWorld();
  const step = put(storage, [account('acme'), account('globex')]);
  await expect(step).rejects.toMatchObject({ code: cellsCrossedCode });
  await expect(step).rejects.toThrow('account acme in b, account globex in d');
  expect(calls()).toEqual([]);
});

test('finds a record by its id alone in whatever cell it is, and knows it from then on', async () => {
  const world = openWorld();
  await put(world.storage, [account('acme'), blob('inputs/1')]);
  const other = world.open();
  await other.read([blob('inputs/2')]);
  world.calls();
  expect((await other.read([blob('inputs/1')])).get('pendingBlob', 'inputs/1')).toBeDefined();
  expect(world.calls().toSorted()).toEqual(['read a', 'read b', 'read b', 'read c', 'read d']);
  await put(other, [blob('inputs/1')], 5);
  expect(world.calls()).toEqual(['transact b']);
});

test('finds a record while another cell is away, and refuses as busy what may be in that one', async () => {
  const world = openWorld();
  await put(world.storage, [account('acme'), blob('inputs/1')]);
  const other = world.open();
  world.off.add('c');
  expect((await other.read([blob('inputs/1')])).get('pendingBlob', 'inputs/1')).toBeDefined();
  await expect(other.read([blob('inputs/2')])).rejects.toMatchObject({ code: storageBusyCode });
});

test('makes a new record beside one that is there while another cell is away', async () => {
  const world = openWorld();
  await openProject(world.storage, 'site', 'acme');
  const other = world.open();
  world.off.add('c');
  const key = { table: 'apiKey', id: 'key' } as const;
  const site = { table: 'project', id: 'site' } as const;
  expect((await world.open().read([site, key])).get('project', 'site')).toBeDefined();
  world.calls();
  await other.transact([site, key], () => ({ writes: [], answer: null }));
  expect(world.calls().filter((call) => call.startsWith('transact'))).toEqual(['transact b']);
});

test('leaves a cell that does not respond alone for a second, and the others go on', async () => {
  const { storage, off, calls, pass } = openWorld();
  off.add('b');
  await expect(storage.read([account('acme')])).rejects.toMatchObject({ code: storageBusyCode });
  calls();
  await expect(put(storage, [account('acme')])).rejects.toMatchObject({ code: storageBusyCode });
  await put(storage, [account('globex')]);
  // The others are asked once whether the account was moved to one of them.
  expect(calls()).toEqual(['read a', 'read c', 'read d', 'transact d']);
  await expect(put(storage, [account('acme')])).rejects.toMatchObject({ code: storageBusyCode });
  expect(calls()).toEqual([]);
  off.delete('b');
  pass(1_000);
  await put(storage, [account('acme')]);
  expect(calls()).toEqual(['transact b']);
});

test('keeps the error of a step that was sent, since it may have been carried out', async () => {
  const { storage, off } = openWorld();
  await storage.read([account('acme')]);
  off.add('b');
  await expect(put(storage, [account('acme')])).rejects.toThrow('ECONNREFUSED');
});

test('goes on asking a cell that refuses what a caller sent', async () => {
  const { storage } = openWorld();
  await expect(storage.read([account('acme'), blob('\ud800')])).rejects.toThrow('not well-formed');
  const thrown = storage.transact([account('acme')], () => {
    throw new Error('decided so');
  });
  await expect(thrown).rejects.toThrow('decided so');
  await put(storage, [account('acme')]);
});

test('shows an account its own cell only', async () => {
  const { storage } = openWorld();
  await put(storage, [account('acme'), blob('inputs/1')]);
  const view = (id: Account) => storageOf(storage, id);
  expect((await view('acme').read([blob('inputs/1')])).get('pendingBlob', 'inputs/1')).toBeDefined();
  expect((await view('globex').read([blob('inputs/1')])).get('pendingBlob', 'inputs/1')).toBeUndefined();
  await view('globex').blobs.put('inputs/2', Buffer.from('globex'));
  expect(await view('acme').blobs.get('inputs/2')).toBeUndefined();
  expect(Buffer.from((await storage.blobs.get('inputs/2')) ?? []).toString()).toBe('globex');
});

test('lists over all cells in one order, page by page, and refuses a page without one of them', async () => {
  const { storage, off } = openWorld();
  for (const id of accounts) await put(storage, [account(id)]);
  const first = await storage.list('accounts', { of: '', limit: 2 });
  expect(first.map(({ id }) => id)).toEqual(['umbrella', 'globex']);
  const after = { order: 6, id: 'globex' };
  expect((await storage.list('accounts', { of: '', limit: 2, after })).map(({ id }) => id)).toEqual(['acme']);
  off.add('c');
  await expect(storage.list('accounts', { of: '', limit: 2 })).rejects.toThrow('does not respond');
});

test('lists what lies beside one record in its cell alone, while others are away', async () => {
  const world = openWorld();
  await openProject(world.storage, 'site', 'acme');
  const { storage, off, calls } = world;
  for (const name of ['a', 'c', 'd']) off.add(name);
  calls();
  const projects = await storage.list('projectsByAccount', { of: 'acme', limit: 5 });
  expect(projects.map(({ id }) => id)).toEqual(['site']);
  expect(await storage.list('keysByProject', { of: 'site', limit: 5 })).toEqual([]);
  expect(calls()).toEqual(['list b', 'read b', 'list b', 'read b']);
});

test('claims from every cell within the limit, and a cell that is away holds up none of the others', async () => {
  const { storage, off } = openWorld();
  for (const id of accounts) await put(storage, [account(id), blob(`inputs/${id}`)], 10);
  const claim = (limit: number) => storage.claim({ table: 'pendingBlob', owner: 'me', leaseMs: 1_000, limit });
  off.add('b');
  expect(await claim(1)).toHaveLength(1);
  expect(await claim(5)).toHaveLength(1);
  off.delete('b');
  off.add('a');
  expect(await claim(5)).toEqual([]);
  for (const name of names) off.add(name);
  await expect(claim(5)).rejects.toThrow('ECONNREFUSED');
});

test('claims no more rows of several cells than were asked for, and leaves the others for the next claim', async () => {
  const { storage } = openWorld();
  for (const id of accounts) for (const at of [1, 2]) await put(storage, [account(id), blob(`inputs/${id}/${at}`)], 10);
  const claim = () => storage.claim({ table: 'pendingBlob', owner: 'me', leaseMs: 1_000, limit: 3 });
  const [first, second] = [await claim(), await claim()];
  expect([first.length, second.length]).toEqual([3, 3]);
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(6);
});

test('keeps settings in every cell, and finds them there while the first one is away', async () => {
  const world = openWorld();
  await put(world.storage, [{ table: 'setting', id: 'seal' }]);
  await world.storage.close();
  world.off.add('a');
  const other = world.open();
  expect((await other.read([{ table: 'setting', id: 'seal' }])).get('setting', 'seal')).toBeDefined();
  const kept = other.transact([{ table: 'setting', id: 'seal' }], (records) => ({
    writes: [],
    answer: records.get('setting', 'seal')?.value,
  }));
  expect(await kept).toBe('seal');
  await expect(put(other, [{ table: 'setting', id: 'seal' }])).rejects.toThrow('the cell a does not respond');
  await expect(put(other, [{ table: 'setting', id: 'other' }])).rejects.toThrow('the cell a does not respond');
});

test('takes a setting away from every cell', async () => {
  const world = openWorld();
  const key = { table: 'setting', id: 'seal' } as const;
  await put(world.storage, [key]);
  await world.storage.close();
  const other = world.open();
  await other.transact([key], () => ({ writes: [{ kind: 'delete', ...key }], answer: undefined }));
  await other.close();
  world.off.add('a');
  expect((await world.open().read([key])).get('setting', 'seal')).toBeUndefined();
});

test('has price lists in every cell, and lists them while the first one is away', async () => {
  const world = openWorld();
  const record = { id: 't1', body: { credits: 1 }, createdAtMs: 1 };
  await world.storage.transact([{ table: 'tariff', id: 't1' }], () => ({
    writes: [{ kind: 'put', table: 'tariff', record }],
    answer: undefined,
  }));
  await world.storage.close();
  world.off.add('a');
  expect(await world.open().list('tariffs', { of: '', limit: 5 })).toEqual([record]);
});

test('splits keys by cell, and leaves one alone whose cell is unknown now', async () => {
  const { storage, off } = openWorld();
  for (const id of accounts) await put(storage, [account(id), blob(`inputs/${id}`)]);
  off.add('c');
  const keys = [...accounts.map((id) => blob(`inputs/${id}`)), blob('inputs/unknown')];
  const groups = await storage.cells?.split(keys);
  const found = groups?.map((group) => group.map(({ id }) => id).join(' '));
  expect(new Set(found)).toEqual(new Set(['inputs/acme', 'inputs/globex', 'inputs/umbrella', 'inputs/unknown']));
});

test('places an exception where the host says', async () => {
  const { storage, calls } = openWorld({ accounts: { acme: 'c' } });
  await put(storage, [account('acme')]);
  expect(calls()).toEqual(['transact c']);
});

test('opens no project a second time whose id another account has in another cell', async () => {
  const world = openWorld();
  expect(await openProject(world.storage, 'site', 'acme')).toBe(true);
  expect(await openProject(world.storage, 'site', 'acme')).toBe(false);
  await expect(openProject(world.storage, 'site', 'globex')).rejects.toMatchObject({ code: cellsCrossedCode });
  await expect(
    world.open().transact([account('globex'), { table: 'project', id: 'site' }], () => ({ writes: [], answer: null })),
  ).rejects.toMatchObject({ code: cellsCrossedCode });
});

test('knows from its own steps where the records are that they made', async () => {
  const { storage, calls } = openWorld();
  await put(storage, [account('acme'), blob('inputs/1')]);
  calls();
  await put(storage, [blob('inputs/1')], 5);
  expect(calls()).toEqual(['transact b']);
});

test('gives every cell its turn where each claim has room for one row', async () => {
  const { storage } = openWorld();
  for (const id of accounts) await put(storage, [account(id), blob(`inputs/${id}/1`)], 10);
  for (const id of accounts) await put(storage, [account(id), blob(`inputs/${id}/2`)], 10);
  const claimed = new Set<string | undefined>();
  for (let claims = 0; claims < names.length; claims += 1) {
    const [row] = await storage.claim({ table: 'pendingBlob', owner: 'me', leaseMs: 1_000, limit: 1 });
    claimed.add(row?.id.split('/')[1]);
  }
  expect(claimed).toEqual(new Set(accounts));
});

test('opens a project under an id of its own while another cell is away', async () => {
  const { storage, off } = openWorld();
  off.add('c');
  await storage.transact([account('acme'), { table: 'project', id: 'made', fresh: true }], () => ({
    writes: [],
    answer: null,
  }));
  const chosen = openProject(storage, 'chosen', 'acme');
  await expect(chosen).rejects.toMatchObject({ code: storageBusyCode });
});
