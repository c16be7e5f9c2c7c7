import { expect, test } from 'vitest';
import { createEngineWorld } from '../../test/engine-world.ts';
import { whyUncertain } from './why-uncertain.ts';

const world = await createEngineWorld();
await world.run();
const [operation] = await world.admin.listOperations({ kind: 'account', accountId: world.accountId });
if (operation === undefined) throw new Error('one was run');
const uncertain = { ...operation, state: 'uncertain', answer: 'none', attempts: [] } as const;
const attempt = { provider: 'p', startedAtMs: 1, durationMs: 1, status: null } as const;

test('an uncertain operation says why it is', () => {
  expect(whyUncertain(operation)).toBeNull();
  expect(whyUncertain(uncertain)).toEqual({ kind: 'nothing_recorded' });
  expect(whyUncertain({ ...uncertain, attempts: [{ ...attempt, outcome: 'unknown' }] })).toEqual({
    kind: 'outcome_unknown',
  });
  expect(whyUncertain({ ...uncertain, attempts: [{ ...attempt, outcome: 'not_sent' }] })).toEqual({
    kind: 'outcome_unknown',
  });
  expect(whyUncertain({ ...uncertain, attempts: [{ ...attempt, outcome: 'answered' }] })).toEqual({ kind: 'no_usage' });
  expect(whyUncertain({ ...uncertain, answer: 'stored' })).toEqual({ kind: 'no_usage' });
  expect(whyUncertain({ ...uncertain, answer: 'partial' })).toEqual({ kind: 'outcome_unknown' });
  expect(whyUncertain({ ...uncertain, answer: 'stored', pendingMicros: 5n })).toEqual({
    kind: 'waits_for_balance',
    amountMicros: 5n,
  });
});
