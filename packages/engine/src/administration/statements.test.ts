import { expect, test } from 'vitest';
import { createEngineWorld, idOf } from '../../test/engine-world.ts';

test('reads entries newest first, and pages on by number', async () => {
  const world = await createEngineWorld(1_000n);
  for (let ran = 0; ran < 3; ran += 1) await world.run();
  const entries = await world.admin.readStatement(world.accountId);
  expect(entries.map(({ seq, amountMicros }) => [seq, amountMicros])).toEqual([
    [4, -5n],
    [3, -5n],
    [2, -5n],
    [1, 1_000n],
  ]);
  expect((await world.admin.readStatement(world.accountId, 3)).map(({ seq }) => seq)).toEqual([2, 1]);
});

test('names operation and tariff on every debit', async () => {
  const world = await createEngineWorld();
  const id = idOf(await world.run());
  expect((await world.admin.readStatement(world.accountId))[0]).toMatchObject({
    kind: 'debit',
    operationId: id,
    tariffVersion: 'v1',
  });
});

test('lists operations by account, project and state, and pages on', async () => {
  const world = await createEngineWorld();
  const ids: string[] = [];
  for (let ran = 0; ran < 3; ran += 1) {
    ids.unshift(idOf(await world.run()));
    await world.clock.advance(1);
  }
  const broken = idOf(await world.run({ execute: () => Promise.reject(new Error('reset')) }));
  const list = world.admin.listOperations;
  const byAccount = await list({ kind: 'account', accountId: world.accountId });
  expect(byAccount.map(({ id }) => id)).toEqual([broken, ...ids]);
  const byProject = await list({ kind: 'project', projectId: world.projectId }, byAccount[1]);
  expect(byProject.map(({ id }) => id)).toEqual(ids.slice(1));
  expect((await list({ kind: 'state', state: 'uncertain' })).map(({ id }) => id)).toEqual([broken]);
  expect(await list({ kind: 'state', state: 'processing' })).toEqual([]);
});

test('answers null for an operation that is not there', async () => {
  const { admin } = await createEngineWorld();
  expect(await admin.readOperation('nobody')).toBeNull();
});
