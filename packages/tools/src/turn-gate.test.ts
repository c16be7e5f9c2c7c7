import { expect, test } from 'vitest';
import { createTurnGate, placesPerProject, type TurnGateLimits } from './turn-gate.ts';

const limits: TurnGateLimits = { runningMax: 2, waitingMax: 8, runningPerProjectMax: 1, waitingPerProjectMax: 4 };

const settle = async (): Promise<void> => {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
};

/** Callers whose work ends when a test says so; notes in which order they begin. */
const callers = (given: Partial<TurnGateLimits> = {}) => {
  const gate = createTurnGate({ ...limits, ...given });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    began,
    come: (projectId: string, name: string, signal?: AbortSignal) =>
      gate.run(
        () => {
          began.push(name);
          return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
        },
        { projectId, signal },
      ),
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await settle();
    },
  };
};

test('a project that fills its places leaves one to the others', async () => {
  const { come, began } = callers();
  for (const name of ['a1', 'a2', 'a3']) void come('a', name);
  void come('b', 'b1');
  await settle();
  expect(began).toEqual(['a1', 'b1']);
});

test('projects take turns, however many of one wait', async () => {
  const { come, began, end } = callers({ runningMax: 1 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void come('a', name);
  for (const name of ['b1', 'b2']) void come('b', name);
  void come('c', 'c1');
  await settle();
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name);
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('rejects those of a project beyond its share of the queue, and lets others wait', async () => {
  const { come, end, began } = callers({ runningMax: 1, waitingPerProjectMax: 1 });
  void come('a', 'a1');
  void come('a', 'a2');
  expect(await come('a', 'a3')).toBeUndefined();
  void come('b', 'b1');
  await settle();
  await end('a1');
  expect(began).toEqual(['a1', 'b1']);
});

test('rejects callers beyond those that may wait', async () => {
  const { come } = callers({ runningMax: 1, waitingMax: 1 });
  void come('a', 'a1');
  void come('b', 'b1');
  expect(await come('c', 'c1')).toBeUndefined();
});

test('lets a caller that gives up go at once, without its work, and gives its place in the queue to another', async () => {
  const { come, began, end } = callers({ runningMax: 1, waitingMax: 1 });
  const patience = new AbortController();
  void come('a', 'a1');
  const waiting = come('b', 'b1', patience.signal);
  patience.abort();
  expect(await waiting).toBeUndefined();
  void come('c', 'c1');
  await settle();
  await end('a1');
  expect(began).toEqual(['a1', 'c1']);
  expect(await come('d', 'd1', patience.signal)).toBeUndefined();
});

test('leaves a place to others where there is more than one', () => {
  expect([1, 2, 4].map(placesPerProject)).toEqual([1, 1, 3]);
});
