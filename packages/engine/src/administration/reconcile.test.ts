import { UnknownOutcome, type Attempt } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createEngineWorld, idOf, type EngineWorld } from '../../test/engine-world.ts';
import type { BillRow } from './gather-bill.ts';
import type { ReconcileInput } from './reconcile.ts';

const tokens = (quantity: number) => [{ unit: 'input_text_tokens', quantity }] as const;
const attempt: Attempt = { startedAtMs: 1_000, durationMs: 100, status: 200, outcome: 'unknown' };
const covers = { fromMs: 0, untilMs: 10_000 };

/** Its answer was lost; the upstream called the request so. */
const lose = async (world: EngineWorld, upstreamId?: string): Promise<string> =>
  idOf(
    await world.run({
      execute: ({ recordAttempt }) => {
        recordAttempt(upstreamId === undefined ? attempt : { ...attempt, upstreamId });
        return Promise.reject(new UnknownOutcome('connection_lost'));
      },
    }),
  );

const answer = async (world: EngineWorld, upstreamId: string, quantity: number): Promise<string> =>
  idOf(
    await world.run({
      execute: async ({ recordAttempt }) => {
        recordAttempt({ ...attempt, outcome: 'answered', upstreamId });
        return quantity;
      },
    }),
  );

const furnished = async () => {
  const world = await createEngineWorld();
  const billed = await lose(world, 'req_billed');
  const unbilled = await lose(world, 'req_unbilled');
  const nameless = await lose(world);
  const equal = await answer(world, 'req_equal', 5);
  const different = await answer(world, 'req_different', 5);
  const rows: readonly BillRow[] = [
    { id: 'req_billed', usage: tokens(4), line: 2 },
    { id: 'req_billed', usage: tokens(3), line: 3 },
    { id: 'req_equal', usage: tokens(5), line: 4 },
    { id: 'req_different', usage: tokens(6), line: 5 },
    { id: 'req_of_nobody', usage: tokens(9), line: 6 },
  ];
  return { world, rows, billed, unbilled, nameless, equal, different };
};

test('says what a bill decides, what differs and what belongs to none, and changes nothing', async () => {
  const { world, rows, billed, unbilled, nameless, different } = await furnished();
  const report = await world.admin.reconcile({ rows, covers });
  const told = report.proposals.map(({ operation, proposal, amountMicros }) => [
    operation.id,
    proposal.because,
    amountMicros,
  ]);
  expect(told).toEqual([
    [nameless, 'no_id', null],
    [unbilled, 'not_on_the_bill', 0n],
    [billed, 'on_the_bill', 7n],
  ]);
  expect(report.differences.map(({ operation, billed: usage }) => [operation.id, usage])).toEqual([
    [different, tokens(6)],
  ]);
  expect(report).toMatchObject({
    rows: 5,
    more: false,
    differencesCount: 1,
    unmatchedCount: 1,
    unmatched: [{ id: 'req_of_nobody', usage: tokens(9), lines: [6] }],
  });
  for (const id of [billed, unbilled, nameless])
    expect(await world.admin.readOperation(id)).toMatchObject({ state: 'uncertain' });
});

test('carries it out with the reference of the bill, and does nothing when the bill is read again', async () => {
  const { world, rows, billed, unbilled, nameless } = await furnished();
  const input = { rows, covers, apply: true, note: { reference: 'november.csv' } };
  const first = await world.admin.reconcile(input);
  expect(first.proposals.map((proposed) => proposed.answer)).toEqual([null, 'resolved', 'resolved']);
  expect(await world.admin.readOperation(billed)).toMatchObject({
    state: 'completed',
    chargedMicros: 7n,
    verdict: { kind: 'charge_measured', reference: 'november.csv' },
  });
  expect(await world.admin.readOperation(unbilled)).toMatchObject({ state: 'failed', verdict: { kind: 'release' } });
  expect(await world.admin.readOperation(nameless)).toMatchObject({ state: 'uncertain' });
  const wallet = await world.admin.readWallet(world.accountId);
  const second = await world.admin.reconcile(input);
  expect(second.proposals.map(({ operation }) => operation.id)).toEqual([nameless]);
  expect([second.differencesCount, second.unmatchedCount]).toEqual([1, 1]);
  expect(await world.admin.readWallet(world.accountId)).toEqual(wallet);
  expect((await world.admin.audit()).violations).toEqual([]);
});

test('tells of an operation that was freed and is billed after all', async () => {
  const { world, unbilled } = await furnished();
  await world.admin.resolveOperation(unbilled, { executed: false });
  const report = await world.admin.reconcile({ rows: [{ id: 'req_unbilled', usage: tokens(2) }] });
  expect(report.differences.map(({ operation }) => operation.id)).toEqual([unbilled]);
});

test('frees nothing by a bill that does not say which time it has all calls of', async () => {
  const { world, rows, unbilled } = await furnished();
  const proposalOf = async (input: Partial<ReconcileInput>) => {
    const { proposals } = await world.admin.reconcile({ rows, ...input });
    return proposals.find(({ operation }) => operation.id === unbilled)?.proposal;
  };
  expect(await proposalOf({})).toEqual({ kind: 'none', because: 'not_covered' });
  expect(await proposalOf({ covers: 'rows' })).toEqual({ kind: 'none', because: 'not_covered' });
  const timed = rows.map((row, place) => ({ ...row, atMs: 500 + place * 500 }));
  expect(await proposalOf({ rows: timed, covers: 'rows' })).toMatchObject({ kind: 'verdict' });
});

test('adds up what the calls of one operation are billed under its own id', async () => {
  const world = await createEngineWorld();
  const id = await lose(world);
  const rows = [
    { id, usage: tokens(4) },
    { id: `${id}-1`, usage: tokens(3) },
  ];
  const { proposals } = await world.admin.reconcile({ rows, idsAre: 'operation' });
  expect(proposals).toMatchObject([{ amountMicros: 7n, proposal: { because: 'on_the_bill' } }]);
});

test('charges by a bill what exceeds free balance once it is there', async () => {
  const world = await createEngineWorld(10n);
  const id = await lose(world, 'req_1');
  const rows = [{ id: 'req_1', usage: tokens(12) }];
  const { proposals } = await world.admin.reconcile({ rows, apply: true });
  expect(proposals.map((proposed) => proposed.answer)).toEqual(['pending']);
  await world.admin.deposit({ accountId: world.accountId, amountMicros: 5n, reference: 'more' });
  expect(await world.admin.readOperation(id)).toMatchObject({ state: 'completed', chargedMicros: 12n });
});

test('refuses a bill that is too long before it decides anything', async () => {
  const { world, rows, billed } = await furnished();
  await expect(world.admin.reconcile({ rows, rowsMax: 4, apply: true })).rejects.toThrow('more than 4 rows');
  expect(await world.admin.readOperation(billed)).toMatchObject({ state: 'uncertain' });
});

test.each([
  [
    'a sum beyond what is exact',
    [Number.MAX_SAFE_INTEGER, 5],
    'row 2 of the bill: input_text_tokens comes to more than',
  ],
  ['a negative quantity', [-5], 'row 2 of the bill has -5 input_text_tokens'],
  ['no number', [Number.NaN], 'row 2 of the bill has NaN input_text_tokens'],
])('decides nothing by a bill with %s', async (_what, quantities, message) => {
  const { world, billed } = await furnished();
  const rows = [{ id: 'req_billed', usage: tokens(4) }, ...quantities.map((n) => ({ id: 'x', usage: tokens(n) }))];
  await expect(world.admin.reconcile({ rows, apply: true })).rejects.toThrow(message);
  await expect(world.admin.reconcile({ rows: [{ id: 'x', usage: [] }], apply: true })).rejects.toThrow('is empty');
  expect(await world.admin.readOperation(billed)).toMatchObject({ state: 'uncertain' });
});

test('counts the rows without an id that bill a usage, and releases nothing unless they are no calls', async () => {
  const { world, rows, unbilled } = await furnished();
  const withTotal = [...rows, { id: '', usage: tokens(0), line: 7 }, { id: '', usage: tokens(27), line: 8 }];
  const proposalOf = async (input: Partial<ReconcileInput>) => {
    const { proposals, withoutId } = await world.admin.reconcile({ rows: withTotal, covers, ...input });
    return [proposals.find(({ operation }) => operation.id === unbilled)?.proposal.because, withoutId];
  };
  const withoutId = { count: 1, lines: [8] };
  expect(await proposalOf({})).toEqual(['rows_without_id', withoutId]);
  expect(await proposalOf({ ignoreRowsWithoutId: true })).toEqual(['not_on_the_bill', withoutId]);
});

test('looks at the operations of every account, and at every page of them', async () => {
  const world = await createEngineWorld(10_000n);
  const ids: string[] = [];
  for (let call = 0; call < 130; call += 1) ids.push(await lose(world, `req_${call}`));
  const rows = ids.map((_, call) => ({ id: `req_${call}`, usage: tokens(1) }));
  const report = await world.admin.reconcile({ rows, apply: true });
  expect(report.proposals.length).toBe(130);
  expect(report.unmatchedCount).toBe(0);
  const again = await world.admin.reconcile({ rows });
  expect([again.proposals.length, again.differencesCount, again.unmatchedCount]).toEqual([0, 0, 0]);
});
