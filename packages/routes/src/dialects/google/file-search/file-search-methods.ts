import type { RouteId } from '@tollgate/contract';
import type { GatewayRequest } from '../../../gateway-request.ts';
import type { DialectMethod } from '../../dialect.ts';
import { collectionMethodOf, type Collection } from '../collection.ts';
import { isLastOfUpload } from '../files/upload-target.ts';
import { importFile } from './add-document.ts';
import {
  createFileSearchStore,
  deleteFileSearchStore,
  getFileSearchStore,
  listFileSearchStores,
} from './file-search-stores.ts';
import { deleteStoreDocument, getDocumentOperation, getStoreDocument, listStoreDocuments } from './store-documents.ts';
import { uploadDocument } from './upload-document.ts';

const stores: Collection = {
  path: '/fileSearchStores',
  create: { route: 'createStore', run: createFileSearchStore },
  list: { route: 'listStores', run: listFileSearchStores },
  get: { route: 'getStore', run: (service, access, _, id) => getFileSearchStore(service, access, id) },
  remove: { route: 'deleteStore', run: deleteFileSearchStore },
  actions: { importFile: { route: 'createDocument', purpose: 'opening', run: importFile } },
};

const query = (route: RouteId, run: DialectMethod['run']): DialectMethod => ({ route, purpose: 'query', run });

const listing = (store: string): DialectMethod =>
  query('listDocuments', (service, access, request) => listStoreDocuments(service, access, request, store));

const documentMethod = (method: string, store: string, id: string): DialectMethod | null => {
  const name = { store, id };
  if (method === 'GET') return query('getDocument', (service, access) => getStoreDocument(service, access, name));
  return method === 'DELETE'
    ? query('deleteDocument', (service, access) => deleteStoreDocument(service, access, name))
    : null;
};

const part = /^\/fileSearchStores\/([^/:]+)\/(documents|operations|upload\/operations)(?:\/([^/:]+))?$/;

const partMethodOf = (method: string, path: string): DialectMethod | null => {
  const [, store, kind, id] = part.exec(path) ?? [];
  if (store === undefined) return null;
  if (id === undefined) return method === 'GET' && kind === 'documents' ? listing(store) : null;
  if (kind === 'documents') return documentMethod(method, store, id);
  const origin = kind === 'operations' ? 'import' : 'upload';
  return method === 'GET'
    ? query('getDocument', (service, access) => getDocumentOperation(service, access, { store, id }, origin))
    : null;
};

const upload = /^\/upload\/fileSearchStores\/([^/:]+):uploadToFileSearchStore$/;

/** The last request of an upload opens the operation; those before it bring bytes of a file. */
const uploadMethodOf = (request: GatewayRequest, path: string): DialectMethod | null => {
  const store = upload.exec(path)?.[1];
  if (store === undefined || request.method !== 'POST') return null;
  const run: DialectMethod['run'] = (service, access, asked) => uploadDocument(service, access, asked, store);
  return isLastOfUpload(request) ? { route: 'createDocument', purpose: 'opening', run } : query('createFile', run);
};

/** The methods of stores and their documents in this dialect; null for any other path. */
export const fileSearchMethodOf = (request: GatewayRequest, path: string): DialectMethod | null =>
  collectionMethodOf(stores, request.method, path) ??
  partMethodOf(request.method, path) ??
  uploadMethodOf(request, path);
