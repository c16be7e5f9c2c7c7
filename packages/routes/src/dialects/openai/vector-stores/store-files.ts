import { errorTable, GatewayError, isErrorCode, isUuid } from '@tollgate/contract';
import { listDocuments, shownFieldsOf, wireOf, type ListedDocument } from '@tollgate/engine';
import type { Service } from '../../../service.ts';

/** The name of the form in which a file was added to a store. */
export const storeFileWire = 'openai-store-file';

/** Documents of one store that are looked through. Those before them are counted as completed. */
export const storeDocumentsMax = 1_000;

export type StoreFileStatus = 'in_progress' | 'completed' | 'failed';

export const statusOfDocument = ({ operation }: ListedDocument): StoreFileStatus => {
  if (operation.state === 'completed' || operation.state === 'failed') return operation.state;
  return 'in_progress';
};

const fileErrors: ReadonlyMap<string, 'unsupported_file' | 'invalid_file'> = new Map([
  ['unsupported_content', 'unsupported_file'],
  ['input_limit', 'invalid_file'],
]);

const errorOf = ({ operation }: ListedDocument) => {
  if (operation.state !== 'failed') return null;
  const code = operation.errorCode ?? 'request_failed';
  const { message } = errorTable[isErrorCode(code) ? code : 'request_failed'];
  return { code: fileErrors.get(code) ?? 'server_error', message };
};

const echoOf = ({ resource }: ListedDocument): Readonly<Record<string, unknown>> => wireOf(resource)?.echo ?? {};

/** The file that a document was made of, which is what these clients name it by. */
export const fileIdOf = ({ resource }: Pick<ListedDocument, 'resource'>): string =>
  String(shownFieldsOf(resource)['file']);

const attributesOf = (document: ListedDocument): unknown => echoOf(document)['attributes'] ?? null;

/** The batch that a document was added by, or undefined. */
export const batchOf = (document: ListedDocument): unknown => echoOf(document)['batch'];

/** Bytes of the file; 0 of a document that was made in another form. */
export const usageBytesOf = (document: ListedDocument): number => Number(echoOf(document)['bytes'] ?? 0);

/** A document as a file of a vector store. */
export const storeFile = (document: ListedDocument) => {
  const { resource } = document;
  return {
    id: fileIdOf(document),
    object: 'vector_store.file',
    created_at: Math.floor(resource.createdAtMs / 1_000),
    vector_store_id: resource.parent,
    status: statusOfDocument(document),
    last_error: errorOf(document),
    usage_bytes: usageBytesOf(document),
    attributes: attributesOf(document),
    chunking_strategy: { type: 'other' },
  };
};

/** Documents by how far they are. Indexing cannot be cancelled. */
export const countDocuments = (documents: readonly ListedDocument[], earlier = 0) => {
  const count = (status: StoreFileStatus): number =>
    documents.filter((document) => statusOfDocument(document) === status).length;
  return {
    in_progress: count('in_progress'),
    completed: count('completed') + earlier,
    failed: count('failed'),
    cancelled: 0,
    total: documents.length + earlier,
  };
};

/** The newest document of a store that was made of a file. */
export const requireStoreFile = async (service: Service, storeId: string, fileId: string): Promise<ListedDocument> => {
  const documents = isUuid(fileId) ? await listDocuments(service.engine, storeId, storeDocumentsMax) : [];
  const found = documents.find((document) => fileIdOf(document) === fileId.toLowerCase());
  if (found === undefined) throw new GatewayError('not_found', { detail: 'There is no such file in this store.' });
  return found;
};
