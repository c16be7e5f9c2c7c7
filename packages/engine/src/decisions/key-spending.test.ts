import type { ApiKeyRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld, openCommand } from '../../test/decision-world.ts';
import { currentSpendId, keySpendingOf } from './key-spending.ts';
import { open } from './open.ts';

const hourly = { micros: '50', window: 'hour', timeZone: 'UTC' } as const;
const hourMs = 3_600_000;
const counted = `k1:hour:${hourMs}`;

/** A key with a cap, under which one operation holds 30. */
const capped = () => {
  const world = createDecisionWorld(null);
  world.put('wallet', { ...world.wallet(), reservedMicros: 0n });
  const found = world.get('apiKey', 'k1');
  if (found === undefined) throw new Error('the world has a key');
  world.put('apiKey', { ...found, cap: hourly });
  world.step(open(openCommand({ identity: null, keySpend: counted })));
  return (cap: ApiKeyRecord['cap'], nowMs: number) => {
    const id = currentSpendId({ id: 'k1', cap }, nowMs);
    return world.step({
      keys: id === null ? [] : [{ table: 'spend', id }],
      decide: (records) => ({ writes: [], answer: keySpendingOf({ id: 'k1', cap }, records, nowMs) }),
    });
  };
};

test('a key shows what its window counts, from the record that an opening writes', () => {
  expect(currentSpendId({ id: 'k1', cap: hourly }, 1_000)).toBe(counted);
  expect(capped()(hourly, 1_000)).toEqual({
    window: 'hour',
    timeZone: 'UTC',
    limitMicros: 50n,
    spentMicros: 0n,
    reservedMicros: 30n,
    remainingMicros: 20n,
    endsAtMs: hourMs,
  });
});

test('nothing is used of a window that begins anew, nor is less than nothing left of a cap that was lowered', () => {
  const read = capped();
  expect(read(hourly, hourMs)).toMatchObject({ reservedMicros: 0n, remainingMicros: 50n, endsAtMs: 2 * hourMs });
  expect(read({ ...hourly, micros: '10' }, 1_000)).toMatchObject({ limitMicros: 10n, remainingMicros: 0n });
});

test('a key without a cap counts nowhere', () => {
  expect(capped()(null, 1_000)).toBeNull();
  expect(currentSpendId({ id: 'k1', cap: null }, 1_000)).toBeNull();
});
