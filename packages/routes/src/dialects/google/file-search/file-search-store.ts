import type { FoundResource } from '@tollgate/engine';
import type { Service } from '../../../service.ts';
import { contentsOfStore } from '../../../stores/store-contents.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

export const storeName = (id: string): string => `fileSearchStores/${id}`;

/** A store in this dialect, whichever form it was made in. So many of its newest documents are looked through. */
export const fileSearchStore = async (
  service: Service,
  { resource }: Pick<FoundResource, 'resource'>,
  documentsMax: number,
) => {
  const { counts, sizeBytes } = await contentsOfStore(service, { resource }, documentsMax);
  return {
    name: storeName(resource.id),
    displayName: resource.displayName ?? undefined,
    embeddingModel: `models/${resource.model}`,
    createTime: iso(resource.createdAtMs),
    updateTime: iso(resource.updatedAtMs),
    activeDocumentsCount: String(counts.completed),
    pendingDocumentsCount: String(counts.in_progress),
    failedDocumentsCount: String(counts.failed),
    sizeBytes: String(sizeBytes),
  };
};
