import type { OperationRecord, UsageRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { operationRecord } from '../../test/decision-world.ts';
import { proposeVerdict, type BilledPart, type BillFacts } from './propose-verdict.ts';

const tokens = (quantity: number): readonly UsageRecord[] => [{ unit: 'input_text_tokens', quantity }];

const lost: BilledPart = {
  part: '1',
  state: 'unknown',
  upstreamIds: ['req_1'],
  providers: ['openai'],
  fromMs: 200,
  untilMs: 300,
};

/** A bill with these ids of the upstream, of the time from 100 to 400. */
const billOf = (rows: Readonly<Record<string, number>>, rest: Partial<BillFacts> = {}): BillFacts => {
  const find = (ids: readonly string[]): readonly UsageRecord[] | null => {
    const found = ids.flatMap((id) => rows[id] ?? []);
    return found.length === 0 ? null : tokens(found.reduce((sum, quantity) => sum + quantity, 0));
  };
  return {
    findUsage: find,
    findOwnUsage: (id) => find([id]),
    covers: { fromMs: 100, untilMs: 400 },
    hasRowsWithoutId: false,
    provider: null,
    idsAre: 'upstream',
    ...rest,
  };
};

interface Case {
  readonly parts?: readonly BilledPart[];
  readonly known?: readonly UsageRecord[];
  readonly operation?: Partial<OperationRecord>;
}

const propose = (bill: BillFacts, { parts = [lost], known = [], operation = {} }: Case = {}) =>
  proposeVerdict(operationRecord({ state: 'uncertain', ...operation }), { parts, known }, bill);

const charged = (quantity: number) => ({
  kind: 'verdict',
  because: 'on_the_bill',
  verdict: { executed: true, usage: tokens(quantity) },
});
const released = { kind: 'verdict', because: 'not_on_the_bill', verdict: { executed: false } };
const none = (because: string) => ({ kind: 'none', because });

test('charges a lost call by what the bill has of it', () => {
  expect(propose(billOf({ req_1: 7 }))).toEqual(charged(7));
});

test('frees what is not on a bill that has all calls of that time', () => {
  expect(propose(billOf({ other: 7 }))).toEqual(released);
});

test('releases nothing by a bill with rows without an id, as each of them may bill the call', () => {
  const bill = billOf({ req_2: 7 }, { hasRowsWithoutId: true });
  expect(propose(bill)).toEqual(none('rows_without_id'));
  expect(propose({ ...bill, idsAre: 'operation' })).toEqual(none('rows_without_id'));
  expect(propose(bill, { parts: [{ ...lost, upstreamIds: ['req_2'] }] })).toEqual(charged(7));
});

test.each([
  ['says nothing of its time', null],
  ['begins after the call', { fromMs: 201, untilMs: 400 }],
  ['ends before the call did', { fromMs: 100, untilMs: 299 }],
])('decides nothing where the call is not on it and the bill %s', (_what, covers) => {
  expect(propose(billOf({}, { covers }))).toEqual(none('not_covered'));
});

test.each([
  ['a call without an id', { parts: [{ ...lost, upstreamIds: [] }] }, {}, 'no_id'],
  ['an operation without a call on record', { parts: [] }, {}, 'no_id'],
  ['a call of another provider', {}, { provider: 'google' }, 'other_provider'],
  ['an amount that waits for balance', { operation: { pendingMicros: 5n } }, {}, 'waits_for_balance'],
  ['a bill that has less than is known', { operation: { usageAtLeast: tokens(8) } }, {}, 'below_known'],
] as const)('decides nothing about %s', (_what, one, rest, because) => {
  expect(propose(billOf({ req_1: 7 }, rest), one)).toEqual(none(because));
});

test('charges what is known of the others with what the bill has of the lost ones', () => {
  const gone = { ...lost, part: '2', upstreamIds: ['req_2'] };
  const verdict = {
    executed: true,
    parts: [
      { part: '1', executed: true, usage: tokens(7) },
      { part: '2', executed: false },
    ],
  };
  expect(propose(billOf({ req_1: 7 }), { parts: [lost, gone], known: tokens(3) })).toEqual({
    kind: 'verdict',
    because: 'on_the_bill',
    verdict,
  });
});

test('charges what is known where the bill has nothing of the rest', () => {
  expect(propose(billOf({}), { known: tokens(3) })).toEqual({
    kind: 'verdict',
    because: 'not_on_the_bill',
    verdict: { executed: true, parts: [{ part: '1', executed: false }] },
  });
});

test('decides nothing about a whole of which one part cannot be looked for', () => {
  const nameless = { ...lost, part: '2', upstreamIds: [] };
  expect(propose(billOf({ req_1: 7 }), { parts: [lost, nameless] })).toEqual(none('no_id'));
});

test('charges an unmeasured response by the bill, and never frees it', () => {
  const answered = [{ ...lost, state: 'known' as const }];
  expect(propose(billOf({ req_1: 7 }), { parts: answered })).toEqual(charged(7));
  expect(propose(billOf({}), { parts: answered })).toEqual(none('answered_and_not_billed'));
});

test('finds an operation by the id that the upstream was sent', () => {
  expect(propose(billOf({ o1: 7 }), { parts: [] })).toEqual(charged(7));
});

test('frees by the absence of its own id only where the bill is named by such ids', () => {
  const bill = billOf({}, { idsAre: 'operation' });
  const operation = { createdAtMs: 150, updatedAtMs: 350 };
  expect(propose(bill, { parts: [], operation })).toEqual(released);
  expect(propose(bill, { parts: [], operation: { ...operation, updatedAtMs: 401 } })).toEqual(none('not_covered'));
  const answered = [{ ...lost, state: 'known' as const }];
  expect(propose(bill, { parts: answered, operation })).toEqual(none('answered_and_not_billed'));
});

test('charges by a bill that has exactly what is known to have been used', () => {
  const operation = { usageAtLeast: tokens(7) };
  expect(propose(billOf({ req_1: 7 }), { operation })).toEqual(charged(7));
  expect(propose(billOf({ req_1: 6 }), { operation })).toEqual(none('below_known'));
});
