import { expect, test } from 'vitest';
import { createEngineWorld, holdMicros } from '../../test/engine-world.ts';
import { createStoredGauges, holdsByAge } from './stored-gauges.ts';

const second = 1_000;

test('groups holds by their age, and counts no operation without a hold', () => {
  const nowMs = 1_000_000_000;
  const aged = (ageMs: number, micros = 5n) => ({ createdAtMs: nowMs - ageMs, holdMicros: micros });
  const rows = [aged(0), aged(59_999), aged(60 * second), aged(3_600 * second), aged(90_000 * second), aged(1, 0n)];
  expect(holdsByAge(rows, nowMs)).toEqual([
    { ageSecondsMax: 60, count: 2, heldMicros: 10n },
    { ageSecondsMax: 600, count: 1, heldMicros: 5n },
    { ageSecondsMax: 3_600, count: 0, heldMicros: 0n },
    { ageSecondsMax: 86_400, count: 1, heldMicros: 5n },
    { ageSecondsMax: null, count: 1, heldMicros: 5n },
  ]);
});

test('counts every hold of the storage, uncertain ones among them', async () => {
  const world = await createEngineWorld(100n);
  await world.run({ execute: () => Promise.reject(new Error('lost')) });
  await world.run();
  const stored = await createStoredGauges(world.engine)();
  expect(stored).toMatchObject({ uncertain: 1, isWhole: true });
  const sum = stored?.holds.reduce((micros, { heldMicros }) => micros + heldMicros, 0n);
  expect(sum).toBe(holdMicros);
});

test('reads at most once in ten seconds, and returns null where the storage fails', async () => {
  const world = await createEngineWorld();
  const read = createStoredGauges(world.engine);
  expect(await read()).not.toBeNull();
  world.faults = () => ({ kind: 'refused' });
  expect(await read()).not.toBeNull();
  await world.clock.advance(10_000);
  expect(await read()).toBeNull();
  expect(world.warnings).toContain('what the storage holds could not be read for an observer');
});

test('counts a hold of one micro-credit', () => {
  const [first] = holdsByAge([{ createdAtMs: 0, holdMicros: 1n }], 0);
  expect(first).toEqual({ ageSecondsMax: 60, count: 1, heldMicros: 1n });
});
