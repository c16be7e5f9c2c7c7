import { NotExecuted, type Attempt } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createEngineWorld, idOf } from '../../test/engine-world.ts';

const attempt = (rest: Partial<Attempt>): Attempt => ({
  startedAtMs: 1,
  durationMs: 2,
  status: 200,
  outcome: 'answered',
  ...rest,
});

const failed = attempt({ status: 503, outcome: 'refused', provider: 'first choice' });

test('writes on each attempt the provider that made it, also where another one answered', async () => {
  const world = await createEngineWorld();
  const outcome = await world.run({
    execute: async ({ recordAttempt }) => {
      recordAttempt(failed);
      recordAttempt(attempt({ provider: 'second choice' }));
      return 1;
    },
  });
  const operation = await world.admin.readOperation(idOf(outcome));
  expect(operation?.attempts.map(({ provider, status }) => [provider, status])).toEqual([
    ['first choice', 503],
    ['second choice', 200],
  ]);
});

test('writes the provider that was called where an attempt names none', async () => {
  const world = await createEngineWorld();
  const outcome = await world.run({
    execute: async ({ recordAttempt }) => {
      recordAttempt(attempt({}));
      return 1;
    },
  });
  expect((await world.admin.readOperation(idOf(outcome)))?.attempts).toMatchObject([{ provider: 'scripted' }]);
});

test('keeps the attempts of what was never executed', async () => {
  const world = await createEngineWorld();
  const outcome = await world.run({
    execute: ({ recordAttempt }) => {
      recordAttempt(failed);
      return Promise.reject(new NotExecuted({ reason: 'unavailable' }));
    },
  });
  expect(await world.admin.readOperation(idOf(outcome))).toMatchObject({ state: 'failed', attempts: [failed] });
});
