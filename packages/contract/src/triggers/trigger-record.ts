import { z } from 'zod';
import { JsonRecord } from '../json/json-record.ts';

// triggers:get:record
/** A trigger as every route returns it. */
export const Trigger = z.looseObject({
  id: z.uuid(),
  object: z.literal('trigger'),
  project_id: z.uuid(),
  display_name: z.string().nullable(),
  schedule: z.string(),
  time_zone: z.string(),
  interaction: JsonRecord.meta({ description: 'As it was sent; headers of tools and data of media are hidden.' }),
  enabled: z.boolean(),
  next_run_at: z.iso.datetime().nullable().meta({ description: 'Null while it is paused, and once it is disabled.' }),
  last_run_at: z.iso.datetime().nullable(),
  paused_reason: z.string().nullable().meta({
    description: 'The code for which the service has paused it, after refusals in a row; null unless it did.',
  }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Trigger = Readonly<z.infer<typeof Trigger>>;

export const TriggerList = z.looseObject({ object: z.literal('list'), data: z.array(Trigger) });

const triggerRunStates = ['pending', 'processing', 'completed', 'failed', 'skipped'] as const;

// triggers:run:record
/** One occurrence of a trigger. */
export const TriggerRun = z.looseObject({
  id: z.string(),
  object: z.literal('trigger_run'),
  trigger_id: z.uuid(),
  request_id: z.uuid().nullable().meta({ description: 'Null where no interaction was opened.' }),
  interaction_id: z.uuid().nullable(),
  scheduled_for: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  status: z.enum(triggerRunStates),
  error_code: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type TriggerRun = Readonly<z.infer<typeof TriggerRun>>;

export const TriggerRunList = z.looseObject({ object: z.literal('list'), data: z.array(TriggerRun) });
