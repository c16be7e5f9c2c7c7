import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('lets so many run at once and the others after them, in order', async () => {
  const inTurn = createTurns(2);
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const begun: number[] = [];
  const all = ends.map(({ promise }, at) =>
    inTurn(async () => {
      begun.push(at);
      await promise;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all(all);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('passes a turn on although it failed', async () => {
  const inTurn = createTurns(1);
  const failed = inTurn(() => Promise.reject(new Error('no')));
  const after = inTurn(() => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await after).toBe('yes');
});
