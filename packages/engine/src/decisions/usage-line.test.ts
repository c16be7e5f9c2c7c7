import type { AttemptRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld, operationRecord, settleCommand } from '../../test/decision-world.ts';
import { capture } from './capture.ts';
import { depositStep } from './deposit.ts';
import { makeMove } from './host-moves.ts';
import { settle } from './settle.ts';

const attempt = (provider: string, change: Partial<AttemptRecord> = {}): AttemptRecord => ({
  provider,
  startedAtMs: 1,
  durationMs: 1,
  status: 200,
  outcome: 'answered',
  ...change,
});

const source = { accountId: 'a1', projectId: 'p1', keyId: 'k1', model: 'm' };

test('a settlement writes a line with its units, its debit and the provider that responded', () => {
  const world = createDecisionWorld(operationRecord());
  const attempts = [attempt('slow'), attempt('quick'), attempt('late', { abandoned: true })];
  const { evidence } = settleCommand({});
  if (evidence === null) throw new Error('no evidence');
  const usage = [
    { unit: 'input_text_tokens', quantity: 3 },
    { unit: 'input_text_tokens', quantity: 4 },
    { unit: 'output_text_tokens', quantity: 2 },
  ];
  const command = settleCommand({ evidence: { ...evidence, usage, attempts } });
  world.step(settle(command));
  const line = {
    ...source,
    id: 'operation:o1',
    provider: 'quick',
    requests: 1,
    chargedMicros: 20n,
    correctedMicros: 0n,
    units: { input_text_tokens: 7, output_text_tokens: 2 },
    createdAtMs: world.nowMs,
  };
  expect(world.get('usageLine', 'operation:o1')).toEqual(line);
  const rows = world.rows();
  world.step(settle(command));
  expect(world.rows()).toBe(rows);
});

test('an operation that costs nothing is a request with its units', () => {
  const world = createDecisionWorld(operationRecord());
  world.step(settle(settleCommand({ measuredMicros: 0n })));
  expect(world.get('usageLine', 'operation:o1')).toMatchObject({
    requests: 1,
    chargedMicros: 0n,
    units: { input_text_tokens: 3 },
  });
});

test('a settlement that waits for balance writes no line', () => {
  const world = createDecisionWorld(operationRecord());
  expect(world.step(settle(settleCommand({ measuredMicros: 1_000n })))).toMatchObject({ kind: 'pending' });
  expect(world.get('usageLine', 'operation:o1')).toBeUndefined();
});

test('a part that is captured is charged in a line of its own, and not again at the end', () => {
  const world = createDecisionWorld(operationRecord());
  const command = { operationId: 'o1', accountId: 'a1', sequence: 1, amountMicros: 8n };
  world.step(capture(command));
  world.step(capture(command));
  world.step(settle(settleCommand({})));
  expect(world.get('usageLine', 'capture:o1:1')).toMatchObject({
    ...source,
    requests: 0,
    chargedMicros: 8n,
    units: {},
  });
  expect(world.get('usageLine', 'operation:o1')).toMatchObject({ requests: 1, chargedMicros: 12n });
});

const compensation = {
  accountId: 'a1',
  kind: 'compensation',
  amountMicros: 7n,
  reference: 'sorry',
  operationId: 'o1',
} as const;

test('a compensation of an operation is a line of who used it, once', () => {
  const world = createDecisionWorld(operationRecord({ attempts: [attempt('quick')] }));
  world.step(depositStep(compensation));
  expect(world.get('usageLine', 'correction:a1:sorry')).toMatchObject({
    ...source,
    provider: 'quick',
    requests: 0,
    chargedMicros: 0n,
    correctedMicros: 7n,
    createdAtMs: world.nowMs,
  });
  expect(world.step(depositStep(compensation))).toMatchObject({ kind: 'repeated' });
});

test('a compensation of an operation that is gone is a line of the account', () => {
  const world = createDecisionWorld(operationRecord());
  world.step(depositStep({ ...compensation, reference: 'gone', operationId: 'o9' }));
  expect(world.get('usageLine', 'correction:a1:gone')).toMatchObject({
    accountId: 'a1',
    projectId: '',
    keyId: '',
    model: '',
  });
});

test('a deposit, and a compensation of no operation, are no usage', () => {
  const world = createDecisionWorld(operationRecord());
  const rows = world.rows();
  world.step(depositStep({ ...compensation, kind: 'deposit' }));
  world.step(depositStep({ ...compensation, reference: 'gift', operationId: null }));
  // An entry and a deposit each, what the balance is compared with from now on, and nothing beside them.
  expect(world.rows()).toBe(rows + 5);
});

test('an operation whose wallet the host keeps is a line with what the host charged', () => {
  const world = createDecisionWorld(operationRecord({ state: 'settling', pendingMicros: 9n }));
  const move = { kind: 'complete', chargedMicros: 9n, answerKeptMs: 1 } as const;
  world.step(makeMove({ operationId: 'o1', accountId: 'a1', move }));
  world.step(makeMove({ operationId: 'o1', accountId: 'a1', move }));
  expect(world.get('usageLine', 'operation:o1')).toMatchObject({ ...source, requests: 1, chargedMicros: 9n });
});

test('a correction beyond the free balance is usage as far as it was taken', () => {
  const world = createDecisionWorld(operationRecord());
  world.step(depositStep({ ...compensation, amountMicros: -100n, shortfall: 'owe' }));
  const taken = world.entries().find(({ reference }) => reference === 'sorry')?.amountMicros;
  expect(taken).toBe(-70n);
  expect(world.get('usageLine', 'correction:a1:sorry')).toMatchObject({ correctedMicros: -70n });
});

test('a correction of which nothing was taken is no usage', () => {
  const world = createDecisionWorld(operationRecord({ holdMicros: 100n }));
  world.put('wallet', { ...world.wallet(), reservedMicros: 100n });
  world.step(depositStep({ ...compensation, amountMicros: -5n, shortfall: 'forgive' }));
  expect(world.entries()).toEqual([]);
  expect(world.get('usageLine', 'correction:a1:sorry')).toBeUndefined();
});

test('the provider of a line is none that failed before another one responded, or after', () => {
  const world = createDecisionWorld(operationRecord());
  const { evidence } = settleCommand({});
  if (evidence === null) throw new Error('no evidence');
  const attempts = [attempt('first'), attempt('broken', { outcome: 'refused', status: 500 })];
  world.step(settle(settleCommand({ evidence: { ...evidence, attempts } })));
  expect(world.get('usageLine', 'operation:o1')?.provider).toBe('first');
});
