import { expect, test } from 'vitest';
import { createEngineWorld, holdMicros, idOf } from '../../test/engine-world.ts';

const createUncertain = async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run({ identity: 'once', execute: () => Promise.reject(new Error('reset')) }));
  return { world, id };
};

test('settles with the amount that was found out [requests:move:uncertain-resolved]', async () => {
  const { world, id } = await createUncertain();
  expect(await world.admin.resolveOperation(id, { executed: true, amountMicros: 6n })).toMatchObject({
    kind: 'resolved',
    operation: { state: 'completed', chargedMicros: 6n, holdMicros: 0n },
  });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 94n, reservedMicros: 0n });
});

test('fails what was not executed, and frees its hold [requests:move:uncertain-resolved]', async () => {
  const { world, id } = await createUncertain();
  expect(await world.admin.resolveOperation(id, { executed: false })).toMatchObject({
    kind: 'resolved',
    operation: { state: 'failed', chargedMicros: 0n },
  });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 100n, reservedMicros: 0n });
  expect(await world.run({ identity: 'once' })).toMatchObject({ code: 'previous_request_failed' });
});

test('needs an amount where none was measured', async () => {
  const { world, id } = await createUncertain();
  expect(await world.admin.resolveOperation(id, { executed: true })).toEqual({ kind: 'amount_needed' });
  await expect(world.admin.resolveOperation(id, { executed: true, amountMicros: -1n })).rejects.toThrow(RangeError);
});

test('takes the measure that waits for balance, and goes on waiting where it is still short', async () => {
  const world = await createEngineWorld(holdMicros);
  const id = idOf(await world.run({ execute: async () => 15 }));
  expect(await world.admin.resolveOperation(id, { executed: true })).toMatchObject({ kind: 'pending' });
  expect(await world.admin.resolveOperation(id, { executed: true, amountMicros: 9n })).toMatchObject({
    kind: 'resolved',
    operation: { chargedMicros: 9n },
  });
});

test('decides once: a second verdict changes nothing', async () => {
  const { world, id } = await createUncertain();
  await world.admin.resolveOperation(id, { executed: true, amountMicros: 6n });
  expect(await world.admin.resolveOperation(id, { executed: false })).toMatchObject({
    kind: 'not_uncertain',
    operation: { state: 'completed' },
  });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 94n });
});

test('has one winner between two verdicts in one instant', async () => {
  const { world, id } = await createUncertain();
  const answers = await Promise.all([
    world.admin.resolveOperation(id, { executed: true, amountMicros: 6n }),
    world.admin.resolveOperation(id, { executed: false }),
  ]);
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['not_uncertain', 'resolved']);
  expect((await world.admin.audit()).violations).toEqual([]);
});

test('leaves what is not uncertain as it is', async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run());
  expect(await world.admin.resolveOperation(id, { executed: false })).toMatchObject({ kind: 'not_uncertain' });
  expect(await world.admin.resolveOperation('nobody', { executed: false })).toEqual({ kind: 'missing' });
});
