import { expect, test } from 'vitest';
import { breathe, createEngineWorld, openPromise } from '../../test/engine-world.ts';

const chosenId = '00000000-0000-7000-8000-00000000abcd';

test('opens an account with an empty wallet', async () => {
  const { admin } = await createEngineWorld();
  const account = await admin.createAccount({ name: 'Grace' });
  expect(account).toMatchObject({ name: 'Grace', status: 'active' });
  expect(await admin.readWallet(account.id)).toMatchObject({ balanceMicros: 0n, reservedMicros: 0n });
});

test('changes nothing when the same account is opened again', async () => {
  const { admin } = await createEngineWorld();
  const first = await admin.createAccount({ id: chosenId, name: 'Grace' });
  await admin.deposit({ accountId: chosenId, amountMicros: 5n, reference: 'r' });
  expect(await admin.createAccount({ id: chosenId, name: 'Somebody else' })).toEqual(first);
  expect(await admin.readWallet(chosenId)).toMatchObject({ balanceMicros: 5n });
});

test('shuts an account out at once and lets it in again, while its operations go on', async () => {
  const world = await createEngineWorld();
  const { admin, accountId } = world;
  expect(await admin.setAccountStatus(accountId, 'blocked')).toMatchObject({ status: 'blocked' });
  expect(await world.run()).toMatchObject({ code: 'access_blocked', requestId: null });
  await admin.setAccountStatus(accountId, 'inactive');
  expect(await world.run()).toMatchObject({ code: 'ai_contract_inactive', requestId: null });
  await admin.setAccountStatus(accountId, 'active');
  expect(await world.run()).toMatchObject({ kind: 'completed' });
});

test('lists accounts newest first, page by page', async () => {
  const { admin, accountId, clock } = await createEngineWorld();
  await clock.advance(1);
  const second = await admin.createAccount({ name: 'second' });
  await clock.advance(1);
  const third = await admin.createAccount({ name: 'third' });
  expect((await admin.listAccounts()).map(({ id }) => id)).toEqual([third.id, second.id, accountId]);
  const after = { order: second.createdAtMs, id: second.id };
  expect((await admin.listAccounts(after)).map(({ id }) => id)).toEqual([accountId]);
});

test('returns null for an account that is not there', async () => {
  const { admin } = await createEngineWorld();
  expect(await admin.readWallet(chosenId)).toBeNull();
  expect(await admin.setAccountStatus(chosenId, 'blocked')).toBeNull();
});

test('refuses a name of an account or project that a page of a hundred has no room for, and says what is accepted', async () => {
  const { admin, accountId } = await createEngineWorld();
  const name = 'x'.repeat(1_001);
  await expect(admin.createAccount({ name })).rejects.toThrow('at most 1000 characters');
  await expect(admin.createProject({ accountId, name })).rejects.toThrow('at most 1000 characters');
  expect(await admin.createAccount({ name: 'x'.repeat(1_000) })).toMatchObject({ status: 'active' });
  expect(await admin.createProject({ accountId, name: '' })).toMatchObject({ status: 'active' });
});

test('keeps what a host writes with an account, and gives it back as it was', async () => {
  const { admin } = await createEngineWorld();
  const { id } = await admin.createAccount({ name: 'Grace', metadata: { customer: 'c7' } });
  expect(await admin.readAccount(id)).toMatchObject({ name: 'Grace', metadata: { customer: 'c7' } });
  expect(await admin.changeAccount(id, { name: 'Grace H.' })).toMatchObject({
    name: 'Grace H.',
    metadata: { customer: 'c7' },
  });
  expect(await admin.changeAccount(id, { metadata: {} })).toMatchObject({ name: 'Grace H.', metadata: null });
  expect(await admin.changeAccount(chosenId, { name: 'nobody' })).toBeNull();
});

test('closes an account: nothing new is opened, what runs settles, and its wallet stays', async () => {
  const world = await createEngineWorld(1_000n);
  const { admin, accountId } = world;
  const answered = openPromise<number>();
  const running = world.run({ execute: () => answered.promise });
  await breathe();
  expect(await admin.readWallet(accountId)).toMatchObject({ reservedMicros: 10n });
  expect(await admin.closeAccount(accountId)).toMatchObject({
    account: { status: 'closed' },
    wallet: { balanceMicros: 1_000n, reservedMicros: 10n },
  });
  expect(await admin.closeAccount(chosenId)).toBeNull();
  expect(await world.run()).toMatchObject({ code: 'access_blocked', requestId: null });
  expect(await admin.createProject({ accountId, name: 'late' })).toBeNull();
  answered.resolve(7);
  expect(await running).toMatchObject({ kind: 'completed' });
  expect(await admin.readWallet(accountId)).toMatchObject({ balanceMicros: 993n, reservedMicros: 0n });
  expect(await admin.setAccountStatus(accountId, 'active')).toMatchObject({ status: 'closed' });
  expect((await admin.audit()).violations).toEqual([]);
});

test('finds accounts by name, id and metadata, in pages', async () => {
  const { admin, clock, accountId } = await createEngineWorld();
  for (const name of ['Grace', 'grace two', 'Edsger']) {
    await clock.advance(1);
    await admin.createAccount({ name, metadata: { customer: `no ${name.length}` } });
  }
  const names = async (query: Parameters<typeof admin.findAccounts>[0]) =>
    (await admin.findAccounts(query)).items.map(({ name }) => name);
  expect(await names({})).toEqual(['Edsger', 'grace two', 'Grace', 'Ada']);
  expect(await names({ search: 'GRACE' })).toEqual(['grace two', 'Grace']);
  expect(await names({ search: 'no 6' })).toEqual(['Edsger']);
  expect(await names({ search: accountId })).toEqual(['Ada']);
  const first = await admin.findAccounts({ search: 'grace', limit: 1 });
  expect(first.items.map(({ name }) => name)).toEqual(['grace two']);
  expect(await names({ search: 'grace', limit: 1, after: first.next ?? undefined })).toEqual(['Grace']);
  expect((await admin.findAccounts({ limit: 4 })).next).toBeNull();
});
