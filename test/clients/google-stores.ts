import { GoogleGenAI, type ImportFileOperation, type UploadToFileSearchStoreOperation } from '@google/genai';
import { expect } from 'vitest';
import { hasNoRoute, refuses, works, type Feature } from './client-table.ts';
import { boundModel, type RunningGateway } from './running-gateway.ts';

const ships = new Blob(['Ships wait at anchor.'], { type: 'text/plain' });

const clientOf = ({ baseUrl, key }: RunningGateway): GoogleGenAI =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl } });

type Indexing = UploadToFileSearchStoreOperation | ImportFileOperation;

/** Polls as the documentation of the library does, to the name of the document. */
const indexed = async (client: GoogleGenAI, begun: Indexing): Promise<string> => {
  let operation = begun;
  while (operation.done !== true) operation = await client.operations.get({ operation });
  return operation.response?.documentName ?? '';
};

const namesOf = async (pages: AsyncIterable<{ readonly name?: string }>): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const { name = '' } of pages) names.push(name);
  return names;
};

/** Stores, their documents, and the search of them, as `@google/genai` has them. */
export const storeFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const client = () => clientOf(world());
  const made = async (): Promise<string> =>
    (await client().fileSearchStores.create({ config: { displayName: 'Harbour' } })).name ?? '';
  const uploaded = async (store: string): Promise<string> => {
    const config = { displayName: 'ships.txt', mimeType: 'text/plain' };
    const asked = { fileSearchStoreName: store, file: ships, config };
    return indexed(client(), await client().fileSearchStores.uploadToFileSearchStore(asked));
  };
  return [
    works('file search stores: create, get, list, delete', async () => {
      const name = await made();
      expect((await client().fileSearchStores.get({ name })).displayName).toBe('Harbour');
      expect(await namesOf(await client().fileSearchStores.list({ config: { pageSize: 1 } }))).toContain(name);
      await client().fileSearchStores.delete({ name });
      await expect(client().fileSearchStores.get({ name })).rejects.toMatchObject({ status: 404 });
    }),
    works('files uploaded to a store, and documents: get, list, delete', async () => {
      const store = await made();
      const name = await uploaded(store);
      const { documents } = client().fileSearchStores;
      const { displayName, state, mimeType } = await documents.get({ name });
      expect([displayName, state, mimeType]).toEqual(['ships.txt', 'STATE_ACTIVE', 'text/plain']);
      expect(await namesOf(await documents.list({ parent: store }))).toEqual([name]);
      await documents.delete({ name, config: { force: true } });
      expect(await namesOf(await documents.list({ parent: store }))).toEqual([]);
    }),
    works('files imported into a store', async () => {
      const store = await made();
      const { name: fileName = '' } = await client().files.upload({ file: ships });
      const begun = await client().fileSearchStores.importFile({ fileSearchStoreName: store, fileName });
      expect(await indexed(client(), begun)).toContain(`${store}/documents/`);
      expect((await client().fileSearchStores.get({ name: store })).activeDocumentsCount).toBe('1');
      await client().fileSearchStores.delete({ name: store, config: { force: true } });
    }),
    works('interactions that search a store', async () => {
      const store = await made();
      await uploaded(store);
      const { steps, status } = await client().interactions.create({
        model: boundModel,
        input: '[[sandbox: tool file_search {"query":"Where do ships wait?"}]]',
        tools: [{ type: 'file_search', file_search_store_names: [store] }],
      });
      expect([status, JSON.stringify(steps.find(({ type }) => type === 'file_search_result'))]).toEqual([
        'completed',
        expect.stringContaining('Ships wait at anchor.'),
      ]);
    }),
    refuses('metadata and chunking of a document', 'customMetadata', async () =>
      client().fileSearchStores.importFile({
        fileSearchStoreName: await made(),
        fileName: 'files/x',
        config: { customMetadata: [{ key: 'a', stringValue: 'b' }] },
      }),
    ),
    hasNoRoute('tuned models', '/tunedModels', async () => client().models.list({ config: { queryBase: false } })),
    refuses('the search of a store in generateContent', 'fileSearch', async () => {
      const config = { tools: [{ fileSearch: { fileSearchStoreNames: [await made()] } }] };
      return client().models.generateContent({ model: boundModel, contents: 'Hi', config });
    }),
  ];
};
