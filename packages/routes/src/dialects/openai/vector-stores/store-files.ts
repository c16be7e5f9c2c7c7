import { errorTable, GatewayError, isErrorCode, isUuid } from '@tollgate/contract';
import { listDocuments, shownFieldsOf, wireOf, type ListedDocument } from '@tollgate/engine';
import type { Service } from '../../../service.ts';
import { bytesOfDocument, statusOfDocument, storeDocumentsMax } from '../../../stores/listed-documents.ts';

/** The name of the form in which a file was added to a store. */
export const storeFileWire = 'openai-store-file';

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
    usage_bytes: bytesOfDocument(document),
    attributes: attributesOf(document),
    chunking_strategy: { type: 'other' },
  };
};

/** The newest document of a store that was made of a file. */
export const requireStoreFile = async (service: Service, storeId: string, fileId: string): Promise<ListedDocument> => {
  const documents = isUuid(fileId) ? await listDocuments(service.engine, storeId, storeDocumentsMax) : [];
  const found = documents.find((document) => fileIdOf(document) === fileId.toLowerCase());
  if (found === undefined) throw new GatewayError('not_found', { detail: 'There is no such file in this store.' });
  return found;
};
