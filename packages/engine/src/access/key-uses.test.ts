import { expect, test } from 'vitest';
import { createKeyUses } from './key-uses.ts';

test('a use of a key is handed over once, and again a minute later', () => {
  let nowMs = 0;
  const uses = createKeyUses(() => nowMs);
  uses.note('k1');
  uses.note('k1');
  uses.note('k2');
  expect(uses.take()).toEqual(['k1', 'k2']);
  nowMs = 59_999;
  uses.note('k1');
  expect(uses.take()).toEqual([]);
  nowMs = 60_000;
  uses.note('k1');
  expect(uses.take()).toEqual(['k1']);
});

test('so many keys wait at the most, and one that found no room is noted by its next use', () => {
  const uses = createKeyUses(() => 0);
  for (let key = 0; key < 1_001; key += 1) uses.note(`k${key}`);
  expect(uses.take()).toHaveLength(1_000);
  uses.note('k1000');
  expect(uses.take()).toEqual(['k1000']);
});
