import { randomBytes } from 'node:crypto';
import { createTextSeal } from '@tollgate/engine';
import type { DeliveryRecord, Storage, WebhookRecord, Write } from '@tollgate/storage';

/** Of the gateway that sends; it seals the secrets of webhooks. */
export const contextSecret = 'the secret of the gateway under load';
const seal = createTextSeal([contextSecret], 'webhook', randomBytes);

/** Webhooks, each of a host of its own. */
export const hooks = 8;

export const bodyOf = (at: number): string =>
  JSON.stringify({
    id: `01a1f7dd-0000-7000-8000-${String(at).padStart(12, '0')}`,
    type: 'request.completed',
    created_at: '2026-11-20T10:00:00.000Z',
    data: {
      request_id: '01a1f7d0-0000-7000-8000-000000000000',
      project_id: '01a1f7c0-0000-7000-8000-000000000000',
      status: 'completed',
      credits: 0.02,
      request_url: '/api/v1/ai/requests/01a1f7d0-0000-7000-8000-000000000000',
    },
  });

export const hookOf = (at: number, nowMs: number): WebhookRecord => ({
  id: `hook-${at}`,
  projectId: `project-${at}`,
  url: `https://hook-${at}.example.com/`,
  events: ['request.completed'],
  status: 'enabled',
  secret: seal.seal('whsec_7Qx2nT0pK4uV9yB1cD3eF5gH6iJ8kL0mN2oP4qR6sT8', `hook-${at}`),
  previousSecret: null,
  previousUntilMs: null,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
  disabledAtMs: null,
});

export const deliveryOf = (at: number, nowMs: number): DeliveryRecord => ({
  id: `event-${at}`,
  webhookId: `hook-${at % hooks}`,
  eventId: `01a1f7dd-0000-7000-8000-${String(at).padStart(12, '0')}`,
  operationId: `operation-${at}`,
  projectId: `project-${at % hooks}`,
  eventType: 'request.completed',
  body: bodyOf(at),
  status: 'pending',
  attempts: 0,
  httpStatus: null,
  owner: null,
  dueAtMs: nowMs,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
});

/** Puts records into a storage. */
export const write = (storage: Storage, writes: readonly Extract<Write, { readonly kind: 'put' }>[]): Promise<null> =>
  storage.transact(
    writes.map(({ table, record }) => ({ table, id: record.id })),
    () => ({ writes, answer: null }),
  );
