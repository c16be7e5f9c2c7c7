import { GatewayError, type RouteId } from '@tollgate/contract';
import { listResources, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { deleteResourceOf } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { listedDocumentsMax, storeDocumentsMax } from '../../../stores/listed-documents.ts';
import { requireStore } from '../../../stores/store-contents.ts';
import type { DialectMethod } from '../../dialect.ts';
import { listPage } from '../list-page.ts';
import { createVectorStore } from './create-vector-store.ts';
import { searchVectorStore } from './search-vector-store.ts';
import { createFileBatch, getFileBatch, listBatchFiles } from './store-file-batch.ts';
import { addStoreFile, deleteStoreFile, getStoreFile, listStoreFiles } from './vector-store-files.ts';
import { vectorStore } from './vector-store.ts';

const listStores = async (service: Service, access: Access, { query }: GatewayRequest): Promise<GatewayResponse> => {
  const found = await listResources(service.engine, access.projectId, 'store');
  const page = listPage(
    found.map((store) => ({ ...store, id: store.resource.id })),
    query,
  );
  const data = [];
  for (const store of page.data) data.push(await vectorStore(service, store, listedDocumentsMax));
  return jsonAnswer(JSON.stringify({ ...page, data }));
};

const showStore = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const store = await vectorStore(service, await requireStore(service, access, id), storeDocumentsMax);
  return jsonAnswer(JSON.stringify(store));
};

const deleteStore = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  const { resource } = await requireStore(service, access, id);
  await deleteResourceOf(service, access, { kind: 'store', id });
  const deleted = { id: resource.id, object: 'vector_store.deleted', deleted: true };
  return jsonAnswer(JSON.stringify(deleted));
};

const refusing =
  (detail: string): DialectMethod['run'] =>
  () => {
    throw new GatewayError('unsupported_parameter', { detail });
  };

/** What the engine has no place for is refused by name. */
const refused = {
  change: refusing('A vector store does not change; accepted is a new one with the name and the metadata.'),
  attributes: refusing(
    'The field attributes does not change; accepted is the file, deleted and added again with others.',
  ),
  content: refusing('The text of a file in a vector store cannot be read; accepted is GET /files/{file_id}/content.'),
  cancel: refusing('The indexing of a file cannot be cancelled; accepted is DELETE of the file when it is indexed.'),
} as const;

const query = (route: RouteId, run: DialectMethod['run']): DialectMethod => ({ route, purpose: 'query', run });
const opening = (route: RouteId, run: DialectMethod['run']): DialectMethod => ({ route, purpose: 'opening', run });

const storesMethod = (method: string): DialectMethod | null => {
  if (method === 'POST') return opening('createStore', createVectorStore);
  return method === 'GET' ? query('listStores', listStores) : null;
};

const storeMethod = (method: string, id: string): DialectMethod | null => {
  switch (method) {
    case 'GET':
      return query('getStore', (service, access) => showStore(service, access, id));
    case 'DELETE':
      return query('deleteStore', (service, access) => deleteStore(service, access, id));
    case 'POST':
      return query('getStore', refused.change);
    default:
      return null;
  }
};

const filesMethod = (method: string, store: string): DialectMethod | null => {
  if (method === 'POST')
    return opening('createDocument', (service, access, request) => addStoreFile(service, access, request, store));
  return method === 'GET'
    ? query('listDocuments', (service, access, request) => listStoreFiles(service, access, request, store))
    : null;
};

const fileMethod = (method: string, store: string, file: string): DialectMethod | null => {
  switch (method) {
    case 'GET':
      return query('getDocument', (service, access) => getStoreFile(service, access, store, file));
    case 'DELETE':
      return query('deleteDocument', (service, access) => deleteStoreFile(service, access, store, file));
    case 'POST':
      return query('getDocument', refused.attributes);
    default:
      return null;
  }
};

const batchesMethod = (method: string, store: string): DialectMethod | null =>
  method === 'POST'
    ? opening('createDocument', (service, access, request) => createFileBatch(service, access, request, store))
    : null;

const searchMethod = (method: string, store: string): DialectMethod | null =>
  method === 'POST'
    ? opening('createEmbeddings', (service, access, request) => searchVectorStore(service, access, request, store))
    : null;

const batchMethod = (method: string, store: string, id: string): DialectMethod | null =>
  method === 'GET' ? query('getDocument', (service, access) => getFileBatch(service, access, store, id)) : null;

/** What stands behind the id of a file or of a batch of files. */
const partMethod = (method: string, store: string, [kind, id, part]: readonly string[]): DialectMethod | null => {
  const place = `${method} ${kind}/${part}`;
  if (place === 'GET files/content') return query('getDocument', refused.content);
  if (place === 'POST file_batches/cancel') return query('getDocument', refused.cancel);
  if (place !== 'GET file_batches/files') return null;
  return query('listDocuments', (service, access, request) =>
    listBatchFiles(service, access, { storeId: store, id: id ?? '', query: request.query }),
  );
};

const shape = /^\/vector_stores(?:\/([^/]+)(?:\/(files|file_batches|search)(?:\/([^/]+)(?:\/([^/]+))?)?)?)?$/;

/** The methods of vector stores; null for any other path. */
export const vectorStoreMethodOf = ({ method }: GatewayRequest, path: string): DialectMethod | null => {
  const match = shape.exec(path);
  if (match === null) return null;
  const [, store, kind, id, part] = match;
  if (store === undefined) return storesMethod(method);
  if (kind === undefined) return storeMethod(method, store);
  if (kind === 'search') return id === undefined ? searchMethod(method, store) : null;
  if (id !== undefined && part !== undefined) return partMethod(method, store, [kind, id, part]);
  if (kind === 'files') return id === undefined ? filesMethod(method, store) : fileMethod(method, store, id);
  return id === undefined ? batchesMethod(method, store) : batchMethod(method, store, id);
};
