import { NotExecuted, type ImportedDocument, type JobProgress, type ProviderStores } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createDocumentWorld } from '../../../test/document-world.ts';
import { environmentFiles } from '../environment/environment-files.ts';
import { deleteResource } from '../delete-resource.ts';
import { fileSearch } from '../../tools/file-search.ts';
import { findStoreReference } from '../store/store-reference.ts';
import { sweep } from '../../../test/process-parts.ts';

const done: JobProgress<ImportedDocument> = {
  kind: 'done',
  result: { reference: 'upstream document', usage: [{ unit: 'indexing_tokens', quantity: 7, confirmed: true }] },
};

type Poll = () => Promise<JobProgress<ImportedDocument>>;
type Start = () => Promise<{ readonly job: string }>;

/** Stores of an upstream that write down what they are asked. */
const scripted = () => {
  const asked: string[] = [];
  const polls: Poll[] = [];
  const starts: Start[] = [];
  let made = 0;
  const stores: ProviderStores = {
    create: async () => {
      made += 1;
      asked.push(`create ${made}`);
      return { reference: `upstream store ${made}` };
    },
    imports: {
      start: async ({ store, file }) => {
        asked.push(`import ${file.displayName} into ${store}`);
        return (starts.shift() ?? (async () => ({ job: 'job' })))();
      },
      poll: async (job) => {
        asked.push(`poll ${job}`);
        return (polls.shift() ?? (async () => done))();
      },
    },
    removeDocument: async (reference) => void asked.push(`remove ${reference}`),
    remove: async (reference) => void asked.push(`remove ${reference}`),
  };
  return { asked, polls, starts, stores };
};

const open = async () => {
  const upstream = scripted();
  const world = await createDocumentWorld({ triesMax: 3 }, 10_000n, upstream.stores);
  const store = await world.createStore({ upstream: true });
  const turn = async (ms = 60_000): Promise<void> => {
    await world.work();
    await world.clock.advance(ms);
  };
  return { ...upstream, world, store, turn };
};

test('hands a file over to the store that the provider keeps, once, and settles what it measured', async () => {
  const { asked, polls, world, store, turn } = await open();
  polls.push(
    async () => ({ kind: 'running', job: 'job, renamed', afterMs: 1_000 }),
    () => Promise.reject(new Error('not answered')),
  );
  const id = await world.index(store, 'Ships wait at anchor.');
  expect(await findStoreReference(world.engine, store, 'embedder')).toBeNull();
  for (let turns = 0; turns < 4; turns += 1) await turn();
  expect((await world.find('document', id)).operation).toMatchObject({ state: 'completed', chargedMicros: 7n });
  expect(asked).toEqual([
    'create 1',
    'import f1 into upstream store 1',
    'poll job',
    'poll job, renamed',
    'poll job, renamed',
  ]);
  expect(world.handed).toEqual([]);
  expect(await findStoreReference(world.engine, store, 'embedder')).toBe('upstream store 1');
  expect(await findStoreReference(world.engine, store, 'another')).toBeNull();
  expect(await world.search([store], 'ships')).toEqual([]);
  const runner = fileSearch({ engine: world.engine, findEmbedder: () => world.embedder });
  const setting = { kind: 'file_search', stores: [{ id: store, reference: null }] } as const;
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
  await expect(runner.declare(setting, context)).rejects.toMatchObject({ reason: 'invalid_request' });
});

test('keeps one of two stores that were made at once, and removes what is deleted', async () => {
  const { asked, world, store, turn } = await open();
  await Promise.all([world.index(store, 'One.'), world.index(store, 'Two.')]);
  for (let turns = 0; turns < 3; turns += 1) await turn();
  const reference = await findStoreReference(world.engine, store, 'embedder');
  expect(asked.filter((one) => one.startsWith('import'))).toEqual([
    `import f1 into ${reference}`,
    `import f1 into ${reference}`,
  ]);
  expect(asked.filter((one) => one.startsWith('remove upstream store')).length).toBe(
    asked.filter((one) => one.startsWith('create')).length - 1,
  );
  asked.length = 0;
  await deleteResource(world.engine, world.projectId, { kind: 'store', id: store });
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweep(world.engine);
  expect(asked.toSorted()).toEqual(['remove upstream document', 'remove upstream document', `remove ${reference}`]);
});

test('removes nothing at a provider that came in the place of the one that keeps the store', async () => {
  const { asked, world, store, turn } = await open();
  await world.index(store, 'One.');
  for (let turns = 0; turns < 3; turns += 1) await turn();
  asked.length = 0;
  Object.assign(world.embedder.provider, { name: 'another' });
  await deleteResource(world.engine, world.projectId, { kind: 'store', id: store });
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweep(world.engine);
  expect(asked.filter((one) => one.startsWith('remove upstream store'))).toEqual([]);
});

test('tries again what was not executed, fails what the upstream refuses, and marks uncertain what it lost', async () => {
  const { starts, polls, world, store, turn } = await open();
  starts.push(
    () => Promise.reject(new NotExecuted({ reason: 'unavailable' })),
    async () => ({ job: 'job' }),
    () => Promise.reject(new NotExecuted({ reason: 'invalid_request' })),
    () => Promise.reject(new Error('lost')),
  );
  polls.push(() => Promise.reject(new NotExecuted({ reason: 'failed' })));
  const states: string[] = [];
  for (const text of ['Failed later.', 'Refused.', 'Lost.']) {
    const id = await world.index(store, text);
    for (let turns = 0; turns < 4; turns += 1) await turn();
    states.push((await world.find('document', id)).operation.state);
  }
  expect(states).toEqual(['failed', 'failed', 'uncertain']);
});
