import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { unknownId } from '../kit/routes.ts';
import { identified } from './bodies.ts';
import { ended, made, remove } from './made-resource.ts';

const upload = (text: string): object => ({
  display_name: 'book.txt',
  mime_type: 'text/plain',
  data: Buffer.from(text).toString('base64'),
});

export const storesCases: readonly ConformanceCase[] = [
  conformanceCase(
    'names a store, and refuses other fields',
    { rules: ['stores:body:display-name', 'stores:record:document-count'] },
    async (kit) => {
      const store = await made(kit, 'stores:body:display-name', { path: '/stores', body: { display_name: 'Library' } });
      kit.same('stores:body:display-name', store.at('display_name').value, 'Library', 'display_name');
      kit.same(
        'stores:record:document-count',
        [store.at('document_count').value, store.at('result').value],
        [0, null],
        'document_count and result',
      );
      kit.refused('stores:body:display-name', await kit.send({ path: '/stores', body: { display_name: 7 } }), 422);
      await remove(kit, `/stores/${store.at('id').text()}`);
    },
  ),
  conformanceCase(
    'indexes an active file into a store, and charges it',
    {
      charges: 1,
      rules: [
        'documents:record:fields',
        'ledger:charged:indexing',
        'stores:record:document-count',
        'documents:body:fields',
        'resources:record:result-credits',
      ],
      needs: ['chat', 'test-mode'],
    },
    async (kit) => {
      const store = (await made(kit, 'documents:body:fields', { path: '/stores', body: {} })).at('id').text();
      const file = kit
        .taken(
          'documents:body:fields',
          await kit.send({ path: '/files', body: upload('Herons stand in shallow water. '.repeat(20)) }),
          201,
        )
        .at('id')
        .text();
      await kit.until({ path: `/files/${file}` }, ({ json }) => json.at('status').value === 'active');
      const document = await made(kit, 'documents:body:fields', {
        ...identified(kit.fresh('document')),
        path: '/documents',
        body: { store, file },
      });
      const path = `/documents/${document.at('id').text()}`;
      const record = await ended(kit, 'documents:record:fields', { path });
      kit.same(
        'documents:record:fields',
        [record.at('status').value, record.at('store').value, record.at('file').value],
        ['completed', store, file],
        'status, store and file',
      );
      kit.holds('ledger:charged:indexing', record.at('charged_credits').number() > 0, 'indexing costs nothing');
      kit.same(
        'resources:record:result-credits',
        record.at('result', kit.brand, 'credits').value,
        record.at('charged_credits').value,
        'credits of the result',
      );
      const { json } = await kit.send({ path: `/stores/${store}` });
      kit.same('stores:record:document-count', json.at('document_count').value, 1, 'document_count');
      for (const each of [path, `/stores/${store}`, `/files/${file}`]) await remove(kit, each);
    },
  ),
  conformanceCase(
    'wants the ids of a store and of a file',
    { rules: ['documents:body:fields', 'documents:body:store-known', 'documents:body:file-active'] },
    async (kit) => {
      const index = (body: object) => kit.send({ path: '/documents', body });
      const store = (await made(kit, 'documents:body:fields', { path: '/stores', body: {} })).at('id').text();
      for (const body of [{}, { store }, { file: unknownId }, { store: 7, file: unknownId }])
        kit.refused('documents:body:fields', await index(body), 422);
      const uploaded = await kit.send({ path: '/files', body: upload('Words.') });
      const file = kit.taken('documents:body:fields', uploaded, 201).at('id').text();
      kit.refused('documents:body:store-known', await index({ store: unknownId, file }), 404, 'not_found');
      kit.refused('documents:body:file-active', await index({ store, file: unknownId }), 404, 'not_found');
      await remove(kit, `/files/${file}`);
      kit.refused('documents:body:file-active', await index({ store, file }), 404, 'not_found');
      await remove(kit, `/stores/${store}`);
      kit.refused('documents:body:store-known', await index({ store, file: unknownId }), 404, 'not_found');
    },
  ),

  conformanceCase(
    'keeps a store that an interaction uses',
    {
      charges: 1,
      rules: ['stores:delete:in-use', 'resources:delete:in-use', 'interactions:tools:file-search'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const store = (await made(kit, 'stores:delete:in-use', { path: '/stores', body: {} })).at('id').text();
      const body = kit.body('chat', {
        input: '[[sandbox: slow 2500]]',
        tools: [{ type: 'file_search', stores: [store] }],
      });
      const answer = await kit.send({ path: '/interactions', body });
      // Not every model searches files.
      if (answer.status === 422) return;
      kit.taken('interactions:tools:file-search', answer);
      for (const rule of ['stores:delete:in-use', 'resources:delete:in-use'] as const)
        kit.refused(rule, await kit.send({ method: 'DELETE', path: `/stores/${store}` }), 409);
      await ended(kit, 'stores:delete:in-use', { path: `/interactions/${answer.json.at('id').text()}` });
      await remove(kit, `/stores/${store}`);
    },
  ),
];
