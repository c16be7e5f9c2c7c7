import { isRecord, type EventType } from '@tollgate/contract';
import type { Key, OperationRecord, Records, Write } from '@tollgate/storage';
import { creditsFromMicros } from '../ledger/micros.ts';
import { storedList } from './stored-values.ts';

/** What the step that ends an operation needs to tell the project's webhooks of it. */
export interface OutboxEvent {
  /** Of the event, should there be one. */
  readonly eventId: string;
  readonly projectId: string;
  /** The path at which the request is queried. */
  readonly requestUrl: string;
}

/** An enabled webhook, as the record of a project's webhooks has it. */
export interface Hook {
  readonly id: string;
  readonly events: readonly EventType[];
}

const isHook = (value: unknown): value is Hook =>
  isRecord(value) && typeof value['id'] === 'string' && Array.isArray(value['events']);

/** The enabled webhooks of a project, as its record holds them. */
export const hooksOf = (hooks: unknown): readonly Hook[] => storedList('webhooks', hooks, isHook);

export const outboxEventKeys = (operationId: string, outboxEvent: OutboxEvent | undefined): readonly Key[] =>
  outboxEvent === undefined
    ? []
    : [
        { table: 'subscriptions', id: outboxEvent.projectId },
        { table: 'outbox', id: operationId, fresh: true },
      ];

/** What an event tells of an operation. */
export type OutboxOperation = Pick<OperationRecord, 'id' | 'projectId' | 'state' | 'chargedMicros' | 'errorCode'>;

// webhooks:envelope:*
/** The envelope: never content, and no message text. */
export const envelope = (
  operation: OutboxOperation,
  outboxEvent: OutboxEvent,
  type: EventType,
  nowMs: number,
): string =>
  JSON.stringify({
    id: outboxEvent.eventId,
    type,
    created_at: new Date(nowMs).toISOString(),
    data: {
      request_id: operation.id,
      project_id: operation.projectId,
      status: operation.state,
      credits: creditsFromMicros(operation.chargedMicros),
      request_url: outboxEvent.requestUrl,
      error_code: type === 'request.failed' ? operation.errorCode : undefined,
    },
  });

// webhooks:delivery:after-settlement, webhooks:event:*
/**
 * The event of an operation that has just ended, in the step that ends it: for the webhooks that are enabled for it now
 *. An operation that has not ended, such as an uncertain one, has none.
 */
export const outboxEventWrites = (
  records: Records,
  operation: OperationRecord,
  outboxEvent: OutboxEvent | undefined,
  nowMs: number,
): readonly Write[] => {
  if (outboxEvent === undefined || operation.endedAtMs === null) return [];
  const hooks = hooksOf(records.get('subscriptions', outboxEvent.projectId)?.hooks ?? []);
  const eventType: EventType = operation.state === 'failed' ? 'request.failed' : 'request.completed';
  const told = hooks.filter(({ events }) => events.includes(eventType)).map(({ id }) => id);
  if (told.length === 0) return [];
  return [
    {
      kind: 'put',
      table: 'outbox',
      record: {
        id: operation.id,
        eventId: outboxEvent.eventId,
        projectId: operation.projectId,
        eventType,
        body: envelope(operation, outboxEvent, eventType, nowMs),
        hooks: told,
        owner: null,
        dueAtMs: nowMs,
        createdAtMs: nowMs,
      },
    },
  ];
};
