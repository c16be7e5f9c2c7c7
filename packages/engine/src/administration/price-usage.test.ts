import type { OperationRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { operationRecord } from '../../test/decision-world.ts';
import { createEngineWorld, type EngineWorld } from '../../test/engine-world.ts';
import type { TariffInput } from '../ledger/tariff-input.ts';
import type { PricedUsageRow, PriceUsageQuery } from './price-usage.ts';

const fromMs = 1_000_000;
const untilMs = 2_000_000;

/** A token costs two micro-credits, and one of the plan one. */
const list: TariffInput = {
  version: 'next',
  models: { model: { perMillion: { input_text_tokens: '2' } } },
  plans: { half: { factor: '0.5' } },
};

const put = (world: EngineWorld, records: readonly Partial<OperationRecord>[]): Promise<unknown> => {
  const operations = records.map((change, at) =>
    operationRecord({
      id: `operation-${String(at).padStart(5, '0')}`,
      accountId: world.accountId,
      model: 'model',
      state: 'completed',
      usage: [{ unit: 'input_text_tokens', quantity: 5 }],
      chargedMicros: 5n,
      createdAtMs: fromMs,
      ...change,
    }),
  );
  return world.storage.transact(
    operations.map(({ id }) => ({ table: 'operation', id })),
    () => ({
      writes: operations.map((record) => ({ kind: 'put', table: 'operation', record })),
      answer: undefined,
    }),
  );
};

/** The rows of all pages, and how many pages there were. */
const priced = async (world: EngineWorld, change: Partial<PriceUsageQuery> = {}) => {
  const rows: PricedUsageRow[] = [];
  let pages = 0;
  let after: PriceUsageQuery['after'];
  do {
    const page = await world.admin.priceUsage({ tariff: list, fromMs, untilMs, after, ...change });
    rows.push(...page.items);
    pages += 1;
    after = page.next ?? undefined;
  } while (after !== undefined);
  return { rows, pages };
};

test('prices what was opened in the time and completed, by model and plan, beside what it was charged', async () => {
  const world = await createEngineWorld();
  await put(world, [
    {},
    { plan: 'half' },
    { plan: 'gone' },
    { createdAtMs: fromMs - 1 },
    { createdAtMs: untilMs - 1, chargedMicros: 7n },
    { createdAtMs: untilMs },
    { state: 'failed', chargedMicros: 0n },
    { state: 'uncertain', endedAtMs: null },
  ]);
  const { rows } = await priced(world);
  const row = { accountId: world.accountId, model: 'model', unpriced: [] };
  expect(rows.toSorted((one, other) => String(one.plan).localeCompare(String(other.plan)))).toEqual([
    { ...row, plan: 'gone', requests: 1, chargedMicros: 5n, pricedMicros: 10n },
    { ...row, plan: 'half', requests: 1, chargedMicros: 5n, pricedMicros: 5n },
    { ...row, plan: null, requests: 2, chargedMicros: 12n, pricedMicros: 20n },
  ]);
});

test('names what has no price by the list, and leaves it out of both amounts', async () => {
  const world = await createEngineWorld();
  const verdict = {
    kind: 'charge',
    amountMicros: '9',
    usage: null,
    parts: null,
    by: null,
    reason: null,
    reference: null,
    decidedAtMs: 1,
  } as const;
  await put(world, [
    {},
    { usage: [{ unit: 'output_text_tokens', quantity: 1 }] },
    { usage: [{ unit: 'unit_of_another_version', quantity: 1 }] },
    { usage: null },
    { kind: 'batch' },
    { verdict, chargedMicros: 9n },
    { verdict: { ...verdict, kind: 'charge_measured' }, chargedMicros: 3n },
    { model: 'other' },
  ]);
  const { rows } = await priced(world);
  const { pricedMicros, chargedMicros, unpriced } = rows.find(({ model }) => model === 'model') ?? {};
  expect({ pricedMicros, chargedMicros }).toEqual({ pricedMicros: 20n, chargedMicros: 8n });
  expect(unpriced?.toSorted((one, other) => one.reason.localeCompare(other.reason))).toEqual([
    { reason: 'decided', requests: 1, chargedMicros: 9n },
    { reason: 'no_price', requests: 2, chargedMicros: 10n },
    { reason: 'no_usage', requests: 2, chargedMicros: 10n },
  ]);
  expect(rows.find(({ model }) => model === 'other')).toMatchObject({
    requests: 0,
    unpriced: [{ reason: 'no_price', requests: 1 }],
  });
});

test('reads all accounts in pages of a bounded size, each operation once', async () => {
  const world = await createEngineWorld();
  const others = await Promise.all([1, 2, 3].map(() => world.admin.createAccount({ name: 'Another' })));
  const accounts = [world.accountId, ...others.map(({ id }) => id)];
  const counts = [2_050, 0, 1, 450];
  const records = counts.flatMap((count, at) =>
    Array.from({ length: count }, (_, each) => ({
      id: `${at}-${String(each).padStart(5, '0')}`,
      accountId: accounts[at] ?? '',
      createdAtMs: fromMs + (each % 7),
    })),
  );
  for (let at = 0; at < records.length; at += 100) await put(world, records.slice(at, at + 100));
  const { rows, pages } = await priced(world);
  expect(pages).toBeGreaterThan(1);
  const requestsOf = (accountId: string | undefined) =>
    rows.reduce((sum, row) => (row.accountId === accountId ? sum + row.requests : sum), 0);
  expect(accounts.map(requestsOf)).toEqual(counts);
  const own = await priced(world, { accountId: accounts[3] ?? '' });
  expect(own.rows.map(({ accountId, requests }) => [accountId, requests])).toEqual([[accounts[3], 450]]);
});

test('adds up fractions of micro-credits before it rounds, and rounds each operation where the list does', async () => {
  const world = await createEngineWorld();
  await put(
    world,
    [{}, {}, {}].map(() => ({ usage: [{ unit: 'input_text_tokens', quantity: 1 }] })),
  );
  const models = { model: { perMillion: { input_text_tokens: '0.5' } } };
  const amount = async (tariff: TariffInput) => (await priced(world, { tariff })).rows[0]?.pricedMicros;
  expect(await amount({ version: 'carried', models })).toBe(2n);
  expect(await amount({ version: 'up', models, rounding: 'up' })).toBe(3n);
});

test('refuses a list that is none, and a time that ends before it begins', async () => {
  const { admin } = await createEngineWorld();
  const ask = (change: object) => admin.priceUsage({ tariff: list, fromMs, untilMs, ...change });
  await expect(ask({ tariff: { version: 'x', models: { m: { perMillion: { odours: '1' } } } } })).rejects.toThrow(
    'odours',
  );
  await expect(ask({ untilMs: fromMs })).rejects.toThrow('untilMs is 1000000; accepted is a time after fromMs');
});
