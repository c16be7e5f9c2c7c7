import OpenAI, { toFile } from 'openai';
import { expect } from 'vitest';
import { refuses, works, type Feature } from './client-table.ts';
import type { RunningGateway } from './running-gateway.ts';

const facts = [
  'The lock of the harbour opens at six in the morning.',
  'The ferry to the island carries forty cars.',
  'The lighthouse was built of granite in 1871.',
];

const textFile = (text: string, name = 'a.txt') => toFile(Buffer.from(text), name);

/** What a client does with vector stores. */
export const vectorStoreFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = () => new OpenAI({ baseURL: world().baseUrl, apiKey: world().key, maxRetries: 0 });
  const stores = () => client().vectorStores;

  /** Runs the jobs of the gateway while a client polls it. */
  const polled = async <T>(polling: Promise<T>): Promise<T> => {
    const state = { isOver: false };
    const ended = polling.finally(() => {
      state.isOver = true;
    });
    while (!state.isOver) {
      await world().gateway.jobs.runDue();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ended;
  };
  const pollIntervalMs = 5;

  return [
    works('vector stores: create, retrieve, list, delete', async () => {
      const store = await stores().create({ name: 'Harbour', metadata: { town: 'Faro' } });
      expect(store).toMatchObject({ object: 'vector_store', name: 'Harbour', metadata: { town: 'Faro' } });
      expect(await stores().retrieve(store.id)).toMatchObject({ id: store.id, status: 'completed' });
      const ids: string[] = [];
      for await (const { id } of stores().list({ limit: 1 })) ids.push(id);
      expect(ids).toContain(store.id);
      expect(await stores().delete(store.id)).toEqual({ id: store.id, object: 'vector_store.deleted', deleted: true });
    }),
    works('files of a vector store: uploadAndPoll, list, delete, and a search', async () => {
      const { id } = await stores().create({ name: 'Harbour' });
      const [lock = ''] = facts;
      const uploaded = stores().files.uploadAndPoll(id, await textFile(lock), { pollIntervalMs });
      const file = await polled(uploaded);
      expect(file).toMatchObject({ status: 'completed', last_error: null, usage_bytes: lock.length });
      const { data } = await stores().search(id, { query: lock, max_num_results: 3 });
      expect(data[0]).toMatchObject({ file_id: file.id, filename: 'a.txt', content: [{ type: 'text', text: lock }] });
      expect((await stores().files.list(id, { filter: 'completed' })).data.map((each) => each.id)).toEqual([file.id]);
      await stores().files.delete(file.id, { vector_store_id: id });
      expect((await stores().search(id, { query: lock })).data).toEqual([]);
    }),
    works('batches of files of a vector store: uploadAndPoll, createAndPoll', async () => {
      const { id } = await stores().create({});
      const files = await Promise.all(facts.map((text, place) => textFile(text, `${place}.txt`)));
      const uploaded = await polled(stores().fileBatches.uploadAndPoll(id, { files }, { pollIntervalMs }));
      expect(uploaded).toMatchObject({ status: 'completed', file_counts: { total: 3, completed: 3, failed: 0 } });
      const listed = await stores().fileBatches.listFiles(uploaded.id, { vector_store_id: id });
      expect(listed.data).toHaveLength(3);
      const more = await client().files.create({ file: await textFile('More.'), purpose: 'assistants' });
      const attributes = { year: 1871 };
      const body = { files: [{ file_id: more.id, attributes }] };
      const created = await polled(stores().fileBatches.createAndPoll(id, body, { pollIntervalMs }));
      expect(created.file_counts.completed).toBe(1);
      expect(await stores().files.retrieve(more.id, { vector_store_id: id })).toMatchObject({ attributes });
    }),
    works('a search once under its Idempotency-Key', async () => {
      const file = await client().files.create({ file: await textFile('Ferry.'), purpose: 'assistants' });
      const { id } = await stores().create({ file_ids: [file.id] });
      await polled(stores().files.poll(id, file.id, { pollIntervalMs }));
      const search = () =>
        stores()
          .search(id, { query: 'Ferry?' }, { headers: { 'Idempotency-Key': 'search-once' } })
          .withResponse();
      const [first, second] = [await search(), await search()];
      expect(second.data.data).toEqual(first.data.data);
      expect(second.response.headers.get('idempotency-replayed')).toBe('true');
    }),
    refuses('changing a vector store', 'vector store does not change', async () => {
      const { id } = await stores().create({});
      return stores().update(id, { name: 'Other' });
    }),
    refuses('filters of a search', 'filters', async () => {
      const { id } = await stores().create({});
      return stores().search(id, { query: 'a', filters: { type: 'eq', key: 'year', value: 1 } });
    }),
    refuses('stores that expire', 'expires_after', async () =>
      stores().create({ expires_after: { anchor: 'last_active_at', days: 1 } }),
    ),
    refuses('chunks of a size of its own', 'chunking_strategy', async () =>
      stores().create({
        chunking_strategy: { type: 'static', static: { chunk_overlap_tokens: 0, max_chunk_size_tokens: 100 } },
      }),
    ),
  ];
};
