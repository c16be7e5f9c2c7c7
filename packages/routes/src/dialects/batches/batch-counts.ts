import { shownFieldsOf, type FoundResource } from '@tollgate/engine';

/** The requests of a batch by how they ended; what neither completed nor failed was cancelled, or has not ended. */
export const batchCounts = ({ resource }: Pick<FoundResource, 'resource'>) => {
  const { request_count: total, completed_count: completed, failed_count: failed } = shownFieldsOf(resource);
  return { total: Number(total), completed: Number(completed), failed: Number(failed) };
};
