import type { OutboxEvent } from '../../packages/engine/src/decisions/outbox-event.ts';
import { eventIdOf } from './event-command.ts';
import type { Slot } from './slot.ts';

/** What the step that ends an operation is given to tell its project's webhooks. */
export const outboxEventOf = ({ operationId, projectId }: Slot): OutboxEvent => ({
  eventId: eventIdOf(operationId),
  projectId,
  requestUrl: `/requests/${operationId}`,
});
