import { NotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createDocumentWorld, type DocumentWorld } from '../../test/document-world.ts';
import { environmentFiles } from '../resources/environment/environment-files.ts';
import { fileSearch } from './file-search.ts';

const runIn = async (world: DocumentWorld, store: string, query: unknown) => {
  const runner = fileSearch({ engine: world.engine, findEmbedder: () => world.embedder });
  const context = {
    operationId: 'interaction',
    projectId: world.projectId,
    accountId: world.accountId,
    keyId: 'key',
    model: 'model',
    environmentId: null,
    environmentFiles: environmentFiles(world.engine),
    mayAsk: () => Promise.resolve({ kind: 'allowed' as const, headers: {} }),
    signal: new AbortController().signal,
  };
  const setting = { kind: 'file_search', stores: [{ id: store, reference: null }] } as const;
  expect(await runner.declare(setting, context)).toMatchObject([{ name: 'file_search' }]);
  return runner.run?.(setting, { id: 'call', name: 'file_search', arguments: { query } }, context);
};

const openStore = async () => {
  const world = await createDocumentWorld();
  const store = await world.createStore();
  await world.index(store, 'Ships wait at anchor.');
  await world.work();
  return { world, store };
};

test('answers passages to the model and the client, with where they stand [interactions:tools:file-search]', async () => {
  const { world, store } = await openStore();
  const outcome = await runIn(world, store, 'where do ships wait');
  expect(outcome).toMatchObject({
    result: [{ store_id: store, file_name: 'f1', page_number: null, text: 'Ships wait at anchor.' }],
    told: '[1] f1\nShips wait at anchor.',
    annotations: [{ type: 'file_citation', file_name: 'f1', page_number: null, start_index: 0, end_index: 21 }],
    usage: [
      { unit: 'embedding_tokens', quantity: 4, confirmed: true },
      { unit: 'retrieval_queries', quantity: 1, confirmed: true },
    ],
  });
});

test('says that there is nothing, for nothing, in a store without documents', async () => {
  const { world } = await openStore();
  expect(await runIn(world, await world.createStore(), 'ships')).toEqual({
    result: [],
    told: 'Nothing was found.',
    annotations: [],
    usage: [],
  });
});

test.each([undefined, '', '  ', 7, 'x'.repeat(2_001)])(
  'tells the model that %j is no question, for nothing',
  async (query) => {
    const { world, store } = await openStore();
    expect(await runIn(world, store, query)).toMatchObject({ isError: true, usage: [] });
    expect(world.handed).toHaveLength(1);
  },
);

test('tells the model that nothing was searched where nothing was executed, and throws where the outcome is unknown', async () => {
  const { world, store } = await openStore();
  world.scriptEmbeds(
    () => Promise.reject(new NotExecuted({ reason: 'unavailable', cause: new Error('upstream words') })),
    () => Promise.reject(new Error('lost')),
  );
  const outcome = await runIn(world, store, 'ships');
  expect(outcome).toMatchObject({ isError: true, usage: [] });
  expect(JSON.stringify(outcome)).not.toContain('upstream words');
  await expect(runIn(world, store, 'ships')).rejects.toThrow('lost');
});
