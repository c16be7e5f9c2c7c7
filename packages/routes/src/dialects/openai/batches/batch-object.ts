import { batchWindowMs, wireOf, type FoundResource } from '@tollgate/engine';
import { batchCounts } from '../../batches/batch-counts.ts';
import { resultFileId } from './result-file.ts';

/** The name of the form in which a batch of a file was asked for. */
export const fileBatchWire = 'openai-batch';

export const isFileBatch = ({ resource }: Pick<FoundResource, 'resource'>): boolean =>
  wireOf(resource)?.name === fileBatchWire;

const seconds = (ms: number): number => Math.floor(ms / 1_000);

type Status = 'validating' | 'in_progress' | 'finalizing' | 'completed' | 'failed' | 'cancelling' | 'cancelled';

/**
 * The words of this wire. A batch whose outcome is unknown is none that has failed: its clients would send it again, and pay twice.
 */
const statusOf = (found: FoundResource): Status => {
  const { operation } = found;
  switch (operation.state) {
    case 'preparing':
    case 'reserved':
      return 'validating';
    case 'processing':
      return 'in_progress';
    case 'cancelling':
      return 'cancelling';
    case 'settling':
    case 'uncertain':
      return 'finalizing';
    case 'failed':
      return operation.errorCode === 'cancelled' ? 'cancelled' : 'failed';
    case 'completed': {
      const { total, completed, failed } = batchCounts(found);
      return completed + failed < total ? 'cancelled' : 'completed';
    }
  }
};

/** What failed as a whole. */
const errorsOf = ({ errorCode }: FoundResource['operation']) => ({
  object: 'list',
  data: [
    {
      code: errorCode ?? 'request_failed',
      message: 'The batch has failed; nothing is charged.',
      param: null,
      line: null,
    },
  ],
});

const timesOf = (status: Status, { operation }: FoundResource) => {
  const endedAt = operation.endedAtMs === null ? null : seconds(operation.endedAtMs);
  return {
    in_progress_at: status === 'validating' ? null : seconds(operation.createdAtMs),
    finalizing_at: status === 'completed' ? endedAt : null,
    completed_at: status === 'completed' ? endedAt : null,
    failed_at: status === 'failed' ? endedAt : null,
    cancelling_at: status === 'cancelling' ? seconds(operation.updatedAtMs) : null,
    cancelled_at: status === 'cancelled' ? endedAt : null,
    expired_at: null,
  };
};

/** A batch of a file as the clients of this wire read it. */
export const batchObject = (found: FoundResource) => {
  const { operation, resource } = found;
  const { id } = resource;
  const status = statusOf(found);
  const counts = batchCounts(found);
  const echo = wireOf(resource)?.echo ?? {};
  const isDone = operation.state === 'completed';
  return {
    id,
    object: 'batch',
    endpoint: echo['endpoint'],
    model: resource.model,
    errors: status === 'failed' ? errorsOf(operation) : null,
    input_file_id: echo['input_file_id'],
    completion_window: '24h',
    status,
    output_file_id: isDone && counts.completed > 0 ? resultFileId({ batchId: id, part: 'output' }) : null,
    error_file_id: isDone && counts.completed < counts.total ? resultFileId({ batchId: id, part: 'errors' }) : null,
    created_at: seconds(resource.createdAtMs),
    expires_at: seconds(resource.createdAtMs + batchWindowMs),
    ...timesOf(status, found),
    request_counts: counts,
    metadata: echo['metadata'] ?? null,
  };
};
