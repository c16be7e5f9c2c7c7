import type { EntryRecord, OperationRecord, UsageLineRecord, WalletRecord, Write } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { batchProvider, createBatch, registerBatches } from '../../test/batch-world.ts';
import { createEngineWorld, idOf, type EngineWorld } from '../../test/engine-world.ts';
import { rollUp } from '../jobs/roll-up.ts';
import { audit } from './audit.ts';
import type { Violation } from './violation.ts';

/** Writes what no decision would: the storage takes it, and the audit must not. */
const plant = (world: EngineWorld, ...writes: readonly Write[]): Promise<void> =>
  world.storage.transact(
    writes
      .filter(({ kind }) => kind !== 'append')
      .map((write) => ({ table: write.table, id: write.kind === 'delete' ? write.id : write.record.id })),
    () => ({ writes, answer: undefined }),
  );

interface Furnished {
  readonly world: EngineWorld;
  readonly wallet: WalletRecord;
  readonly completed: OperationRecord;
  readonly failed: OperationRecord;
  readonly uncertain: OperationRecord;
}

const found = <T>(record: T | null): T => {
  if (record === null) throw new Error('no such record');
  return record;
};

/** A world with one operation in each state at rest: a balance of 95, of which 10 are held. */
const furnished = async (): Promise<Furnished> => {
  const world = await createEngineWorld();
  const { admin, accountId } = world;
  const completed = found(await admin.readOperation(idOf(await world.run())));
  const failed = found(await admin.readOperation(idOf(await world.run({ isAbandoned: () => true }))));
  const broken = await world.run({ execute: () => Promise.reject(new Error('reset')) });
  const uncertain = found(await admin.readOperation(idOf(broken)));
  return { world, wallet: found(await admin.readWallet(accountId)), completed, failed, uncertain };
};

const putWallet = (record: WalletRecord): Write => ({ kind: 'put', table: 'wallet', record });
const putOperation = (record: OperationRecord): Write => ({ kind: 'put', table: 'operation', record });

const debit = (wallet: WalletRecord, operationId: string, amountMicros: bigint): Write => {
  const seq = wallet.entrySeq + 1;
  const record: EntryRecord = {
    id: `${wallet.id}:${seq}`,
    accountId: wallet.id,
    seq,
    kind: 'debit',
    amountMicros: -amountMicros,
    operationId,
    tariffVersion: 'v1',
    reference: null,
    balanceMicros: wallet.balanceMicros - amountMicros,
    keyId: 'k1',
    model: 'model',
    walletSeq: wallet.seq + 1,
    createdAtMs: 1,
  };
  return { kind: 'append', table: 'entry', record };
};

test.each([
  ['a charge that is not what was decided', { kind: 'charge', amountMicros: '4' }, 'completed'],
  ['a charge although the hold was to be released', { kind: 'release', amountMicros: '0' }, 'completed'],
  ['a failure although a charge was decided', { kind: 'charge_measured', amountMicros: '0' }, 'failed'],
] as const)('notices %s', async (_what, change, state) => {
  const { world, completed, failed } = await furnished();
  const notes = { usage: null, parts: null, by: null, reason: null, reference: null, decidedAtMs: 1 };
  const operation = state === 'completed' ? completed : failed;
  await plant(world, putOperation({ ...operation, verdict: { ...notes, ...change } }));
  expect((await audit(world.engine)).violations.map(({ rule }) => rule)).toEqual(['charge_follows_verdict']);
});

test('finds nothing wrong where nothing is', async () => {
  const { world } = await furnished();
  expect(await audit(world.engine)).toEqual({
    accounts: 1,
    operations: 3,
    entries: 2,
    remainderPicos: 0,
    violations: [],
    busy: [],
  });
});

const corruptions: readonly {
  readonly rule: Violation['rule'];
  readonly what: string;
  readonly writes: (facts: Furnished) => readonly Write[];
}[] = [
  {
    rule: 'entries_sum_to_balance',
    what: 'a balance that no entry explains',
    writes: ({ wallet }) => [putWallet({ ...wallet, balanceMicros: wallet.balanceMicros + 1n })],
  },
  {
    rule: 'holds_sum_to_reserved',
    what: 'a hold that nobody has',
    writes: ({ wallet }) => [putWallet({ ...wallet, reservedMicros: wallet.reservedMicros + 1n })],
  },
  {
    rule: 'remainder_is_carried',
    what: 'a remainder that no operation left',
    writes: ({ wallet }) => [putWallet({ ...wallet, remainderPicos: 1 })],
  },
  {
    rule: 'entries_gap_free',
    what: 'a number that was left out',
    writes: ({ wallet }) => [putWallet({ ...wallet, entrySeq: wallet.entrySeq + 1 })],
  },
  {
    rule: 'entries_carry_balance',
    what: 'an entry with the balance of another one',
    writes: ({ wallet, completed }) => {
      const write = debit(wallet, completed.id, 1n);
      return write.kind === 'append' && write.table === 'entry'
        ? [{ ...write, record: { ...write.record, balanceMicros: 1n } }]
        : [];
    },
  },
  {
    rule: 'no_debit_on_failed',
    what: 'a failed operation that was charged',
    writes: ({ failed }) => [putOperation({ ...failed, chargedMicros: 1n })],
  },
  {
    rule: 'no_hold_on_ended',
    what: 'an ended operation that holds',
    writes: ({ completed }) => [putOperation({ ...completed, holdMicros: 1n })],
  },
  {
    rule: 'debits_match_charge',
    what: 'a charge that no debit explains',
    writes: ({ completed }) => [putOperation({ ...completed, chargedMicros: 6n })],
  },
  {
    rule: 'one_debit_without_captures',
    what: 'an operation that was debited twice',
    writes: ({ wallet, completed }) => [
      debit(wallet, completed.id, 5n),
      putWallet({ ...wallet, balanceMicros: wallet.balanceMicros - 5n, entrySeq: wallet.entrySeq + 1 }),
      putOperation({ ...completed, chargedMicros: 10n }),
    ],
  },
  {
    rule: 'pending_only_while_uncertain',
    what: 'a completed operation that waits for balance',
    writes: ({ completed }) => [putOperation({ ...completed, pendingMicros: 1n })],
  },
];

test.each(corruptions)('finds $what', async ({ rule, writes }) => {
  const facts = await furnished();
  await plant(facts.world, ...writes(facts));
  const { violations } = await audit(facts.world.engine);
  expect(violations.map((violation) => violation.rule)).toContain(rule);
  for (const { accountId } of violations) expect(accountId).toBe(facts.world.accountId);
});

const readLine = async ({ world, completed }: Furnished) => {
  const id = `operation:${completed.id}`;
  return found((await world.storage.read([{ table: 'usageLine', id }])).get('usageLine', id) ?? null);
};

test.each<readonly [string, (line: UsageLineRecord) => Write]>([
  [
    'is charged another amount',
    (line) => ({ kind: 'put', table: 'usageLine', record: { ...line, chargedMicros: 4n } }),
  ],
  [
    'is corrected by no entry',
    (line) => ({ kind: 'put', table: 'usageLine', record: { ...line, correctedMicros: 1n } }),
  ],
  [
    'is in another hour',
    (line) => ({ kind: 'put', table: 'usageLine', record: { ...line, createdAtMs: line.createdAtMs + 3_600_000 } }),
  ],
  ['is missing', ({ id }) => ({ kind: 'delete', table: 'usageLine', id })],
  ['counts no request', (line) => ({ kind: 'put', table: 'usageLine', record: { ...line, requests: 0 } })],
])('notices usage that %s', async (_what, corrupt) => {
  const facts = await furnished();
  await plant(facts.world, corrupt(await readLine(facts)));
  const { violations } = await audit(facts.world.engine);
  expect(new Set(violations.map(({ rule }) => rule))).toEqual(new Set(['usage_matches_entries']));
});

const rowOf = (line: UsageLineRecord, table: 'usageHour' | 'usageDay'): Write => {
  const { accountId, projectId, keyId, model, provider, createdAtMs } = line;
  const { requests, chargedMicros, correctedMicros, units } = line;
  const startMs = Math.floor(createdAtMs / 86_400_000) * 86_400_000;
  const day = { id: 'planted', accountId, model, requests, chargedMicros, correctedMicros, units, startMs };
  return table === 'usageDay'
    ? { kind: 'put', table, record: day }
    : { kind: 'put', table, record: { ...day, projectId, keyId, provider } };
};

test.each(['usageHour', 'usageDay'] as const)('notices a row of %s that no entry explains', async (table) => {
  const facts = await furnished();
  const line = await readLine(facts);
  await rollUp(facts.world.engine);
  expect(await audit(facts.world.engine)).toMatchObject({ violations: [] });
  await plant(facts.world, rowOf(line, table));
  expect((await audit(facts.world.engine)).violations).toContainEqual(
    expect.objectContaining({ rule: 'usage_matches_entries', accountId: facts.world.accountId }),
  );
});

test('finds more reserved than there is, where a storage let that through', async () => {
  const { world, wallet } = await furnished();
  const broken: WalletRecord = { ...wallet, reservedMicros: wallet.balanceMicros + 1n };
  const storage: typeof world.storage = {
    ...world.storage,
    read: async (keys) => {
      const records = await world.storage.read(keys);
      // Only the wallet is asked for by the audit, and this is one.
      return { get: (table, id) => (table === 'wallet' ? (broken as never) : records.get(table, id)) };
    },
  };
  const { violations } = await audit({ ...world.engine, storage });
  expect(violations.map(({ rule }) => rule)).toContain('reserved_within_balance');
});

test('gives no false alarm on a wallet that keeps changing while it is read', async () => {
  const { world, accountId } = await furnished().then(({ world: own }) => ({ world: own, accountId: own.accountId }));
  let deposits = 0;
  const storage: typeof world.storage = {
    ...world.storage,
    list: async (index, query) => {
      deposits += 1;
      await world.admin.deposit({ accountId, amountMicros: 1n, reference: `while reading ${deposits}` });
      return world.storage.list(index, query);
    },
  };
  expect(await audit({ ...world.engine, storage })).toMatchObject({ violations: [], busy: [accountId] });
});

test('audits an account that comes to rest at the fifth look', async () => {
  const { world } = await furnished();
  const { accountId } = world;
  let looks = 0;
  const storage: typeof world.storage = {
    ...world.storage,
    read: async (keys) => {
      const records = await world.storage.read(keys);
      if (keys[0]?.table !== 'wallet') return records;
      looks += 1;
      // Between the two looks at the wallet, four times.
      if (looks % 2 === 1 && looks < 8)
        await world.admin.deposit({ accountId, amountMicros: 1n, reference: `look ${looks}` });
      return records;
    },
  };
  expect(await audit({ ...world.engine, storage })).toMatchObject({ violations: [], busy: [] });
  expect(looks).toBe(10);
});

test('reads accounts, operations and entries beyond one page', async () => {
  const world = await createEngineWorld(10_000n);
  for (let ran = 0; ran < 120; ran += 1) await world.run();
  for (let opened = 0; opened < 105; opened += 1) await world.admin.createAccount({ name: `${opened}` });
  expect(await audit(world.engine)).toEqual({
    accounts: 106,
    operations: 120,
    remainderPicos: 0,
    entries: 121,
    violations: [],
    busy: [],
  });
});

test('notices a batch under way that is not counted, and a count without a batch', async () => {
  const world = await createEngineWorld();
  registerBatches(world.engine, batchProvider().provider);
  await createBatch(world, ['a']);
  const { projectId } = world;
  const count = (batchesUnderWay: number, revision: number): Promise<void> =>
    plant(world, {
      kind: 'put',
      table: 'projectUsage',
      record: { id: projectId, used: { batchesUnderWay }, overrides: null, revision },
    });
  const details = async () => (await audit(world.engine)).violations.map(({ rule, detail }) => [rule, detail]);
  expect(await details()).toEqual([]);
  await count(0, 8);
  expect(await details()).toEqual([['usage_matches_rows', `${projectId}: batchesUnderWay counted -1 too many`]]);
  await count(3, 9);
  expect(await details()).toEqual([['usage_matches_rows', `${projectId}: batchesUnderWay counted 2 too many`]]);
});

test('a charge may be above its verdict by what was captured before, and by nothing else', async () => {
  const { world, completed } = await furnished();
  const notes = { usage: null, parts: null, by: null, reason: null, reference: null, decidedAtMs: 1 };
  const verdict = { ...notes, kind: 'charge', amountMicros: String(completed.chargedMicros - 2n) } as const;
  const rules = async (captures: number) => {
    await plant(world, putOperation({ ...completed, captures, verdict }));
    return (await audit(world.engine)).violations.map(({ rule }) => rule);
  };
  expect(await rules(0)).toContain('charge_follows_verdict');
  expect(await rules(1)).not.toContain('charge_follows_verdict');
});
