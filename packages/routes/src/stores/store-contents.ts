import { GatewayError } from '@tollgate/contract';
import { listDocuments, shownFieldsOf, type Access, type FoundResource } from '@tollgate/engine';
import { requireResource } from '../resources/resource-queries.ts';
import type { Service } from '../service.ts';
import { bytesOfDocument, countStore } from './listed-documents.ts';

/** A store of the project that is not deleted. */
export const requireStore = async (service: Service, access: Access, id: string): Promise<FoundResource> => {
  const found = await requireResource(service, access, { kind: 'store', id });
  if (found.resource.availability === 'deleted')
    throw new GatewayError('not_found', { detail: 'The store has been deleted.' });
  return found;
};

/** What a store holds. So many of its newest documents are looked through; those before them are counted as completed. */
export const contentsOfStore = async (
  service: Service,
  { resource }: Pick<FoundResource, 'resource'>,
  documentsMax: number,
) => {
  const documents = await listDocuments(service.engine, resource.id, documentsMax);
  const total = Number(shownFieldsOf(resource)['document_count'] ?? 0);
  return {
    counts: countStore(documents, documentsMax, total),
    sizeBytes: documents.reduce((sum, document) => sum + bytesOfDocument(document), 0),
  };
};
