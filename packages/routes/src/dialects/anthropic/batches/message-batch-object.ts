import { batchWindowMs, wireOf, type FoundResource } from '@tollgate/engine';
import { batchCounts } from '../../batches/batch-counts.ts';

/** The name of the form in which a batch of messages was asked for. */
export const messageBatchWire = 'anthropic-batch';

export const isMessageBatch = ({ resource }: Pick<FoundResource, 'resource'>): boolean =>
  wireOf(resource)?.name === messageBatchWire;

const prefix = 'msgbatch_';

export const messageBatchId = (id: string): string => `${prefix}${id}`;

/** The resource that the id of a batch of messages names. */
export const resourceIdOf = (id: string): string => (id.startsWith(prefix) ? id.slice(prefix.length) : id);

const iso = (ms: number): string => new Date(ms).toISOString();

/** A batch whose outcome is unknown has not ended: its clients would send it again, and pay twice. */
const statusOf = ({ operation }: FoundResource): 'in_progress' | 'canceling' | 'ended' => {
  switch (operation.state) {
    case 'preparing':
    case 'reserved':
    case 'processing':
    case 'settling':
    case 'uncertain':
      return 'in_progress';
    case 'cancelling':
      return 'canceling';
    case 'failed':
    case 'completed':
      return 'ended';
  }
};

/** What failed as a whole has no counts of its own: nothing of it ran. */
const countsOf = (found: FoundResource) => {
  const { total, completed, failed } = batchCounts(found);
  const left = total - completed - failed;
  const { operation } = found;
  const isOver = statusOf(found) === 'ended';
  const isRefused = operation.state === 'failed' && operation.errorCode !== 'cancelled';
  return {
    processing: isOver ? 0 : left,
    succeeded: completed,
    errored: failed + (isRefused ? left : 0),
    canceled: isOver && !isRefused ? left : 0,
    expired: 0,
  };
};

/**
 * A batch of messages as the clients of this wire read it. The address of its results is a path, which they complete by the base
 * address that they have: the gateway need not know by which one it is reached.
 */
export const messageBatch = (found: FoundResource) => {
  const { operation, resource } = found;
  const id = messageBatchId(resource.id);
  const status = statusOf(found);
  const counts = countsOf(found);
  const endedAt = operation.endedAtMs === null ? null : iso(operation.endedAtMs);
  return {
    id,
    type: 'message_batch',
    processing_status: status,
    request_counts: counts,
    created_at: iso(resource.createdAtMs),
    expires_at: iso(resource.createdAtMs + batchWindowMs),
    ended_at: endedAt,
    archived_at: null,
    // When it was asked for is not kept beyond the end; then this is the latest that it can have been.
    cancel_initiated_at: status === 'canceling' ? iso(operation.updatedAtMs) : counts.canceled > 0 ? endedAt : null,
    results_url: status === 'ended' ? `/v1/messages/batches/${id}/results` : null,
  };
};
