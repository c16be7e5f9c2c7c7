import { GatewayError } from '@tollgate/contract';
import { listDocuments, shownFieldsOf, wireOf, type Access, type FoundResource } from '@tollgate/engine';
import { requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { bytesOfDocument, countStore } from '../../../stores/listed-documents.ts';

/** The name of the form in which a store was asked for. */
export const vectorStoreWire = 'openai-vector-store';

/** A store of the project that is not deleted. */
export const requireStore = async (service: Service, access: Access, id: string): Promise<FoundResource> => {
  const found = await requireResource(service, access, { kind: 'store', id });
  if (found.resource.availability === 'deleted')
    throw new GatewayError('not_found', { detail: 'The vector store has been deleted.' });
  return found;
};

/**
 * A store as a vector store, whichever form it was made in. So many of its newest documents are looked through; those before them
 * are counted as completed.
 */
export const vectorStore = async (
  service: Service,
  { resource }: Pick<FoundResource, 'resource'>,
  documentsMax: number,
) => {
  const documents = await listDocuments(service.engine, resource.id, documentsMax);
  const total = Number(shownFieldsOf(resource)['document_count'] ?? 0);
  const counts = countStore(documents, documentsMax, total);
  const wire = wireOf(resource);
  const echo = wire?.name === vectorStoreWire ? wire.echo : {};
  return {
    id: resource.id,
    object: 'vector_store',
    created_at: Math.floor(resource.createdAtMs / 1_000),
    name: resource.displayName ?? '',
    description: echo['description'] ?? null,
    usage_bytes: documents.reduce((sum, document) => sum + bytesOfDocument(document), 0),
    file_counts: counts,
    status: counts.in_progress > 0 ? 'in_progress' : 'completed',
    expires_after: null,
    expires_at: null,
    last_active_at: Math.floor(resource.updatedAtMs / 1_000),
    metadata: echo['metadata'] ?? {},
  };
};
