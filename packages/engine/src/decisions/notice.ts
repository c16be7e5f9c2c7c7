import type { EventType } from '@tollgate/contract';
import type { Key, OperationRecord, Records, Write } from '@tollgate/storage';
import { creditsFromMicros } from '../ledger/micros.ts';

/** What the step that ends an operation needs to tell the project's webhooks of it. */
export interface Notice {
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

// The record is written by the decisions of webhooks alone, which hold a list of this form.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const hooksOf = (hooks: unknown): readonly Hook[] => hooks as readonly Hook[];

export const noticeKeys = (operationId: string, notice: Notice | undefined): readonly Key[] =>
  notice === undefined
    ? []
    : [
        { table: 'subscriptions', id: notice.projectId },
        { table: 'outbox', id: operationId, fresh: true },
      ];

/** What an event tells of an operation. */
export type NoticedOperation = Pick<OperationRecord, 'id' | 'projectId' | 'state' | 'chargedMicros' | 'errorCode'>;

/** The envelope: never content, and no message text (webhooks:envelope:*). */
export const envelope = (operation: NoticedOperation, notice: Notice, type: EventType, nowMs: number): string =>
  JSON.stringify({
    id: notice.eventId,
    type,
    created_at: new Date(nowMs).toISOString(),
    data: {
      request_id: operation.id,
      project_id: operation.projectId,
      status: operation.state,
      credits: creditsFromMicros(operation.chargedMicros),
      request_url: notice.requestUrl,
      ...(type === 'request.failed' ? { error_code: operation.errorCode } : {}),
    },
  });

/**
 * The event of an operation that has just ended, in the step that ends it: for the webhooks that are enabled for it now
 * (webhooks:delivery:after-settlement, webhooks:event:*). An operation that has not ended, such as an uncertain one, has none.
 */
export const noticeWrites = (
  records: Records,
  operation: OperationRecord,
  notice: Notice | undefined,
  nowMs: number,
): readonly Write[] => {
  if (notice === undefined || operation.endedAtMs === null) return [];
  const hooks = hooksOf(records.get('subscriptions', notice.projectId)?.hooks ?? []);
  const eventType: EventType = operation.state === 'failed' ? 'request.failed' : 'request.completed';
  const told = hooks.filter(({ events }) => events.includes(eventType)).map(({ id }) => id);
  if (told.length === 0) return [];
  return [
    {
      kind: 'put',
      table: 'outbox',
      record: {
        id: operation.id,
        eventId: notice.eventId,
        projectId: operation.projectId,
        eventType,
        body: envelope(operation, notice, eventType, nowMs),
        hooks: told,
        owner: null,
        dueAtMs: nowMs,
        createdAtMs: nowMs,
      },
    },
  ];
};
