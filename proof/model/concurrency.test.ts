import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { postgresStorage } from '@tollgate/storage-postgres';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { checkHistory } from '@tollgate/testing/storage';
import { afterAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../test/postgres-server.ts';
import { firstWrites } from './access-step.ts';
import type { Slot } from './slot.ts';
import { historySeed, seededRandom, type Random } from './random.ts';
import { fraction } from './random-money.ts';
import { createRecorder } from './recorded-storage.ts';
import { runScale } from './run-scale.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-concurrency-'));
let database: TestDatabase | undefined;
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database?.drop();
});

const clientsPerRound = 64;
const runSeed = Math.floor(Date.now() / 86_400_000);

type Recorder = ReturnType<typeof createRecorder>;

/** A client sends one command after another, while the others do the same: together about 200 on one wallet. */
const runClient = async (recorder: Recorder, prefix: string, client: number, random: Random): Promise<void> => {
  const place = random.int(2) + 1;
  // One client in four comes with the identity of another, one in eight of those with another body.
  const slot: Slot = {
    operationId: `${prefix}o${client}`,
    projectId: `${prefix}p${place}`,
    keyId: `${prefix}k${place}`,
    accountId: `${prefix}a1`,
    identity: random.int(4) === 0 ? 'shared' : `i${client}`,
  };
  const send = (body: Parameters<Recorder['send']>[0]) => recorder.send(body, random.int(2));
  const anomalyId = `${prefix}x${client}`;
  if (random.int(3) === 0) {
    const reference = `d${random.int(20)}`;
    await send({ kind: 'deposit', accountId: slot.accountId, amount: 1 + random.int(40), reference });
  }
  const fingerprint = random.int(8) === 0 ? 'g' : 'f';
  const opening = {
    kind: 'open',
    slot,
    fingerprint,
    hold: random.int(60),
    refused: false,
    owner: slot.operationId,
  } as const;
  const opened = await send(opening);
  if (opened.kind !== 'started') return;
  if (random.int(2) === 0) await send({ kind: 'extend', slot, hold: random.int(90) });
  if (random.int(3) === 0) await send({ kind: 'capture', slot, sequence: 1, amount: 1 + random.int(20) });
  const settlement = {
    kind: 'settle',
    slot,
    measured: random.int(80),
    fraction: fraction(random),
    answered: true,
    overrun: random.int(4) === 0 ? 'absorb' : 'pending',
    anomalyId,
  } as const;
  // The truth and a failure race each other, and either may come twice.
  const endings = [settlement, settlement, { kind: 'fail', slot, anomalyId: `${anomalyId}f` } as const];
  await Promise.all(endings.slice(random.int(3)).map(send));
  if (random.int(3) === 0)
    await send({ kind: 'compensate', accountId: slot.accountId, amount: -random.int(30) - 1, reference: `c${client}` });
};

const runRound = async (doors: readonly Storage[], round: number): Promise<string | null> => {
  const prefix = `${round}-`;
  const accountId = `${prefix}a1`;
  const seed = historySeed(runSeed, round);
  const random = seededRandom(seed);
  const writes = firstWrites(prefix);
  const keys = writes.flatMap((write) => (write.kind === 'put' ? [{ table: write.table, id: write.record.id }] : []));
  await doors[0]?.transact(keys, () => ({ writes, answer: null }));
  const recorder = createRecorder(doors);
  const refused: unknown[] = [];
  await recorder.send({ kind: 'deposit', accountId, amount: 400, reference: 'first' }, 0);
  const seeds = Array.from({ length: clientsPerRound }, (_, client) =>
    seededRandom(historySeed(random.int(2 ** 31), client)),
  );
  const clients = seeds.map((own, client) => runClient(recorder, prefix, client, own));
  for (const client of await Promise.allSettled(clients)) if (client.status === 'rejected') refused.push(client.reason);
  const wallet = (await doors[0]?.read([{ table: 'wallet', id: accountId }]))?.get('wallet', accountId);
  const { violations, calls } = checkHistory(
    recorder.calls,
    new Map(wallet === undefined ? [] : [[accountId, wallet]]),
  );
  const wrong = [...violations.slice(0, 3).map(({ rule, detail }) => `${rule}: ${detail}`), ...refused.map(String)];
  if (wrong.length === 0 && calls < 2 * clientsPerRound) return `only ${calls} calls were recorded`;
  return wrong.length === 0 ? null : `round ${seed}: ${wrong.join('; ')}`;
};

interface World {
  readonly name: string;
  readonly rounds: number;
  readonly open: () => readonly Storage[] | Promise<readonly Storage[]>;
}

const worlds: readonly World[] = [
  {
    name: 'two memoryStorages on one disk',
    rounds: Math.round(200 * runScale),
    open: () => {
      const disk = createMemoryDisk();
      return [memoryStorage({ disk }), memoryStorage({ disk })];
    },
  },
  {
    name: 'sqliteStorage in memory',
    rounds: Math.round(200 * runScale),
    open: () => [sqliteStorage({ path: ':memory:' })],
  },
  {
    name: 'two sqliteStorages on one file',
    rounds: Math.round(100 * runScale),
    open: () => [1, 2].map(() => sqliteStorage({ path: join(folder, 'shared.db'), synchronous: 'normal' })),
  },
  {
    name: 'two postgresStorages on one database',
    rounds: Math.round(100 * runScale),
    open: async () => {
      const { url } = (database = await testDatabase());
      return Promise.all([1, 2].map(() => postgresStorage({ connectionString: url })));
    },
  },
];

test.each(worlds)(
  'answers $rounds rounds of concurrent commands on one wallet of $name as if they came one by one [ledger:concurrency:no-overdraft] [idempotency:concurrency:one-execution]',
  async ({ name, rounds, open }) => {
    const doors = await open();
    const started = performance.now();
    let wrong: string | null = null;
    for (let round = 0; round < rounds && wrong === null; round += 1) wrong = await runRound(doors, round);
    await Promise.all(doors.map((door) => door.close()));
    console.log(`${name}: ${rounds} rounds in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    expect(wrong).toBeNull();
  },
);

/** A storage that looks, thinks, and then writes what it thought: the shape of most published overdrafts. */
const hastyStorage = (inner: Storage): Storage => ({
  ...inner,
  transact: async (keys, decide) => {
    const records = await inner.read(keys);
    const { writes, answer } = decide(records, 1);
    return inner.transact(keys, () => ({ writes, answer }));
  },
});

test('tells of a storage that checks first and writes later', async () => {
  const hasty = hastyStorage(memoryStorage());
  const wrong: (string | null)[] = [];
  for (let round = 0; round < 5; round += 1) wrong.push(await runRound([hasty], round));
  await hasty.close();
  expect(wrong.join(' ')).toMatch(/change_made_twice|change_unexplained|answer_not_justified/);
});
