import type { Notice } from '../../packages/engine/src/decisions/notice.ts';
import { eventIdOf } from './event-command.ts';
import type { Slot } from './slot.ts';

/** What the step that ends an operation is given to tell its project's webhooks. */
export const noticeOf = ({ operationId, projectId }: Slot): Notice => ({
  eventId: eventIdOf(operationId),
  projectId,
  requestUrl: `/requests/${operationId}`,
});
