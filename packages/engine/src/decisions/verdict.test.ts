import type { UsageRecord, VerdictRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { operationRecord } from '../../test/decision-world.ts';
import { fixedMeasure } from './carry.ts';
import { isSameVerdict, judgeVerdict, verdictChange, type Verdict, type VerdictFacts } from './verdict.ts';

const tokens = (quantity: number): readonly UsageRecord[] => [{ unit: 'input_text_tokens', quantity }];

const facts: VerdictFacts = {
  operation: operationRecord({ state: 'uncertain', usageAtLeast: tokens(4) }),
  unknownParts: ['1', '2'],
  knownUsage: [],
  price: (usage) => fixedMeasure(BigInt(usage.reduce((sum, { quantity }) => sum + quantity, 0))),
  priceParts: (said) =>
    fixedMeasure(BigInt(said.flatMap(({ usage }) => usage).reduce((sum, { quantity }) => sum + quantity, 0))),
};

const recordOf = (verdict: Verdict, change: Partial<VerdictFacts> = {}): VerdictRecord => {
  const judged = judgeVerdict({ ...facts, ...change }, verdict);
  if (judged.kind !== 'judged') throw new Error(`it was not judged: ${judged.kind}`);
  return { ...judged.draft, decidedAtMs: 1_000 };
};

const verdicts: readonly Verdict[] = [
  { executed: false },
  { executed: true, amountMicros: 5n },
  { executed: true, amountMicros: 6n },
  { executed: true, usage: tokens(5) },
  { executed: true, usage: 'at_least' },
  {
    executed: true,
    parts: [
      { part: '1', executed: false },
      { part: '2', executed: true, usage: tokens(5) },
    ],
  },
  {
    executed: true,
    parts: [
      { part: '1', executed: true, amountMicros: 5n },
      { part: '2', executed: false },
    ],
  },
];

test.each(verdicts.map((verdict, place) => [place, verdict] as const))(
  'a verdict is the same as itself, and as no other one: %i',
  (place, verdict) => {
    const same = verdicts.map((other) => isSameVerdict(recordOf(verdict), other, facts.operation));
    expect(same).toEqual(verdicts.map((_, other) => other === place));
  },
);

test('parts are the same in whatever order they are said', () => {
  const parts = [
    { part: '2', executed: false },
    { part: '1', executed: true, usage: tokens(5) },
  ] as const;
  const record = recordOf({ executed: true, parts });
  expect(record.parts?.map(({ part }) => part)).toEqual(['1', '2']);
  expect(isSameVerdict(record, { executed: true, parts: parts.toReversed() }, facts.operation)).toBe(true);
});

test('without an amount, what is known of the other parts is charged, or else an amount is needed', () => {
  const operation = { ...facts.operation, usage: tokens(3) };
  const known = { operation, knownUsage: tokens(3), priceParts: () => fixedMeasure(3n) };
  expect(recordOf({ executed: true }, known)).toMatchObject({ kind: 'charge', amountMicros: '3' });
  expect(judgeVerdict({ ...facts, ...known, knownUsage: [] }, { executed: true }).kind).toBe('amount_needed');
  expect(judgeVerdict({ ...facts, ...known, operation: facts.operation }, { executed: true }).kind).toBe(
    'amount_needed',
  );
});

test('a later measure of the gateway takes the place of a verdict that waits, and nothing else does', () => {
  const decided = recordOf({ executed: true, amountMicros: 5n });
  const waiting = operationRecord({ state: 'uncertain', verdict: decided });
  expect(verdictChange(waiting, { draft: undefined, brought: 'evidence' }, 2_000)).toBeNull();
  expect(verdictChange(waiting, { draft: undefined, brought: 'nothing' }, 2_000)).toEqual(decided);
  const { decidedAtMs: _, ...draft } = recordOf({ executed: false });
  expect(verdictChange(waiting, { draft, brought: 'nothing' }, 2_000)).toEqual({ ...draft, decidedAtMs: 2_000 });
});
