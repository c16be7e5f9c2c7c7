import type { OperationRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import {
  createDecisionWorld,
  failCommand,
  openCommand,
  operationRecord,
  settleCommand,
} from '../../test/decision-world.ts';
import { cancel } from './cancel.ts';
import { fail } from './fail.ts';
import { makeMove, type MoveCommand } from './host-moves.ts';
import { register } from './register.ts';
import { unregister } from './unregister.ts';
import { open, type OpenCommand } from './open.ts';
import { defaultQuotas } from './quotas.ts';
import { settle } from './settle.ts';
import { countedUnderWay } from './under-way.ts';

const counted = countedUnderWay({ kind: 'batch', projectId: 'p1' });

/** A batch of the project that counts. */
const running = (change: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(operationRecord({ kind: 'batch', ...change }));
  world.put('projectUsage', { id: 'p1', used: { batchesUnderWay: 3, files: 1 }, overrides: null, revision: 1 });
  return { world, used: () => world.get('projectUsage', 'p1')?.used };
};

const oneLess = { batchesUnderWay: 2, files: 1 };

test('is counted by the step that opens it, and refused by that step where there is no room', () => {
  const world = createDecisionWorld(null);
  const send = (change: Partial<OpenCommand>) => {
    const command = openCommand({
      kind: 'batch',
      identity: null,
      holdMicros: 1n,
      quotas: { ...defaultQuotas, batchesUnderWayMax: 1 },
      ...change,
    });
    return world.step(open(command));
  };
  expect(send({ operationId: 'o1' })).toMatchObject({ kind: 'started' });
  expect(send({ operationId: 'o2' })).toMatchObject({ kind: 'refused', code: 'quota_exceeded' });
  expect(send({ operationId: 'o3', kind: 'chat_completion' })).toMatchObject({ kind: 'started' });
  expect(world.get('projectUsage', 'p1')?.used).toEqual({ batchesUnderWay: 1 });
});

test('is counted no more by the step that settles it, once', () => {
  const { world, used } = running();
  const command = settleCommand(counted);
  for (const kind of ['settled', 'ended']) expect(world.step(settle(command))).toMatchObject({ kind });
  expect(used()).toEqual(oneLess);
});

test('counts while its settlement waits for balance', () => {
  const { world, used } = running();
  const command = settleCommand({ ...counted, measuredMicros: 500n });
  expect(world.step(settle(command))).toMatchObject({ kind: 'pending' });
  expect(used()).toEqual({ batchesUnderWay: 3, files: 1 });
});

test('is counted no more by the step that fails it, once', () => {
  const { world, used } = running();
  const command = failCommand(counted);
  for (const kind of ['failed', 'ended']) expect(world.step(fail(command))).toMatchObject({ kind });
  expect(used()).toEqual(oneLess);
});

test('is counted no more by the step that cancels it before it was handed over', () => {
  const { world, used } = running({ state: 'reserved' });
  const command = { operationId: 'o1', accountId: 'a1', recordKeptMs: 90, hostLedger: false, ...counted };
  expect(world.step(cancel(command))).toMatchObject({ kind: 'failed' });
  expect(used()).toEqual(oneLess);
});

test.each([
  ['completes', { kind: 'complete', chargedMicros: 20n, answerKeptMs: 7 }],
  ['fails', { kind: 'fail', errorCode: 'request_failed', recordKeptMs: 90 }],
] as const)("is counted no more by the step that %s it after the host's ledger", (_, move) => {
  const { world, used } = running({ state: 'settling', pendingMicros: 20n });
  const command: MoveCommand = { operationId: 'o1', accountId: 'a1', move, ...counted };
  for (const kind of ['moved', 'refused']) expect(world.step(makeMove(command))).toMatchObject({ kind });
  expect(used()).toEqual(oneLess);
});

test("is counted no more where the host's ledger refuses what was registered", () => {
  const world = createDecisionWorld(null);
  const command = openCommand({ kind: 'batch' });
  world.step(register(command));
  expect(world.get('projectUsage', 'p1')?.used).toEqual({ batchesUnderWay: 1 });
  const operation = world.operation();
  for (let time = 0; time < 2; time += 1) expect(world.step(unregister(operation))).toBe('gone');
  expect(world.get('projectUsage', 'p1')?.used).toEqual({});
});

test('a step that ends it without naming its project is a defect', () => {
  const { world } = running();
  const command = failCommand();
  expect(() => world.step(fail(command))).toThrow('record not declared: projectUsage');
});
