import { z } from 'zod';
import { Id, Time } from './fields.ts';

export const Webhook = z
  .looseObject({
    id: Id,
    project_id: Id,
    url: z.string(),
    events: z.array(z.string()),
    status: z.enum(['enabled', 'paused', 'disabled']),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Webhook' });

export const WebhookSecret = z
  .looseObject({ webhook: Webhook, secret: z.string().meta({ description: 'It is not shown again.' }) })
  .meta({ id: 'WebhookSecret' });

export const Delivery = z
  .looseObject({
    id: Id,
    webhook_id: Id,
    project_id: Id,
    operation_id: Id,
    event_id: Id,
    event_type: z.string(),
    body: z.string().meta({ description: 'The event as it is signed and sent.' }),
    status: z.enum(['pending', 'delivered', 'failed', 'skipped']),
    attempts: z.int(),
    http_status: z.int().nullable(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Delivery' });

export const Schedule = z
  .looseObject({
    id: Id,
    project_id: Id,
    account_id: Id,
    display_name: z.string().nullable(),
    schedule: z.string(),
    time_zone: z.string(),
    status: z.enum(['enabled', 'paused', 'disabled']),
    next_run_at: Time.nullable(),
    last_run_at: Time.nullable(),
    paused_code: z.string().nullable(),
    created_at: Time,
  })
  .meta({ id: 'Schedule' });

export const ScheduleRun = z
  .looseObject({
    id: Id,
    trigger_id: Id,
    scheduled_for: Time,
    status: z.enum(['pending', 'processing', 'completed', 'failed', 'skipped']),
    operation_id: Id.nullable(),
    error_code: z.string().nullable(),
    started_at: Time.nullable(),
    finished_at: Time.nullable(),
  })
  .meta({ id: 'ScheduleRun' });
