import { canMove, operationStates, type OperationState } from '@tollgate/contract';
import { describe, expect, test } from 'vitest';
import {
  captureCommand,
  createDecisionWorld,
  markUncertainCommand,
  extendCommand,
  failCommand,
  operationRecord,
  settleCommand,
  type DecisionWorld,
} from '../../test/decision-world.ts';
import { capture } from './capture.ts';
import { markUncertainStep } from './mark-uncertain.ts';
import { extend } from './extend.ts';
import { fail } from './fail.ts';
import { moveThrough } from './move.ts';
import { renew } from './renew.ts';
import { settle } from './settle.ts';

/** What a run comes to: its answer, or the message of what it threw. */
const outcomeOf = <T>(run: () => T): T | string => {
  try {
    return run();
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
};

test('goes through several states in one step', () => {
  const moved = moveThrough(operationRecord({ state: 'preparing' }), ['reserved', 'processing'], { holdMicros: 7n });
  expect(moved).toMatchObject({ state: 'processing', holdMicros: 7n });
});

test.each(operationStates.flatMap((from) => operationStates.map((to) => [from, to] as const)))(
  'moves from %s to %s only where the table allows it [requests:move:no-others]',
  (from, to) => {
    const told = outcomeOf(() => moveThrough(operationRecord({ state: from }), [to], {}).state);
    expect(told).toBe(canMove(from, to) ? to : `illegal move from ${from} to ${to}`);
  },
);

const renewal = { operations: [{ id: 'o1', owner: 'w2' }], leaseMs: 1 };

const commands: Readonly<Record<string, (world: DecisionWorld) => unknown>> = {
  settle: (world) => world.step(settle(settleCommand())),
  overrun: (world) => {
    const command = settleCommand({ measuredMicros: 500n });
    return world.step(settle(command));
  },
  fail: (world) => world.step(fail(failCommand())),
  markUncertain: (world) => world.step(markUncertainStep(markUncertainCommand())),
  extend: (world) => world.step(extend(extendCommand())),
  capture: (world) => world.step(capture(captureCommand())),
  renew: (world) => world.step(renew(renewal)),
};

type Row = Readonly<Record<OperationState, OperationState | 'defect'>>;

const ended = { completed: 'completed', failed: 'failed' } as const;
const stays = {
  preparing: 'preparing',
  reserved: 'reserved',
  processing: 'processing',
  cancelling: 'cancelling',
  settling: 'settling',
  uncertain: 'uncertain',
  ...ended,
} as const;
const notYetRunning = { preparing: 'defect', reserved: 'defect' } as const;

/** Where each command leads from each state. A defect throws, so that the step changes nothing. */
const matrix: Readonly<Record<keyof typeof commands, Row>> = {
  settle: {
    ...notYetRunning,
    processing: 'completed',
    cancelling: 'completed',
    settling: 'completed',
    uncertain: 'completed',
    ...ended,
  },
  overrun: {
    ...notYetRunning,
    processing: 'uncertain',
    cancelling: 'uncertain',
    settling: 'uncertain',
    uncertain: 'uncertain',
    ...ended,
  },
  fail: {
    preparing: 'failed',
    reserved: 'failed',
    processing: 'failed',
    cancelling: 'failed',
    settling: 'failed',
    uncertain: 'failed',
    ...ended,
  },
  markUncertain: {
    ...notYetRunning,
    processing: 'uncertain',
    cancelling: 'uncertain',
    settling: 'settling',
    uncertain: 'uncertain',
    ...ended,
  },
  extend: stays,
  capture: stays,
  renew: stays,
};

describe.each(Object.entries(matrix))('%s', (name, row) => {
  test.each(Object.entries(row))('leads from %s to %s', (from, to) => {
    const state = operationStates.find((known) => known === from) ?? 'processing';
    const isOver = state === 'completed' || state === 'failed';
    const world = createDecisionWorld(
      operationRecord({ state, endedAtMs: isOver ? 900 : null, holdMicros: isOver ? 0n : 30n }),
    );
    const told = String(outcomeOf(() => commands[name]?.(world)));
    expect(told.startsWith('illegal move')).toBe(to === 'defect');
    expect(world.operation().state).toBe(to === 'defect' ? state : to);
    const held = world.operation().holdMicros;
    expect(world.wallet().reservedMicros).toBe(held);
  });
});
