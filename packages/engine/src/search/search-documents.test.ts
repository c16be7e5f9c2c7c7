import { expect, test } from 'vitest';
import { createDocumentWorld } from '../../test/document-world.ts';
import { deleteResource } from '../resources/delete-resource.ts';

test('looks as far as it must where what lies nearest may not be shown', async () => {
  const world = await createDocumentWorld({ chunkCharactersMax: 40, overlapCharacters: 0 });
  const store = await world.createStore();
  const gone = await world.index(store, Array.from({ length: 20 }, () => 'Ships wait at anchor in here.').join('\n\n'));
  const kept = await world.index(store, 'Bread rises in a warm kitchen.');
  await world.work();
  expect((await world.search([store], 'ships at anchor')).map(({ documentId }) => documentId)).toEqual([
    gone,
    gone,
    gone,
  ]);
  await deleteResource(world.engine, world.projectId, { kind: 'document', id: gone });
  expect(await world.chunks(store)).toBeGreaterThan(20);
  expect((await world.search([store], 'ships at anchor')).map(({ documentId }) => documentId)).toEqual([kept]);
});

test('costs nothing where there is nothing to look in', async () => {
  const world = await createDocumentWorld();
  const store = await world.createStore();
  expect(await world.search([store, 'unknown'], 'ships')).toEqual([]);
  expect(world.handed).toEqual([]);
});

test('looks in no store of another project, whatever name the model gives', async () => {
  const world = await createDocumentWorld();
  const store = await world.createStore();
  await world.index(store, 'Ships wait at anchor.');
  await world.work();
  expect(await world.search([store], 'ships', 3)).toHaveLength(1);
  expect(await world.search([store], 'ships', 3, 'another')).toEqual([]);
});

test('puts the passages of several stores in one order', async () => {
  const world = await createDocumentWorld();
  const [one, two] = [await world.createStore(), await world.createStore()];
  await world.index(one, 'Bread rises overnight.');
  const ships = await world.index(two, 'Ships wait at anchor.');
  await world.work();
  const found = await world.search([one, two, one], 'ships wait');
  expect(found).toHaveLength(2);
  expect(found[0]?.documentId).toBe(ships);
  expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? 1);
  expect(world.handed.slice(2)).toEqual([['ships wait']]);
});
