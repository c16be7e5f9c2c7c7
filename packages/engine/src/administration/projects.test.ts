import { expect, test } from 'vitest';
import { createEngineWorld } from '../../test/engine-world.ts';

const chosenId = '00000000-0000-7000-8000-00000000abcd';

test('opens a project once, however often it is sent', async () => {
  const { admin, accountId } = await createEngineWorld();
  const first = await admin.createProject({ accountId, name: 'Shop', id: chosenId });
  expect(await admin.createProject({ accountId, name: 'Another', id: chosenId })).toEqual(first);
  expect((await admin.listProjects(accountId)).map(({ name }) => name).toSorted()).toEqual(['Engine', 'Shop']);
});

test('pauses, blocks and frees a project [auth:project:paused]', async () => {
  const world = await createEngineWorld();
  await world.admin.setProjectStatus(world.projectId, 'paused');
  expect(await world.run()).toMatchObject({ code: 'project_paused', requestId: null });
  await world.admin.setProjectStatus(world.projectId, 'blocked');
  expect(await world.run()).toMatchObject({ code: 'access_blocked' });
  await world.admin.setProjectStatus(world.projectId, 'active');
  expect(await world.run()).toMatchObject({ kind: 'completed' });
});

test('returns null for an account or project that is not there', async () => {
  const { admin } = await createEngineWorld();
  expect(await admin.createProject({ accountId: chosenId, name: 'Shop' })).toBeNull();
  expect(await admin.setProjectStatus(chosenId, 'paused')).toBeNull();
  expect(await admin.listProjects(chosenId)).toEqual([]);
});

test('draws projects of an account on one wallet [ledger:wallet:shared]', async () => {
  const world = await createEngineWorld();
  const other = await world.admin.createProject({ accountId: world.accountId, name: 'Other' });
  const { accountId, keyId } = world;
  await world.run();
  await world.run({ access: { accountId, keyId, projectId: other?.id ?? '' } });
  expect(await world.admin.readWallet(accountId)).toMatchObject({ balanceMicros: 90n });
});
