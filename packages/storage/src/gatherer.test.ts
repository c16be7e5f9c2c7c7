import { expect, test } from 'vitest';
import { createGatherer, type QueuedStep } from './gatherer.ts';
import { storageBusyCode, type Decide } from './storage.ts';

const answering =
  (answer: number): Decide<number> =>
  () => ({ writes: [], answer });
const noRecords = { get: () => undefined };

const settle = (steps: readonly QueuedStep[]): void => {
  for (const step of steps) step.resolve(step.decide(noRecords, 0).answer);
};

/** A schedule whose take-offs wait until the test runs them. */
const heldSchedule = () => {
  const held: (() => void)[] = [];
  return { schedule: (takeOff: () => void) => held.push(takeOff), run: () => held.splice(0).forEach((go) => go()) };
};

test('carries everything that waits in one flight, in the order submitted', async () => {
  const flights: number[] = [];
  const { schedule, run } = heldSchedule();
  const gatherer = createGatherer({
    schedule,
    fly: (steps) => {
      flights.push(steps.length);
      settle(steps);
    },
  });
  const answers = [1, 2, 3].map((answer) => gatherer.submit([], answering(answer)));
  run();
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  expect(flights).toEqual([3]);
});

test('gathers the next flight while one is in the air', async () => {
  const flights: number[] = [];
  const takenOff = Promise.withResolvers<void>();
  const mayLand = Promise.withResolvers<void>();
  const gatherer = createGatherer({
    fly: async (steps) => {
      flights.push(steps.length);
      takenOff.resolve();
      await mayLand.promise;
      settle(steps);
    },
  });
  const first = gatherer.submit([], answering(1));
  await takenOff.promise;
  expect(gatherer.waiting()).toBe(0);
  const later = [2, 3].map((answer) => gatherer.submit([], answering(answer)));
  expect(gatherer.waiting()).toBe(2);
  mayLand.resolve();
  expect(await Promise.all([first, ...later])).toEqual([1, 2, 3]);
  expect(flights).toEqual([1, 2]);
});

test('carries at most the limit in one flight and the rest in the next', async () => {
  const flights: number[] = [];
  const gatherer = createGatherer({
    stepsPerFlightMax: 2,
    fly: (steps) => {
      flights.push(steps.length);
      settle(steps);
    },
  });
  await Promise.all([1, 2, 3, 4, 5].map((answer) => gatherer.submit([], answering(answer))));
  expect(flights).toEqual([2, 2, 1]);
});

test('refuses one step more than may wait, by code, and takes steps again afterwards', async () => {
  const { schedule, run } = heldSchedule();
  const gatherer = createGatherer({ stepsWaitingMax: 2, schedule, fly: settle });
  const taken = [gatherer.submit([], answering(1)), gatherer.submit([], answering(2))];
  await expect(gatherer.submit([], answering(3))).rejects.toMatchObject({ code: storageBusyCode });
  run();
  expect(await Promise.all(taken)).toEqual([1, 2]);
  const again = gatherer.submit([], answering(4));
  await new Promise(setImmediate);
  run();
  expect(await again).toBe(4);
});

test('rejects the steps of a flight that failed and flies the next', async () => {
  let flights = 0;
  const gatherer = createGatherer({
    fly: (steps) => {
      flights += 1;
      if (flights === 1) throw new Error('crashed');
      settle(steps);
    },
  });
  await expect(gatherer.submit([], answering(1))).rejects.toThrow('crashed');
  expect(await gatherer.submit([], answering(2))).toBe(2);
});

test('gives steps with a key of their own lane a flight of their own', async () => {
  const flights: [number, number][] = [];
  const gatherer = createGatherer({
    lanes: 2,
    laneOf: (keys) => (keys[0]?.id === 'odd' ? 3 : 0),
    fly: (steps, lane) => {
      flights.push([lane, steps.length]);
      settle(steps);
    },
  });
  await Promise.all([
    gatherer.submit([{ table: 'setting', id: 'odd' }], answering(1)),
    gatherer.submit([{ table: 'setting', id: 'even' }], answering(2)),
    gatherer.submit([{ table: 'setting', id: 'odd' }], answering(3)),
  ]);
  expect(flights).toEqual([
    [1, 2],
    [0, 1],
  ]);
});

test('is idle at once when nothing waits, and otherwise when the last flight has landed', async () => {
  const landed: string[] = [];
  const gatherer = createGatherer({
    stepsPerFlightMax: 1,
    fly: (steps) => {
      landed.push('flight');
      settle(steps);
    },
  });
  await gatherer.idle();
  const steps = [gatherer.submit([], answering(1)), gatherer.submit([], answering(2))];
  const idle = gatherer.idle().then(() => landed.push('idle'));
  await Promise.all([...steps, idle]);
  expect(landed).toEqual(['flight', 'flight', 'idle']);
});
