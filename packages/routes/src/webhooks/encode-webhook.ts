import type { EventType, Webhook, WebhookDelivery } from '@tollgate/contract';
import { storedEventTypes, type WebhookInfo } from '@tollgate/engine';
import type { DeliveryRecord } from '@tollgate/storage';

const iso = (ms: number): string => new Date(ms).toISOString();

const eventsOf = (events: unknown): EventType[] => [...storedEventTypes(events)];

// webhooks:create:secret-once
/** A webhook without its secret. */
export const webhookBody = ({ id, projectId, url, events, status, createdAtMs }: WebhookInfo): Webhook => ({
  id,
  project_id: projectId,
  url,
  events: eventsOf(events),
  enabled: status === 'enabled',
  created_at: iso(createdAtMs),
});

export const deliveryBody = (delivery: DeliveryRecord): WebhookDelivery => {
  const { id, operationId, eventType, status, attempts, httpStatus, createdAtMs } = delivery;
  return {
    id,
    request_id: operationId,
    event_type: eventsOf([eventType])[0] ?? 'request.completed',
    status,
    attempts,
    http_status: httpStatus,
    created_at: iso(createdAtMs),
  };
};
