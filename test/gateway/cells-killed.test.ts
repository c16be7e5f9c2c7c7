import { cells } from '@tollgate/storage-cells';
import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import type { Storage } from '@tollgate/storage';
import { scriptedProvider } from '@tollgate/testing/fakes';
import { createGateway, type Gateway } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';

const names = ['a', 'b', 'c', 'd'] as const;

const tariff = {
  version: 'cells',
  models: { '*': { perMillion: { input_text_tokens: '1000', output_text_tokens: '2000' } } },
};

const lost = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

/** A cell that dies when it has committed so many steps: the answer of the last one is lost. */
const mortal = (storage: Storage) => {
  let stepsLeft = Infinity;
  const whileAlive = <T>(ask: () => Promise<T>): Promise<T> => (stepsLeft > 0 ? ask() : lost('ECONNREFUSED'));
  const cell: Storage = {
    ...storage,
    transact: async (keys, decide) => {
      const answer = await whileAlive(() => storage.transact(keys, decide));
      if (stepsLeft <= 0) return lost('ECONNRESET');
      stepsLeft -= 1;
      return stepsLeft > 0 ? answer : lost('ECONNRESET');
    },
    read: (keys) => whileAlive(() => storage.read(keys)),
    list: (index, query) => whileAlive(() => storage.list(index, query)),
    claim: (query) => whileAlive(() => storage.claim(query)),
    sumUsage: (query) => whileAlive(() => storage.sumUsage(query)),
  };
  return {
    cell,
    dieAfter: (steps: number): void => {
      stepsLeft = steps;
    },
    revive: (): void => {
      stepsLeft = Infinity;
    },
    isAlive: () => stepsLeft > 0,
  };
};

const openWorld = async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  const now = () => nowMs;
  const all = names.map((name) => {
    const disk = createMemoryDisk();
    return { name, disk, ...mortal(memoryStorage({ disk, now })) };
  });
  const gateway = await createGateway({
    storage: cells({ cells: Object.fromEntries(all.map(({ name, cell }) => [name, cell])), monotonicMs: now }),
    provider: scriptedProvider(),
    tariff,
    world: { wallClockMs: now, monotonicMs: now, sleep: () => Promise.resolve() },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });
  onTestFinished(() => gateway.close({ drainMs: 0 }));
  return {
    gateway,
    all,
    cellOf: (accountId: string) => all.find(({ disk }) => disk.rows('account').has(accountId)),
    pass: (ms: number): void => {
      nowMs += ms;
    },
  };
};

type World = Awaited<ReturnType<typeof openWorld>>;

/** An account with a key, and the cell that it is in. */
const openAccount = async ({ gateway: { admin }, cellOf }: World) => {
  const { id: accountId } = await admin.createAccount({ name: 'one of many' });
  await admin.deposit({ accountId, amountMicros: 1_000_000_000n, reference: `first:${accountId}` });
  const project = await admin.createProject({ accountId, name: 'site' });
  const created = project && (await admin.createKey({ projectId: project.id, model: 'flash-2.5' }));
  const cell = cellOf(accountId);
  if (created === null || cell === undefined) throw new Error('the account is nowhere');
  return { accountId, key: created.key, cell };
};

type Account = Awaited<ReturnType<typeof openAccount>>;

const chat = (gateway: Gateway, { key }: Account, identity: string): Promise<Response> =>
  gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': identity },
      body: JSON.stringify({ messages: [{ role: 'user', content: `Hello ${identity}` }] }),
    }),
  );

/** Two accounts in every cell. */
const openAccounts = async (world: World): Promise<readonly Account[]> => {
  const accounts: Account[] = [];
  for (let tries = 0; tries < 400 && accounts.length < 8; tries += 1) {
    const account = await openAccount(world);
    if (accounts.filter(({ cell }) => cell === account.cell).length < 2) accounts.push(account);
  }
  expect(accounts).toHaveLength(8);
  return accounts;
};

interface Sent {
  readonly account: Account;
  readonly identity: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

const send = async (gateway: Gateway, account: Account, identity: string): Promise<Sent> => {
  const answer = await chat(gateway, account, identity);
  const retryAfter = answer.headers.get('retry-after');
  return { account, identity, status: answer.status, retryAfter, text: await answer.text() };
};

/** Every account sends requests one after another, all accounts at the same time. */
const load = async ({ gateway }: World, accounts: readonly Account[], round: string): Promise<readonly Sent[]> => {
  const clients = accounts.map(async (account, client) => {
    const sent: Sent[] = [];
    for (let count = 0; count < 8; count += 1) sent.push(await send(gateway, account, `${round}-${client}-${count}`));
    return sent;
  });
  return (await Promise.all(clients)).flat();
};

/** What is due after a death: leases end, and another turn of the jobs finds what the dead left behind. */
const settleAll = async ({ gateway, pass }: World): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) {
    pass(10 * 60_000);
    await gateway.jobs.runDue();
  }
};

/** What one request costs. */
const priceOf = async (world: World): Promise<bigint> => {
  const account = await openAccount(world);
  expect((await send(world.gateway, account, 'price')).status).toBe(200);
  const wallet = await world.gateway.admin.readWallet(account.accountId);
  return 1_000_000_000n - (wallet?.balanceMicros ?? 0n);
};

test('serves the accounts of the other cells while one is away, whichever it is, and loses nothing of its own', async () => {
  const world = await openWorld();
  const accounts = await openAccounts(world);
  const price = await priceOf(world);
  const done: Sent[] = [];
  for (const dying of world.all) {
    dying.dieAfter(9);
    const sent = await load(world, accounts, dying.name);
    expect(dying.isAlive()).toBe(false);
    const ofOthers = sent.filter(({ account }) => account.cell !== dying);
    expect(new Set(ofOthers.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = sent.filter(({ status }) => status !== 200);
    // Of the steps that it committed before, at least one request was answered.
    expect(refused.length).toBeGreaterThan(8);
    for (const { status, text } of refused)
      expect([status, text]).toEqual([503, expect.stringContaining('service_unavailable')]);
    expect(refused.filter(({ retryAfter }) => retryAfter === '1').length).toBeGreaterThan(4);
    // The jobs of the others go on, and a probe calls the process ready.
    await world.gateway.jobs.runDue();
    expect(await world.gateway.health()).toMatchObject({ isReady: true });
    dying.revive();
    await settleAll(world);
    const again = await Promise.all(refused.map(({ account, identity }) => send(world.gateway, account, identity)));
    // One whose opening was not confirmed has failed without a charge; nothing is left in between.
    for (const { status } of again) expect([200, 409]).toContain(status);
    done.push(...[...sent, ...again].filter(({ status }) => status === 200));
  }
  await settleAll(world);
  for (const { account, identity, text } of done) {
    const replayed = await send(world.gateway, account, identity);
    expect([replayed.status, replayed.text]).toEqual([200, text]);
  }
  expect(await world.gateway.admin.audit()).toMatchObject({ violations: [], busy: [] });
  for (const { accountId } of accounts) {
    const wallet = await world.gateway.admin.readWallet(accountId);
    const paid = new Set(done.filter(({ account }) => account.accountId === accountId).map(({ identity }) => identity));
    expect(wallet?.reservedMicros).toBe(0n);
    expect(1_000_000_000n - (wallet?.balanceMicros ?? 0n)).toBe(price * BigInt(paid.size));
  }
});
