import { expect, test } from 'vitest';
import { createEngineWorld, holdMicros } from '../../test/engine-world.ts';
import { microsMax } from '../ledger/micros.ts';

const input = { amountMicros: 7n, reference: 'invoice 1' };

test('adds a deposit once, however often it is sent', async () => {
  const { admin, accountId } = await createEngineWorld(0n);
  expect(await admin.deposit({ accountId, ...input })).toMatchObject({ kind: 'done', wallet: { balanceMicros: 7n } });
  expect(await admin.deposit({ accountId, ...input })).toMatchObject({
    kind: 'repeated',
    wallet: { balanceMicros: 7n },
  });
  expect(await admin.readStatement(accountId)).toMatchObject([
    { kind: 'deposit', amountMicros: 7n, reference: 'invoice 1', seq: 1 },
  ]);
});

test('adds a deposit once where its first answer was lost', async () => {
  const world = await createEngineWorld(0n);
  const { admin, accountId } = world;
  world.faults = () => ({ kind: 'unconfirmed' });
  await expect(admin.deposit({ accountId, ...input })).rejects.toThrow('unconfirmed');
  world.faults = () => undefined;
  expect(await admin.deposit({ accountId, ...input })).toMatchObject({ kind: 'repeated' });
  expect(await admin.readWallet(accountId)).toMatchObject({ balanceMicros: 7n });
});

test('refuses the same reference with another amount', async () => {
  const { admin, accountId } = await createEngineWorld(0n);
  await admin.deposit({ accountId, ...input });
  expect(await admin.deposit({ accountId, ...input, amountMicros: 8n })).toEqual({ kind: 'conflict' });
});

test.each([0n, -1n, microsMax + 1n])('refuses a deposit of %s [ledger:numbers:micro]', async (amountMicros) => {
  const { admin, accountId } = await createEngineWorld(0n);
  await expect(admin.deposit({ accountId, ...input, amountMicros })).rejects.toMatchObject({
    code: 'configuration_invalid',
  });
});

test.each(['', 'x'.repeat(201)])('refuses a reference of unfit length', async (reference) => {
  const { admin, accountId } = await createEngineWorld(0n);
  await expect(admin.deposit({ accountId, ...input, reference })).rejects.toMatchObject({
    code: 'configuration_invalid',
  });
  await expect(admin.compensate({ accountId, ...input, reference })).rejects.toMatchObject({
    code: 'configuration_invalid',
  });
});

test('refuses what would lift the balance beyond every amount', async () => {
  const { admin, accountId } = await createEngineWorld(0n);
  await admin.deposit({ accountId, amountMicros: microsMax, reference: 'all' });
  expect(await admin.deposit({ accountId, ...input })).toEqual({ kind: 'too_large' });
});

test('answers missing for an account that is not there', async () => {
  const { admin } = await createEngineWorld(0n);
  expect(await admin.deposit({ accountId: '00000000-0000-7000-8000-00000000abcd', ...input })).toEqual({
    kind: 'missing',
  });
});

test('corrects by an opposite entry that names the operation', async () => {
  const { admin, accountId } = await createEngineWorld();
  await admin.compensate({ accountId, amountMicros: -30n, reference: 'correction', operationId: 'o' });
  expect(await admin.readWallet(accountId)).toMatchObject({ balanceMicros: 70n });
  expect((await admin.readStatement(accountId))[0]).toMatchObject({ kind: 'compensation', operationId: 'o', seq: 2 });
});

test('takes free balance only when it corrects downwards', async () => {
  const world = await createEngineWorld();
  const { admin, accountId } = world;
  await world.run({ execute: () => Promise.reject(new Error('reset')) });
  expect(await admin.compensate({ accountId, amountMicros: -91n, reference: 'too much' })).toMatchObject({
    kind: 'insufficient',
  });
  expect(await admin.compensate({ accountId, amountMicros: -90n, reference: 'all' })).toMatchObject({ kind: 'done' });
  expect(await admin.readWallet(accountId)).toMatchObject({ balanceMicros: holdMicros, reservedMicros: holdMicros });
});

test('refuses a correction of nothing, or of more than any amount', async () => {
  const { admin, accountId } = await createEngineWorld();
  for (const amountMicros of [0n, microsMax + 1n, -microsMax - 1n])
    await expect(admin.compensate({ accountId, amountMicros, reference: 'r' })).rejects.toMatchObject({
      code: 'configuration_invalid',
    });
});

test('settles what waited, oldest first, as far as a deposit or an upward correction reaches', async () => {
  const world = await createEngineWorld(2n * holdMicros);
  const { admin, accountId } = world;
  const hungry = { execute: async () => 14 };
  const outcomes = await Promise.all([world.run(hungry), world.run(hungry)]);
  expect(outcomes).toMatchObject([{ code: 'settlement_pending' }, { code: 'settlement_pending' }]);
  await admin.deposit({ accountId, amountMicros: 5n, reference: 'one' });
  expect(await admin.listOperations({ kind: 'state', state: 'uncertain' })).toHaveLength(1);
  await admin.compensate({ accountId, amountMicros: 3n, reference: 'two' });
  expect(await admin.listOperations({ kind: 'state', state: 'uncertain' })).toEqual([]);
  expect(await admin.readWallet(accountId)).toMatchObject({ balanceMicros: 0n, reservedMicros: 0n });
});
