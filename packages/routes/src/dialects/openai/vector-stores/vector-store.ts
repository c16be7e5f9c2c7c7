import { wireOf, type FoundResource } from '@tollgate/engine';
import type { Service } from '../../../service.ts';
import { contentsOfStore } from '../../../stores/store-contents.ts';

/** The name of the form in which a store was asked for. */
export const vectorStoreWire = 'openai-vector-store';

/**
 * A store as a vector store, whichever form it was made in. So many of its newest documents are looked through; those before them
 * are counted as completed.
 */
export const vectorStore = async (
  service: Service,
  { resource }: Pick<FoundResource, 'resource'>,
  documentsMax: number,
) => {
  const { counts, sizeBytes } = await contentsOfStore(service, { resource }, documentsMax);
  const wire = wireOf(resource);
  const echo = wire?.name === vectorStoreWire ? wire.echo : {};
  return {
    id: resource.id,
    object: 'vector_store',
    created_at: Math.floor(resource.createdAtMs / 1_000),
    name: resource.displayName ?? '',
    description: echo['description'] ?? null,
    usage_bytes: sizeBytes,
    file_counts: counts,
    status: counts.in_progress > 0 ? 'in_progress' : 'completed',
    expires_after: null,
    expires_at: null,
    last_active_at: Math.floor(resource.updatedAtMs / 1_000),
    metadata: echo['metadata'] ?? {},
  };
};
