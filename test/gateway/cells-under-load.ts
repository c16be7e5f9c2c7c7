import type { AuditReport } from '@tollgate/engine';
import { cells, type OpenCell } from '@tollgate/storage-cells';
import type { Storage } from '@tollgate/storage';
import { scriptedProvider } from '@tollgate/testing/fakes';
import { createGateway, type Gateway } from 'tollgate';
import { expect, onTestFinished } from 'vitest';

/** Enough for every hold at once. */
const deposited = 100_000_000_000n;

const tariff = {
  version: 'cells',
  models: { '*': { perMillion: { input_text_tokens: '1000', output_text_tokens: '2000' } } },
};

/** A cell that can die in the middle of its work. */
export interface MortalCell {
  readonly name: string;
  readonly storage: Storage | OpenCell;
  /** Has it die soon, with steps under way. */
  readonly dieSoon: () => void;
  readonly isAlive: () => boolean;
  readonly revive: () => Promise<void> | void;
  readonly hasAccount: (accountId: string) => Promise<boolean> | boolean;
}

/** Makes the cells of a world by its clock. */
export type CreateCells = (now: () => number) => readonly MortalCell[] | Promise<readonly MortalCell[]>;

const openWorld = async (createCells: CreateCells) => {
  let nowMs = Date.UTC(2026, 0, 1);
  const now = () => nowMs;
  const all = await createCells(now);
  const gateway = await createGateway({
    storage: cells({ cells: Object.fromEntries(all.map(({ name, storage }) => [name, storage])), monotonicMs: now }),
    provider: scriptedProvider(),
    tariff,
    world: { wallClockMs: now, monotonicMs: now, sleep: () => Promise.resolve() },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });
  onTestFinished(() => gateway.close({ drainMs: 0 }));
  return {
    gateway,
    all,
    cellOf: async (accountId: string): Promise<MortalCell | undefined> => {
      for (const cell of all) if (await cell.hasAccount(accountId)) return cell;
      return undefined;
    },
    pass: (ms: number): void => {
      nowMs += ms;
    },
  };
};

type World = Awaited<ReturnType<typeof openWorld>>;

/** An account with a key, and the cell that it is in. */
const openAccount = async ({ gateway: { admin }, cellOf }: World) => {
  const { id: accountId } = await admin.createAccount({ name: 'one of many' });
  await admin.deposit({ accountId, amountMicros: deposited, reference: `first:${accountId}` });
  const project = await admin.createProject({ accountId, name: 'site' });
  const created = project && (await admin.createKey({ projectId: project.id, model: 'flash-2.5' }));
  const cell = await cellOf(accountId);
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

/** What an operator does for accounts: another project with its key. */
const administer = async ({ gateway: { admin } }: World, accounts: readonly Account[]): Promise<void> => {
  for (const { accountId } of accounts) {
    const project = await admin.createProject({ accountId, name: 'another' });
    expect(project && (await admin.createKey({ projectId: project.id, model: 'flash-2.5' }))).not.toBeNull();
  }
};

/** What one request costs. */
const priceOf = async (world: World): Promise<bigint> => {
  const account = await openAccount(world);
  expect((await send(world.gateway, account, 'price')).status).toBe(200);
  const wallet = await world.gateway.admin.readWallet(account.accountId);
  return deposited - (wallet?.balanceMicros ?? 0n);
};

/**
 * Kills each cell in turn under load: the accounts of the others see no error, those of the dead one get 503, and after its return
 * everything that was acknowledged is replayed and paid once. Returns the audit over all cells.
 */
export const killEachCell = async (createCells: CreateCells): Promise<AuditReport> => {
  const world = await openWorld(createCells);
  const accounts = await openAccounts(world);
  const price = await priceOf(world);
  const done: Sent[] = [];
  let unknown = 0;
  for (const dying of world.all) {
    dying.dieSoon();
    const sent = await load(world, accounts, dying.name);
    expect(dying.isAlive()).toBe(false);
    const ofOthers = sent.filter(({ account }) => account.cell !== dying);
    expect(new Set(ofOthers.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = sent.filter(({ status }) => status !== 200);
    // Of the steps that it committed before, at least one request was answered.
    expect(refused.length).toBeGreaterThan(8);
    // What the provider had run and its cell could not keep has an outcome that is not known (502).
    for (const { status, text } of refused)
      expect(`${status} ${text}`).toMatch(/^503 .*service_unavailable|^502 .*request_failed/u);
    expect(refused.filter(({ retryAfter }) => retryAfter === '1').length).toBeGreaterThan(4);
    await administer(
      world,
      accounts.filter(({ cell }) => cell !== dying),
    );
    // The jobs of the others go on, and a probe calls the process ready.
    await world.gateway.jobs.runDue();
    expect(await world.gateway.health()).toMatchObject({ isReady: true });
    await dying.revive();
    await settleAll(world);
    unknown += refused.filter(({ status }) => status === 502).length;
    const again = await Promise.all(refused.map(({ account, identity }) => send(world.gateway, account, identity)));
    // One whose opening was not confirmed has failed without a charge; one with an unknown outcome waits for an operator.
    for (const { status } of again) expect([200, 409]).toContain(status);
    done.push(...[...sent, ...again].filter(({ status }) => status === 200));
  }
  await settleAll(world);
  for (const { account, identity, text } of done) {
    const replayed = await send(world.gateway, account, identity);
    expect([replayed.status, replayed.text]).toEqual([200, text]);
  }
  const uncertain = await world.gateway.admin.listOperations({ kind: 'state', state: 'uncertain' });
  expect(uncertain.length).toBeLessThanOrEqual(unknown);
  for (const { accountId } of accounts) {
    const wallet = await world.gateway.admin.readWallet(accountId);
    const paid = new Set(done.filter(({ account }) => account.accountId === accountId).map(({ identity }) => identity));
    const held = uncertain.filter((operation) => operation.accountId === accountId);
    expect(wallet?.reservedMicros).toBe(held.reduce((sum, { holdMicros }) => sum + holdMicros, 0n));
    expect(deposited - (wallet?.balanceMicros ?? 0n)).toBe(price * BigInt(paid.size));
  }
  return world.gateway.admin.audit();
};
