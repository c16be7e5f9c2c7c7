import { UnknownOutcome } from '@tollgate/provider';
import type { CreditLedger } from '@tollgate/storage';
import { createMemoryLedger } from '@tollgate/testing/fakes';
import { describe, expect, test } from 'vitest';
import { batchProvider, createBatch, doWork, failing, findBatch, registerBatches } from '../../test/batch-world.ts';
import { createEngineWorld, holdMicros, idOf, type EngineWorld } from '../../test/engine-world.ts';
import { resolveOperation } from './resolve.ts';
import { publishTariffs } from './tariffs.ts';
import { parseTariff } from '../ledger/tariff.ts';

const createUncertain = async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run({ identity: 'once', execute: () => Promise.reject(new Error('reset')) }));
  return { world, id };
};

test('settles with the amount that was found out [requests:move:uncertain-resolved]', async () => {
  const { world, id } = await createUncertain();
  expect(await world.admin.resolveOperation(id, { executed: true, amountMicros: 6n })).toMatchObject({
    kind: 'resolved',
    operation: { state: 'completed', chargedMicros: 6n, holdMicros: 0n },
  });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 94n, reservedMicros: 0n });
});

test('fails what was not executed, and frees its hold [requests:move:uncertain-resolved]', async () => {
  const { world, id } = await createUncertain();
  expect(await world.admin.resolveOperation(id, { executed: false })).toMatchObject({
    kind: 'resolved',
    operation: { state: 'failed', chargedMicros: 0n },
  });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n });
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'previous_request_failed' });
});

test('needs an amount where none was measured', async () => {
  const { world, id } = await createUncertain();
  expect(await world.admin.resolveOperation(id, { executed: true })).toEqual({ kind: 'amount_needed' });
  await expect(world.admin.resolveOperation(id, { executed: true, amountMicros: -1n })).rejects.toThrow(RangeError);
});

test('takes the measure that waits for balance, and goes on waiting where it is still short', async () => {
  const world = await createEngineWorld(holdMicros);
  const id = idOf(await world.run({ execute: async () => 15 }));
  expect(await world.admin.resolveOperation(id, { executed: true })).toMatchObject({ kind: 'pending' });
  expect(await world.admin.resolveOperation(id, { executed: true, amountMicros: 9n })).toMatchObject({
    kind: 'resolved',
    operation: { chargedMicros: 9n },
  });
});

test('decides once: a second verdict changes nothing', async () => {
  const { world, id } = await createUncertain();
  await world.admin.resolveOperation(id, { executed: true, amountMicros: 6n });
  expect(await world.admin.resolveOperation(id, { executed: false })).toMatchObject({
    kind: 'decided_otherwise',
    operation: { state: 'completed' },
  });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 94n });
});

test('has one winner between two verdicts in one instant', async () => {
  const { world, id } = await createUncertain();
  const answers = await Promise.all([
    world.admin.resolveOperation(id, { executed: true, amountMicros: 6n }),
    world.admin.resolveOperation(id, { executed: false }),
  ]);
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['decided_otherwise', 'resolved']);
  expect((await world.admin.audit()).violations).toEqual([]);
});

test('leaves what is not uncertain as it is', async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run());
  expect(await world.admin.resolveOperation(id, { executed: false })).toMatchObject({ kind: 'not_uncertain' });
  expect(await world.admin.resolveOperation('nobody', { executed: false })).toEqual({ kind: 'missing' });
});

const input = (quantity: number) => [{ unit: 'input_text_tokens', quantity }] as const;

/** Its answer was lost after the upstream had said what went in. */
const createLost = async (world: EngineWorld, tokens = 4): Promise<string> => {
  const usage = input(tokens).map((meter) => ({ ...meter, confirmed: false }));
  const execute = (): Promise<never> => Promise.reject(new UnknownOutcome('connection_lost', undefined, usage));
  return idOf(
    await world.run({
      execute: (context) => {
        context.recordAttempt({ startedAtMs: 1, durationMs: 1, status: 200, outcome: 'unknown', upstreamId: 'req_1' });
        return execute();
      },
    }),
  );
};

const note = { by: 'ada', reason: 'the bill of November', reference: 'bill-11' };

test('charges by the usage that a bill names, and puts on record who decided it, why and by what', async () => {
  const world = await createEngineWorld();
  const id = await createLost(world);
  const answer = await world.admin.resolveOperation(id, { executed: true, usage: input(7) }, note);
  expect(answer).toMatchObject({
    kind: 'resolved',
    repeated: false,
    operation: {
      state: 'completed',
      chargedMicros: 7n,
      usage: input(7),
      verdict: { kind: 'charge_measured', amountMicros: '7', usage: input(7), parts: null, ...note },
    },
  });
  expect((await world.admin.readStatement(world.accountId))[0]).toMatchObject({
    amountMicros: -7n,
    operationId: id,
    reference: 'bill-11',
  });
  expect((await world.admin.audit()).violations).toEqual([]);
});

test('charges by what was used at the least, and needs to know it', async () => {
  const world = await createEngineWorld();
  const known = await createLost(world);
  expect(await world.admin.resolveOperation(known, { executed: true, usage: 'at_least' })).toMatchObject({
    kind: 'resolved',
    operation: { chargedMicros: 4n },
  });
  const unknown = idOf(await world.run({ execute: () => Promise.reject(new Error('reset')) }));
  expect(await world.admin.resolveOperation(unknown, { executed: true, usage: 'at_least' })).toEqual({
    kind: 'usage_needed',
  });
});

test('prices by the price list under which the credits were held, and not by the one of today', async () => {
  const world = await createEngineWorld();
  await publishTariffs(world.engine);
  const id = await createLost(world);
  const priceRise = { version: 'v2', models: { model: { perMillion: { input_text_tokens: '5' } } } };
  const today = world.another({ tariff: parseTariff(priceRise) });
  expect(await resolveOperation(today, id, { executed: true, usage: input(7) })).toMatchObject({
    operation: { chargedMicros: 7n, tariffVersion: 'v1' },
  });
});

test('charges nothing where the price is not known: of a unit, or of a price list that was never published', async () => {
  const world = await createEngineWorld();
  const id = await createLost(world);
  const usage = [{ unit: 'images', quantity: 1 }];
  expect(await world.admin.resolveOperation(id, { executed: true, usage })).toEqual({ kind: 'price_missing' });
  const stranger = world.another({ tariff: parseTariff({ version: 'v2', models: {} }) });
  expect(await resolveOperation(stranger, id, { executed: true, usage: input(1) })).toEqual({ kind: 'price_missing' });
  expect(await world.admin.readOperation(id)).toMatchObject({ state: 'uncertain', holdMicros, verdict: null });
});

test('takes what exceeds the hold from free balance, as of any measure, and waits where that is short', async () => {
  const world = await createEngineWorld(holdMicros);
  const id = await createLost(world);
  const verdict = { executed: true, usage: input(12) } as const;
  expect(await world.admin.resolveOperation(id, verdict, note)).toMatchObject({
    kind: 'pending',
    operation: { state: 'uncertain', pendingMicros: 12n, usage: null, verdict: { kind: 'charge_measured' } },
  });
  await world.admin.deposit({ accountId: world.accountId, amountMicros: 5n, reference: 'more' });
  expect(await world.admin.readOperation(id)).toMatchObject({
    state: 'completed',
    chargedMicros: 12n,
    usage: input(12),
    verdict: note,
  });
  expect((await world.admin.readStatement(world.accountId))[0]).toMatchObject({ reference: 'bill-11' });
  expect(await world.admin.resolveOperation(id, verdict)).toMatchObject({ kind: 'resolved', repeated: true });
});

test.each([
  ['a release', { executed: false }],
  ['an amount', { executed: true, amountMicros: 6n }],
  ['a usage', { executed: true, usage: input(6) }],
  ['what was used at the least', { executed: true, usage: 'at_least' }],
  ['parts', { executed: true, parts: [{ part: '1', executed: true, usage: input(6) }] }],
] as const)('does nothing for the same verdict again, and refuses another: %s', async (_what, verdict) => {
  const world = await createEngineWorld();
  const id = await createLost(world);
  const first = await world.admin.resolveOperation(id, verdict, note);
  const statement = await world.admin.readStatement(world.accountId);
  expect(await world.admin.resolveOperation(id, verdict, { by: 'another' })).toEqual({
    kind: 'resolved',
    repeated: true,
    operation: 'operation' in first ? first.operation : null,
  });
  expect(await world.admin.resolveOperation(id, { executed: true, amountMicros: 5n })).toMatchObject({
    kind: 'decided_otherwise',
  });
  expect(await world.admin.readStatement(world.accountId)).toEqual(statement);
  expect((await world.admin.audit()).violations).toEqual([]);
});

test('has one winner between a measured charge and another at once, and an equal one agrees', async () => {
  const world = await createEngineWorld();
  const id = await createLost(world);
  const answers = await Promise.all([
    world.admin.resolveOperation(id, { executed: true, usage: input(6) }),
    world.admin.resolveOperation(id, { executed: true, usage: input(6) }),
    world.admin.resolveOperation(id, { executed: true, usage: 'at_least' }),
  ]);
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['decided_otherwise', 'resolved', 'resolved']);
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 94n, reservedMicros: 0n });
  expect(await world.storage.list('anomalies', { of: '', limit: 10 })).toEqual([]);
});

test('charges a batch by its parts: what is known of some, and what was found out of the others', async () => {
  const world = await createEngineWorld();
  const { provider } = batchProvider((key) =>
    key === 'b' || key === 'd' ? Promise.reject(new Error(`${key} is lost`)) : Promise.resolve(3),
  );
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b', 'c', 'd']);
  await doWork(world.engine);
  expect((await world.admin.listParts(id))?.map(({ part, state }) => [part, state])).toEqual([
    ['a', 'known'],
    ['b', 'unknown'],
    ['c', 'known'],
    ['d', 'unknown'],
  ]);
  const b = { part: 'b', executed: true, usage: input(4) } as const;
  expect(
    await world.admin.resolveOperation(id, { executed: true, parts: [b, b, { part: 'a', executed: false }] }),
  ).toEqual({ kind: 'parts_refused', missing: ['d'], repeated: ['b'], notUnknown: ['a'] });
  const parts = [{ part: 'd', executed: false } as const, b];
  expect(await world.admin.resolveOperation(id, { executed: true, parts })).toMatchObject({
    kind: 'resolved',
    operation: { chargedMicros: 10n, usage: input(10), verdict: { kind: 'charge_parts', amountMicros: '10' } },
  });
  expect(await world.admin.resolveOperation(id, { executed: true, parts: parts.toReversed() })).toMatchObject({
    kind: 'resolved',
    repeated: true,
  });
  expect((await findBatch(world, id)).operation.state).toBe('completed');
  expect((await world.admin.audit()).violations).toEqual([]);
});

const partsOf = (a: number, b: number) => [
  { part: 'a', executed: true, usage: input(a) } as const,
  { part: 'b', executed: true, usage: input(b) } as const,
];

describe('a batch at a list with prices of long input', () => {
  /** Input costs twice as much in a request of more than 10 tokens; a fee for the whole. */
  const tiered = parseTariff({
    version: 'tiered',
    models: {
      '*': {
        perMillion: { input_text_tokens: '1' },
        tiers: [{ above: 10, perMillion: { input_text_tokens: '2' } }],
        requestFee: '0.000003',
        holdMinimum: '0.00005',
      },
    },
  });

  /** A batch whose items a and b are lost, c and d used 8 tokens each, and e certainly did not run. */
  const lostBatch = async (known = 8) => {
    const world = await createEngineWorld(1_000n, { tariff: tiered });
    const { provider } = batchProvider((key) => {
      if (key === 'e') return failing('invalid_request');
      return key === 'a' || key === 'b' ? Promise.reject(new Error('lost')) : Promise.resolve(known);
    });
    registerBatches(world.engine, provider);
    const id = await createBatch(world, ['a', 'b', 'c', 'd', 'e']);
    await doWork(world.engine);
    const resolve = async (verdict: Parameters<typeof world.admin.resolveOperation>[1]) => {
      const answer = await world.admin.resolveOperation(id, verdict);
      expect((await world.admin.audit()).violations).toEqual([]);
      return answer.kind === 'resolved' ? answer.operation.chargedMicros : answer.kind;
    };
    return { world, id, resolve };
  };

  test('charges each part that is named by its own length, and what is known by its own', async () => {
    const short = await lostBatch();
    expect(await short.resolve({ executed: true, parts: partsOf(4, 10) })).toBe(4n + 10n + 8n + 8n + 3n);
    const long = await lostBatch(11);
    expect(await long.resolve({ executed: true, parts: partsOf(4, 12) })).toBe(4n + 24n + 22n + 22n + 3n);
  });

  test('charges a sum by the mean length of the items that may have run', async () => {
    const short = await lostBatch();
    expect(await short.resolve({ executed: true, usage: input(43) })).toBe(46n);
    const long = await lostBatch();
    expect(await long.resolve({ executed: true, usage: input(44) })).toBe(91n);
  });

  test('charges what is known of the items by itself where nothing more is said', async () => {
    const { resolve } = await lostBatch();
    expect(await resolve({ executed: true })).toBe(19n);
  });

  test('is priced again by another list as the verdict priced it', async () => {
    const { world, resolve } = await lostBatch();
    await resolve({ executed: true, usage: input(43) });
    const query = { tariff: tiered.input, fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
    expect((await world.admin.priceUsage(query)).items).toMatchObject([
      { chargedMicros: 46n, pricedMicros: 46n, unpriced: [] },
    ]);
  });
});

test('adds the amount of one part to the usage of another', async () => {
  const world = await createEngineWorld();
  const { provider } = batchProvider(() => Promise.reject(new Error('lost')));
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b']);
  await doWork(world.engine);
  const parts = [
    { part: 'a', executed: true, usage: input(4) },
    { part: 'b', executed: true, amountMicros: 5n },
  ] as const;
  expect(await world.admin.resolveOperation(id, { executed: true, parts })).toMatchObject({
    operation: { chargedMicros: 9n },
  });
});

test('decides through the ledger of a host as it does on its own wallet', async () => {
  const ledger = createMemoryLedger();
  const settled: bigint[] = [];
  const hostLedger: CreditLedger = {
    ...ledger,
    settle: (command) => {
      settled.push(command.amountMicros);
      return ledger.settle(command);
    },
  };
  const world = await createEngineWorld(0n, { ledger: hostLedger });
  ledger.deposit(world.accountId, 100n);
  const measured = await createLost(world);
  const verdict = { executed: true, usage: input(7) } as const;
  expect(await world.admin.resolveOperation(measured, verdict, note)).toMatchObject({
    kind: 'resolved',
    repeated: false,
    operation: { state: 'completed', chargedMicros: 7n, usage: input(7), verdict: note },
  });
  expect(await world.admin.resolveOperation(measured, verdict)).toMatchObject({ kind: 'resolved', repeated: true });
  const freed = await createLost(world);
  expect(await world.admin.resolveOperation(freed, { executed: false }, note)).toMatchObject({
    operation: { state: 'failed', verdict: { kind: 'release', ...note } },
  });
  expect(await world.admin.resolveOperation(freed, verdict)).toMatchObject({ kind: 'decided_otherwise' });
  expect(settled).toEqual([7n]);
});

test('pays what waited for balance by the word of an operator, through the ledger of a host', async () => {
  const ledger = createMemoryLedger();
  const world = await createEngineWorld(0n, { ledger });
  ledger.deposit(world.accountId, holdMicros);
  const id = idOf(await world.run({ execute: async () => 15 }));
  ledger.deposit(world.accountId, 10n);
  expect(await world.admin.resolveOperation(id, { executed: true }, note)).toMatchObject({
    kind: 'resolved',
    operation: { chargedMicros: 15n, verdict: { kind: 'charge', amountMicros: '15', ...note } },
  });
});

test('lets a measure of its own that comes late take the place of a verdict that waits', async () => {
  const world = await createEngineWorld(holdMicros);
  const { promise, resolve } = Promise.withResolvers<number>();
  const running = world.run({ execute: () => promise });
  await Promise.resolve();
  const [operation] = await untilStarted(world);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await world.admin.sweep();
  const id = operation?.id ?? '';
  expect(await world.admin.resolveOperation(id, { executed: true, amountMicros: 50n }, note)).toMatchObject({
    kind: 'pending',
  });
  resolve(5);
  await running;
  expect(await world.admin.readOperation(id)).toMatchObject({ state: 'completed', chargedMicros: 5n, verdict: null });
});

/** Operations that run, once there are any. */
const untilStarted = async (world: EngineWorld) => {
  for (let look = 0; look < 100; look += 1) {
    const found = await world.admin.listOperations({ kind: 'state', state: 'processing' });
    if (found.length > 0) return found;
  }
  throw new Error('nothing runs');
};

test.each([
  ['an amount below zero', { executed: true, amountMicros: -1n }, 'amountMicros'],
  ['no usage at all', { executed: true, usage: [] }, 'usage is empty'],
  ['a unit that there is not', { executed: true, usage: [{ unit: 'wishes', quantity: 1 }] }, 'the unit wishes'],
  ['a part of a token', { executed: true, usage: [{ unit: 'images', quantity: 0.5 }] }, '0.5 images'],
  [
    'an amount of a part',
    { executed: true, parts: [{ part: '1', executed: true, amountMicros: -1n }] },
    'parts[0].amount',
  ],
] as const)('takes no verdict with %s', async (_what, verdict, message) => {
  const world = await createEngineWorld();
  const id = await createLost(world);
  await expect(world.admin.resolveOperation(id, verdict)).rejects.toThrow(message);
  expect(await world.admin.readOperation(id)).toMatchObject({ state: 'uncertain' });
});

test.each([
  ['by', 201],
  ['reason', 1_001],
  ['reference', 0],
])('takes no note whose %s has %i characters', async (field, chars) => {
  const world = await createEngineWorld();
  const id = await createLost(world);
  const broken = world.admin.resolveOperation(id, { executed: false }, { [field]: 'x'.repeat(chars) });
  await expect(broken).rejects.toThrow(`${field} has ${chars} characters`);
});
