import type { SpendRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { purgeSpend } from './purge-spend.ts';

const spend: SpendRecord = {
  id: 'k1:hour:1',
  limitMicros: 50n,
  spentMicros: 20n,
  heldMicros: 0n,
  endsAtMs: 1,
  owner: 'sweep:s1',
  dueAtMs: 1_000,
  seq: 4,
};

const purging = (change: Partial<SpendRecord> = {}) => {
  const world = createDecisionWorld();
  const record = { ...spend, ...change };
  world.put('spend', record);
  return { world, record, stored: () => world.get('spend', spend.id) };
};

test('what was spent in a window that has long ended is forgotten', () => {
  const { world, record, stored } = purging();
  expect(world.step(purgeSpend(record))).toBe('purged');
  expect(stored()).toBeUndefined();
  expect(world.step(purgeSpend(record))).toBe('kept');
});

test('a window under which something is held is checked again a day later', () => {
  const { world, record, stored } = purging({ heldMicros: 3n });
  expect(world.step(purgeSpend(record))).toBe('kept');
  expect(stored()).toEqual({ ...record, owner: null, dueAtMs: 86_401_000, seq: 5 });
});

test('a window that another sweep has claimed stays as it is', () => {
  const { world, record, stored } = purging();
  expect(world.step(purgeSpend({ ...record, owner: 'sweep:s2' }))).toBe('kept');
  expect(stored()).toEqual(record);
});
