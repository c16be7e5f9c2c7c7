import { listDocuments, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { deleteResourceOf } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { storeDocumentsMax } from '../../../stores/listed-documents.ts';
import { requireStore } from '../../../stores/store-contents.ts';
import { pageOf } from '../page-of.ts';
import { documentOperation, requireDocument, storeDocument, type DocumentOrigin } from './store-document.ts';

/** A document by the store in its name, and its id. */
export interface DocumentName {
  readonly store: string;
  readonly id: string;
}

/** The newest documents of a store, page by page. */
export const listStoreDocuments = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  store: string,
): Promise<GatewayResponse> => {
  const { resource } = await requireStore(service, access, store);
  const found = await listDocuments(service.engine, resource.id, storeDocumentsMax);
  const { rows, nextPageToken } = pageOf(request, found);
  return jsonAnswer(JSON.stringify({ documents: rows.map(storeDocument), nextPageToken }));
};

export const getStoreDocument = async (
  service: Service,
  access: Access,
  name: DocumentName,
): Promise<GatewayResponse> => jsonAnswer(JSON.stringify(storeDocument(await requireDocument(service, access, name))));

/** The file that a document was made of stays. */
export const deleteStoreDocument = async (
  service: Service,
  access: Access,
  name: DocumentName,
): Promise<GatewayResponse> => {
  const { resource } = await requireDocument(service, access, name);
  await deleteResourceOf(service, access, { kind: 'document', id: resource.id });
  return jsonAnswer('{}');
};

/** What these clients poll until it is done. */
export const getDocumentOperation = async (
  service: Service,
  access: Access,
  name: DocumentName,
  origin: DocumentOrigin,
): Promise<GatewayResponse> => {
  const document = await requireDocument(service, access, name);
  return jsonAnswer(JSON.stringify(documentOperation(document, origin)));
};
