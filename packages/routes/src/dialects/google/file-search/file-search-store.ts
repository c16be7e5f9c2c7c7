import { GatewayError } from '@tollgate/contract';
import { listDocuments, shownFieldsOf, type Access, type FoundResource } from '@tollgate/engine';
import { requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { bytesOfDocument, countStore } from '../../../stores/listed-documents.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

export const storeName = (id: string): string => `fileSearchStores/${id}`;

/** A store of the project that is not deleted. */
export const requireStore = async (service: Service, access: Access, id: string): Promise<FoundResource> => {
  const found = await requireResource(service, access, { kind: 'store', id });
  if (found.resource.availability === 'deleted')
    throw new GatewayError('not_found', { detail: 'The store has been deleted.' });
  return found;
};

/** A store in this dialect, whichever form it was made in. So many of its newest documents are looked through. */
export const fileSearchStore = async (
  service: Service,
  { resource }: Pick<FoundResource, 'resource'>,
  documentsMax: number,
) => {
  const documents = await listDocuments(service.engine, resource.id, documentsMax);
  const total = Number(shownFieldsOf(resource)['document_count'] ?? 0);
  const counts = countStore(documents, documentsMax, total);
  return {
    name: storeName(resource.id),
    displayName: resource.displayName ?? undefined,
    embeddingModel: `models/${resource.model}`,
    createTime: iso(resource.createdAtMs),
    updateTime: iso(resource.updatedAtMs),
    activeDocumentsCount: String(counts.completed),
    pendingDocumentsCount: String(counts.in_progress),
    failedDocumentsCount: String(counts.failed),
    sizeBytes: String(documents.reduce((sum, document) => sum + bytesOfDocument(document), 0)),
  };
};
