import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFirstAtOnce } from './first-at-once.ts';

test('takes off at once with the first of a turn, and at its end with those that come later', async () => {
  const schedule = createFirstAtOnce();
  const flown: string[] = [];
  schedule(() => flown.push('first'));
  await Promise.resolve();
  expect(flown).toEqual(['first']);
  schedule(() => flown.push('second'));
  await Promise.resolve();
  expect(flown).toEqual(['first']);
  await nextTurn();
  expect(flown).toEqual(['first', 'second']);
});

test('begins anew with each turn', async () => {
  const schedule = createFirstAtOnce();
  const flown: number[] = [];
  for (const turn of [1, 2, 3]) {
    schedule(() => flown.push(turn));
    await Promise.resolve();
    expect(flown.at(-1)).toBe(turn);
    await nextTurn();
  }
});

test('lets no caller be overtaken by its own step', () => {
  const schedule = createFirstAtOnce();
  let flown = false;
  schedule(() => {
    flown = true;
  });
  expect(flown).toBe(false);
});
