import type { Slot } from './slot.ts';

export type HookEvent = 'request.completed' | 'request.failed';

export type DeliveryOutcome = 'acknowledged' | 'refused' | 'skipped' | 'postponed';

/** Commands about webhooks and schedules. */
export type EventBody =
  | {
      readonly kind: 'create_webhook';
      readonly hookId: string;
      readonly projectId: string;
      readonly events: readonly HookEvent[];
    }
  | {
      readonly kind: 'change_webhook';
      readonly hookId: string;
      readonly projectId: string;
      readonly change: 'pause' | 'resume' | 'delete' | 'rotate';
      /** Of the new secret. */
      readonly number: number;
    }
  | { readonly kind: 'fan_out'; readonly slot: Slot; readonly claim: string }
  | {
      readonly kind: 'conclude_delivery';
      readonly deliveryId: string;
      readonly claim: string;
      readonly outcome: DeliveryOutcome;
      readonly retryAfter: number | null;
      /** Where in its spread a wait lies, in halves. */
      readonly halves: 0 | 1;
    }
  | { readonly kind: 'redeliver'; readonly deliveryId: string; readonly hookId: string }
  | { readonly kind: 'purge_delivery'; readonly deliveryId: string; readonly claim: string }
  | {
      readonly kind: 'create_trigger';
      readonly triggerId: string;
      readonly projectId: string;
      readonly keyId: string;
      readonly accountId: string;
    }
  | {
      readonly kind: 'change_trigger';
      readonly triggerId: string;
      readonly projectId: string;
      readonly change: 'pause' | 'resume' | 'delete';
    }
  | {
      readonly kind: 'occur';
      readonly triggerId: string;
      readonly claim: string;
      readonly previousPending: boolean;
      readonly operationId: string;
    }
  | {
      readonly kind: 'conclude_occurrence';
      readonly triggerId: string;
      readonly claim: string;
      readonly outcome: 'opened' | 'not_opened' | 'prevented' | 'completed' | 'failed';
    }
  | { readonly kind: 'purge_occurrence'; readonly claim: string };

/** The event of an operation is named for it, so that a history can name its deliveries beforehand. */
export const eventIdOf = (operationId: string): string => `${operationId}-event`;

/** Schedules run every five minutes. */
export const everyMs = 300_000;
export const recheckAfterMs = 15_000;
export const deliveryKeptMs = 400_000;
