import { bodyTurnBounds, limits } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { createHistoryBudget } from './history-budget.ts';

const bounds = { nodesMax: 100, namesMax: 100, depthMax: 10 };
const { largeBytesMin } = bodyTurnBounds;

const textOf = (bytes: number): string => JSON.stringify('a'.repeat(bytes - 2));

const countedTurn = () => {
  let turns = 0;
  const turn = (): Promise<void> => {
    turns += 1;
    return Promise.resolve();
  };
  return { turn, turns: () => turns };
};

test('a long answer waits for a turn before it is scanned, and a short one does not', async () => {
  const { turn, turns } = countedTurn();
  const { take } = createHistoryBudget(bounds, turn);
  await take(textOf(largeBytesMin));
  expect(turns()).toBe(0);
  await take(textOf(largeBytesMin + 1));
  await take(textOf(2 * largeBytesMin));
  expect(turns()).toBe(2);
});

test('all answers together may have as many bytes as a body', async () => {
  const { take } = createHistoryBudget(bounds, undefined);
  const half = textOf(limits.bodyBytesMax.generate / 2);
  await take(half);
  await take(half);
  await expect(take('1')).rejects.toMatchObject({ code: 'input_limit' });
});

test('all answers together may hold as many values as a body', async () => {
  const { take } = createHistoryBudget(bounds, undefined);
  const list = JSON.stringify(Array.from({ length: 60 }, () => 1));
  await take(list);
  await expect(take(list)).rejects.toMatchObject({ code: 'body_too_large' });
});
