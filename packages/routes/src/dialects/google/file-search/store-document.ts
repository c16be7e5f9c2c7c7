import { errorTable, GatewayError } from '@tollgate/contract';
import { wireOf, type Access, type ListedDocument } from '@tollgate/engine';
import { requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { bytesOfDocument, statusOfDocument, type DocumentStatus } from '../../../stores/listed-documents.ts';
import { failureOf } from '../failure-of.ts';
import { storeName } from './file-search-store.ts';

/** The name of the form in which a document was asked for. */
export const storeDocumentWire = 'google-document';

/** How a file came into its store, which is part of the name of the operation. */
export type DocumentOrigin = 'import' | 'upload';

const iso = (ms: number): string => new Date(ms).toISOString();

const states: Readonly<Record<DocumentStatus, string>> = {
  in_progress: 'STATE_PENDING',
  completed: 'STATE_ACTIVE',
  failed: 'STATE_FAILED',
};

type Document = Pick<ListedDocument, 'resource' | 'operation'>;

const nameOf = ({ resource }: Document): string => `${storeName(resource.parent ?? '')}/documents/${resource.id}`;

/** A document in this dialect. The size and the type are known of one that was made in it. */
export const storeDocument = (document: Document) => {
  const { resource, operation } = document;
  const wire = wireOf(resource);
  return {
    name: nameOf(document),
    displayName: resource.displayName ?? undefined,
    state: states[statusOfDocument(document)],
    sizeBytes: wire === null ? undefined : String(bytesOfDocument(document)),
    mimeType: wire?.echo['mimeType'] ?? undefined,
    createTime: iso(resource.createdAtMs),
    updateTime: iso(Math.max(resource.updatedAtMs, operation.updatedAtMs)),
  };
};

/** The indexing of a document, as the operation that these clients poll. One whose outcome is unknown is not done. */
export const documentOperation = (document: Document, origin: DocumentOrigin) => {
  const { resource, operation } = document;
  const store = storeName(resource.parent ?? '');
  const { code, message } = failureOf(document);
  const status = statusOfDocument(document);
  return {
    name: `${store}/${origin === 'upload' ? 'upload/' : ''}operations/${resource.id}`,
    done: operation.endedAtMs !== null,
    error: status === 'failed' ? { code: errorTable[code].status, message } : undefined,
    response: status === 'completed' ? { parent: store, documentName: nameOf(document) } : undefined,
  };
};

/** A document of a store. One that was deleted is not found. */
export const requireDocument = async (
  service: Service,
  access: Access,
  { store, id }: { readonly store: string; readonly id: string },
): Promise<Document> => {
  const found = await requireResource(service, access, { kind: 'document', id });
  if (found.resource.parent !== store.toLowerCase() || found.resource.availability === 'deleted')
    throw new GatewayError('not_found', { detail: 'There is no such document in this store.' });
  return found;
};
