import type { DeliveryRecord, OccurrenceRecord } from '@tollgate/storage';
import type { TriggerName } from '../triggers/triggers.ts';
import {
  redeliver,
  rotateWebhookSecret,
  sendTestEvent,
  type WebhookInfo,
  type WebhookName,
  type WebhookWithSecret,
} from '../webhooks/webhooks.ts';
import type { Bind } from './bind-methods.ts';
import { findDeliveries, readDelivery, type DeliveryQuery } from './deliveries.ts';
import {
  findSchedules,
  listScheduleRuns,
  readSchedule,
  setScheduleEnabled,
  type ScheduleInfo,
  type ScheduleQuery,
} from './schedules.ts';
import type { Page } from './search.ts';
import { listWebhooks, readWebhook } from './webhooks.ts';

/** Webhooks, their deliveries, and schedules. */
export interface EventMethods {
  /** The newest webhooks of a project without their secrets, up to a hundred. */
  readonly listWebhooks: (projectId: string) => Promise<readonly WebhookInfo[]>;
  /** A webhook without its secrets, a deleted one too, or null. */
  readonly readWebhook: (webhookId: string) => Promise<WebhookInfo | null>;
  /** A page of deliveries, newest first, by project, webhook, operation and status. */
  readonly findDeliveries: (query?: DeliveryQuery) => Promise<Page<DeliveryRecord>>;
  /** A delivery with the event that is sent, or null. */
  readonly readDelivery: (deliveryId: string) => Promise<DeliveryRecord | null>;
  /** Sends an event again from its first try. Null where it is not there. */
  readonly redeliver: (name: {
    readonly webhookId: string;
    readonly deliveryId: string;
  }) => Promise<DeliveryRecord | null>;
  /** Queues a test event for a webhook. */
  readonly sendTestEvent: (name: WebhookName) => Promise<DeliveryRecord | null>;
  /** Gives a webhook a new secret, which is shown this once; the old one signs beside it for a while. */
  readonly rotateWebhookSecret: (
    name: WebhookName,
    options?: { readonly overlapMs?: number | undefined },
  ) => Promise<WebhookWithSecret | null>;
  /** A page of schedules that are not deleted, newest first, each with its next run. */
  readonly findSchedules: (query?: ScheduleQuery) => Promise<Page<ScheduleInfo>>;
  /** A schedule, a deleted one too, or null. */
  readonly readSchedule: (triggerId: string) => Promise<ScheduleInfo | null>;
  /** The newest runs of a schedule, up to a hundred. */
  readonly listScheduleRuns: (triggerId: string) => Promise<readonly OccurrenceRecord[]>;
  /** Resumes a schedule at its next future instant, or pauses it. Null where the project has none. */
  readonly setScheduleEnabled: (name: TriggerName, enabled: boolean) => Promise<ScheduleInfo | null>;
}

export const bindEvents = (bind: Bind): EventMethods => ({
  listWebhooks: bind('listWebhooks', listWebhooks),
  readWebhook: bind('readWebhook', readWebhook),
  findDeliveries: bind('findDeliveries', findDeliveries),
  readDelivery: bind('readDelivery', readDelivery),
  redeliver: bind('redeliver', redeliver),
  sendTestEvent: bind('sendTestEvent', sendTestEvent),
  rotateWebhookSecret: bind('rotateWebhookSecret', rotateWebhookSecret),
  findSchedules: bind('findSchedules', findSchedules),
  readSchedule: bind('readSchedule', readSchedule),
  listScheduleRuns: bind('listScheduleRuns', listScheduleRuns),
  setScheduleEnabled: bind('setScheduleEnabled', setScheduleEnabled),
});
