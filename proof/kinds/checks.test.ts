import type { OperationRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { faultOf, faultOfDecided, findTwice, isUnexplained, type Case } from './find-faults.ts';
import type { Execution } from './journal.ts';

const id = '01a1f8c4-7538-7d19-a9bb-7b78271c1f78';

const execution = (more: Partial<Execution> = {}): Execution => ({
  key: id,
  operationId: id,
  family: 'video',
  fate: 'quick',
  count: 1,
  refusals: 0,
  usage: [{ unit: 'video_seconds', quantity: 8, confirmed: true }],
  billed: true,
  ...more,
});

const operation: OperationRecord = {
  id,
  projectId: 'project',
  accountId: 'account',
  keyId: 'key',
  kind: 'video',
  model: 'model',
  identity: null,
  fingerprint: 'fingerprint',
  state: 'completed',
  holdMicros: 0n,
  chargedMicros: 8_000n,
  captures: 1,
  pendingMicros: null,
  absorbedMicros: 0n,
  carriedPicos: 0,
  spends: null,
  serviceTier: null,
  servedTier: null,
  tariffVersion: 'torture-kinds-1',
  plan: null,
  usage: [{ unit: 'video_seconds', quantity: 8 }],
  usageAtLeast: null,
  trace: null,
  attempts: [],
  verdict: null,
  askedModel: null,
  tags: null,
  errorCode: null,
  answerForm: 'json',
  answer: 'stored',
  owner: null,
  dueAtMs: null,
  createdAtMs: 0,
  updatedAtMs: 0,
  endedAtMs: 0,
};

const caseOf = (more: Partial<OperationRecord> = {}, ...executions: readonly Execution[]): Case => ({
  operation: { ...operation, ...more },
  executions,
  deaths: [],
});

const failed = { state: 'failed', chargedMicros: 0n, usage: null } as const;
const uncertain = { ...failed, state: 'uncertain', holdMicros: 9_000n } as const;

test('finds nothing wrong with what is charged as it was measured, and with what failed before it ran', () => {
  expect(faultOf(caseOf({}, execution()))).toBeNull();
  expect(faultOf(caseOf(failed, execution({ count: 0, refusals: 1, usage: null })))).toBeNull();
  expect(faultOf(caseOf(failed, execution({ billed: false })))).toBeNull();
  expect(findTwice([execution()])).toEqual([]);
});

test('finds what ran twice', () => {
  expect(findTwice([execution({ count: 2 })])).toEqual([`video ${id} ran 2 times`]);
});

test.each([
  ['another measure', { usage: [{ unit: 'video_seconds', quantity: 4 }] }, execution()],
  ['another charge', { chargedMicros: 7_999n }, execution()],
  ['a hold that stays', { holdMicros: 1n }, execution()],
  ['a completion of nothing', {}, execution({ count: 0 })],
  ['a completion that nobody measured', {}, execution({ usage: null })],
  ['a failure that ran', failed, execution()],
  ['a failure that is charged', { ...failed, chargedMicros: 1n }, execution({ count: 0 })],
  ['a doubt without its hold', { ...uncertain, holdMicros: 0n }, execution({ fate: 'lost' })],
] as const)('finds %s', (_, more, ran) => {
  expect(faultOf(caseOf(more, ran))).toMatchObject({ kind: 'mischarged' });
});

test('accepts an uncertain outcome with a cause, and what has not ended stuck', () => {
  const [lost, died] = [caseOf(uncertain, execution({ fate: 'lost' })), { ...caseOf(uncertain), deaths: ['handed'] }];
  expect([lost, died].map(faultOf)).toEqual([null, null]);
  expect([lost, died, caseOf(uncertain, execution())].map(isUnexplained)).toEqual([false, false, true]);
  expect(faultOf(caseOf({ state: 'processing' }, execution()))).toMatchObject({ kind: 'stuck' });
});

test('lets a cache be charged for whole tokens and seconds beside its creation, and a tool that died for its bound', () => {
  const cache = {
    kind: 'cache',
    chargedMicros: 150n,
    usage: [{ unit: 'cache_token_seconds', quantity: 150 }],
  } as const;
  expect(faultOf(caseOf(cache))).toBeNull();
  const odd = { ...cache, chargedMicros: 149n, usage: [{ unit: 'cache_token_seconds', quantity: 149 }] } as const;
  expect(faultOf(caseOf(odd))).toMatchObject({ kind: 'mischarged' });
  const tool = {
    kind: 'interaction',
    chargedMicros: 500n,
    usage: [{ unit: 'web_search_queries', quantity: 1 }],
  } as const;
  expect(faultOf(caseOf(tool))).toMatchObject({ kind: 'mischarged' });
  expect(faultOf({ ...caseOf(tool), deaths: ['tool'] })).toBeNull();
});

test('finds a decision that is not what was used', () => {
  expect(faultOfDecided(caseOf({}, execution()))).toBeNull();
  expect(faultOfDecided(caseOf({ chargedMicros: 1n }, execution()))).toContain('it used 8000');
  expect(faultOfDecided(caseOf({ state: 'uncertain' }, execution()))).toContain('decided as uncertain');
});
