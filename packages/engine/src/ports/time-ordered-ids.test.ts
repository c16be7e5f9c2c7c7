import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTimeOrderedIds } from './time-ordered-ids.ts';

const idsMade = 20_000;

test('makes different uuids of version 7 that grow, more of them than the pool has numbers for', () => {
  const newId = createTimeOrderedIds(randomBytes);
  const ids = Array.from({ length: idsMade }, newId);
  expect(new Set(ids).size).toBe(idsMade);
  expect(ids).toEqual(ids.toSorted());
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('uses each random number once', () => {
  let calls = 0;
  const counted = (size: number): Uint8Array => {
    calls += 1;
    return Uint8Array.from({ length: size }, (_, at) => (at + calls) % 256);
  };
  const newId = createTimeOrderedIds(counted);
  const tails = Array.from({ length: 100 }, () => newId().slice(-8));
  expect(calls).toBe(1);
  expect(new Set(tails).size).toBeGreaterThan(50);
});

test('two generators never share a pool', () => {
  const [one, other] = [createTimeOrderedIds(randomBytes), createTimeOrderedIds(randomBytes)];
  const ids = Array.from({ length: 1_000 }, (_, at) => (at % 2 === 0 ? one() : other()));
  expect(new Set(ids).size).toBe(ids.length);
});
