import type { AuditReport } from '@tollgate/engine';
import type { CellsStorage } from '@tollgate/storage-cells';
import { scriptedProvider } from '@tollgate/testing/fakes';
import { createGateway, type Gateway } from 'tollgate';
import { expect, onTestFinished } from 'vitest';

const deposited = 100_000_000_000n;

const tariff = {
  version: 'moves',
  models: { '*': { perMillion: { input_text_tokens: '1000', output_text_tokens: '2000' } } },
};

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** One of several processes over the same cells. */
const openProcess = async (storage: CellsStorage): Promise<Gateway> => {
  const gateway = await createGateway({ storage, provider: scriptedProvider(), tariff, logger: quiet });
  onTestFinished(() => gateway.close({ drainMs: 0 }));
  return gateway;
};

interface Account {
  readonly accountId: string;
  readonly key: string;
}

const openAccount = async ({ admin }: Gateway): Promise<Account> => {
  const { id: accountId } = await admin.createAccount({ name: 'one that moves' });
  await admin.deposit({ accountId, amountMicros: deposited, reference: 'first' });
  const project = await admin.createProject({ accountId, name: 'site' });
  const created = project && (await admin.createKey({ projectId: project.id, model: 'flash-2.5' }));
  if (created === null) throw new Error('there is no key');
  return { accountId, key: created.key };
};

const send = async (gateway: Gateway, { key }: Account, identity: string) => {
  const answer = await gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': identity },
      body: JSON.stringify({ messages: [{ role: 'user', content: `Hello ${identity}` }] }),
    }),
  );
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
};

interface Sent {
  readonly account: Account;
  readonly identity: string;
  readonly text: string;
}

/** What the clients met. */
interface Seen {
  readonly acknowledged: Sent[];
  refused: number;
  /** The longest time from a request's first refusal to its response. */
  longestMs: number;
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Sends a request until it is answered, as a client does that heeds `Retry-After`, only sooner. */
const insist = async (gateways: readonly Gateway[], account: Account, identity: string, seen: Seen): Promise<void> => {
  const begunMs = performance.now();
  for (let tries = 0; ; tries += 1) {
    const gateway = gateways[tries % gateways.length];
    if (gateway === undefined) throw new Error('there is no gateway');
    const { status, retryAfter, text } = await send(gateway, account, identity);
    if (status === 200) {
      seen.acknowledged.push({ account, identity, text });
      if (tries > 0) seen.longestMs = Math.max(seen.longestMs, performance.now() - begunMs);
      return;
    }
    expect(`${status} ${retryAfter ?? 'without'} ${text}`).toMatch(/^503 1 .*service_unavailable/u);
    seen.refused += 1;
    await pause(5);
  }
};

export interface MovedUnderLoad {
  readonly acknowledged: number;
  readonly refused: number;
  readonly longestMs: number;
  readonly movedMs: readonly number[];
  readonly audit: AuditReport;
}

export interface LoadOptions {
  readonly names: readonly string[];
  /** Opens all cells for another process. */
  readonly open: () => CellsStorage;
  readonly moves: number;
  readonly accounts: number;
  readonly clientsOfEach: number;
  /** Between the requests of a client, so that what is moved does not grow without bounds. */
  readonly pauseMs: number;
}

const openWorld = async ({ open, accounts: count }: LoadOptions) => {
  const storages = [open(), open()];
  const gateways: Gateway[] = [];
  for (const storage of storages) gateways.push(await openProcess(storage));
  const [first] = gateways;
  if (first === undefined) throw new Error('there is no gateway');
  const accounts: Account[] = [];
  while (accounts.length < count) accounts.push(await openAccount(first));
  return { gateways, first, accounts, mover: open() };
};

/** Moves accounts around between the cells one after another. */
const moveAll = async (mover: CellsStorage, accounts: readonly Account[], { names, moves }: LoadOptions) => {
  const movedMs: number[] = [];
  for (let move = 0; move < moves; move += 1) {
    const accountId = accounts[move % accounts.length]?.accountId ?? '';
    const place = names.indexOf(await mover.cellOfAccount(accountId));
    const begunMs = performance.now();
    expect(await mover.moveAccount(accountId, names[(place + 1) % names.length] ?? '')).toBe(true);
    movedMs.push(performance.now() - begunMs);
  }
  return movedMs;
};

/**
 * Moves accounts between cells while clients of two processes go on, and checks that each response that a client got is replayed and paid
 * once.
 */
export const moveUnderLoad = async (options: LoadOptions): Promise<MovedUnderLoad> => {
  const { gateways, first, accounts, mover } = await openWorld(options);
  const seen: Seen = { acknowledged: [], refused: 0, longestMs: 0 };
  const moving = new AbortController();
  const clients = accounts.flatMap((account, at) =>
    Array.from({ length: options.clientsOfEach }, async (_, client) => {
      for (let count = 0; !moving.signal.aborted; count += 1) {
        await insist(gateways, account, `${at}-${client}-${count}`, seen);
        await pause(options.pauseMs);
      }
    }),
  );
  const movedMs = await moveAll(mover, accounts, options).finally(() => moving.abort());
  await Promise.all(clients);
  for (const { account, identity, text } of seen.acknowledged) {
    const replayed = await send(first, account, identity);
    expect([replayed.status, replayed.text]).toEqual([200, text]);
  }
  const before = await first.admin.readWallet(accounts[0]?.accountId ?? '');
  await insist([first], accounts[0] ?? { accountId: '', key: '' }, 'price', { ...seen, acknowledged: [] });
  const after = await first.admin.readWallet(accounts[0]?.accountId ?? '');
  const price = (before?.balanceMicros ?? 0n) - (after?.balanceMicros ?? 0n);
  for (const [at, { accountId }] of accounts.entries()) {
    const paid = seen.acknowledged.filter(({ account }) => account.accountId === accountId).length;
    const wallet = await first.admin.readWallet(accountId);
    expect(wallet?.reservedMicros).toBe(0n);
    expect(deposited - (wallet?.balanceMicros ?? 0n)).toBe(price * BigInt(paid + (at === 0 ? 1 : 0)));
  }
  await mover.close();
  const { acknowledged, refused, longestMs } = seen;
  return { acknowledged: acknowledged.length, refused, longestMs, movedMs, audit: await first.admin.audit() };
};
