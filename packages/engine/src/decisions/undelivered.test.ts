import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { noteUndelivered, purgeUndelivered, takeUndelivered, undeliveredMax } from './undelivered.ts';

const request = { keyId: 'k1', projectId: 'p1', accountId: 'a1', fingerprint: 'f1' } as const;

const noting = () => {
  const world = createDecisionWorld(null);
  const note = (operationId: string, keptMs: number, retries = 0) =>
    world.step(noteUndelivered({ ...request, operationId, retries, keptMs }));
  const take = (retries: number) => world.step(takeUndelivered({ ...request, retries }));
  return { world, note, take, mark: () => world.get('undelivered', 'k1')?.dueAtMs };
};

test('a retry takes the operation that waits longest, once, and only one that came before it', () => {
  const { note, take } = noting();
  note('o1', 500);
  note('o2', 500, 3);
  expect(take(0)).toEqual({ kind: 'none' });
  expect(take(1)).toEqual({ kind: 'taken', operationId: 'o1' });
  expect(take(1)).toEqual({ kind: 'none' });
  expect(take(4)).toEqual({ kind: 'taken', operationId: 'o2' });
});

test('the mark of a key lasts as long as what waits longest, also when something shorter comes later', () => {
  const { note, mark } = noting();
  note('o1', 500);
  note('o2', 100);
  expect(mark()).toBe(1_500);
  note('o3', 900);
  expect(mark()).toBe(1_900);
});

test('what was noted twice waits once, for the time of the second', () => {
  const { world, note, take } = noting();
  note('o1', 100);
  note('o1', 500);
  world.nowMs = 1_300;
  expect(take(1)).toEqual({ kind: 'taken', operationId: 'o1' });
  expect(take(1)).toEqual({ kind: 'none' });
  expect(world.get('undelivered', 'k1:f1')).toBeUndefined();
});

test('an operation waits until its time and no longer', () => {
  const { world, note, take } = noting();
  note('o1', 100);
  world.nowMs = 1_100;
  expect(take(1)).toEqual({ kind: 'none' });
});

test('no more operations of a request wait than the bound, and the oldest is forgotten', () => {
  const { world, note, take } = noting();
  for (let at = 0; at <= undeliveredMax; at += 1) note(`o${at}`, 500);
  expect(world.get('undelivered', 'k1:f1')?.operations).toHaveLength(undeliveredMax);
  expect(take(1)).toEqual({ kind: 'taken', operationId: 'o1' });
});

test('a row that no release has written is refused, whichever of its members is missing', () => {
  for (const one of [
    { operationId: 'o1', retries: 0 },
    { retries: 0, untilMs: 2_000 },
  ]) {
    const { world, take } = noting();
    world.put('undelivered', { id: 'k1:f1', operations: [one], owner: null, dueAtMs: 2_000 });
    expect(() => take(1)).toThrow('operations');
  }
});

test('a record whose time is over is removed by the sweep that has it', () => {
  const { world } = noting();
  const row = { id: 'k1', operations: [], owner: 'sweep:s1', dueAtMs: 900 } as const;
  world.put('undelivered', row);
  expect(world.step(purgeUndelivered({ ...row, owner: 'sweep:s2' }))).toBe(false);
  expect(world.get('undelivered', 'k1')).toEqual(row);
  expect(world.step(purgeUndelivered(row))).toBe(true);
  expect(world.get('undelivered', 'k1')).toBeUndefined();
  expect(world.step(purgeUndelivered(row))).toBe(false);
});
