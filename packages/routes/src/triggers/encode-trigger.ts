import { isRecord, type Trigger, type TriggerRun } from '@tollgate/contract';
import { interactionOf } from '@tollgate/engine';
import type { OccurrenceRecord, TriggerRecord } from '@tollgate/storage';

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

export const triggerBody = (trigger: TriggerRecord): Trigger => {
  const { shown } = interactionOf(trigger);
  return {
    id: trigger.id,
    object: 'trigger',
    project_id: trigger.projectId,
    display_name: trigger.displayName,
    schedule: trigger.schedule,
    time_zone: trigger.timeZone,
    interaction: isRecord(shown) ? shown : {},
    enabled: trigger.status === 'enabled',
    next_run_at: isoOrNull(trigger.nextRunAtMs),
    last_run_at: isoOrNull(trigger.lastRunAtMs),
    paused_reason: trigger.pausedCode,
    created_at: iso(trigger.createdAtMs),
    updated_at: iso(trigger.updatedAtMs),
  };
};

// triggers:run:record
/** The id of its interaction is reported once there is one. */
export const runBody = (run: OccurrenceRecord): TriggerRun => {
  const requestId = run.status === 'pending' ? null : run.operationId;
  return {
    id: run.id,
    object: 'trigger_run',
    trigger_id: run.triggerId,
    request_id: requestId,
    interaction_id: requestId,
    scheduled_for: iso(run.scheduledForMs),
    started_at: isoOrNull(run.startedAtMs),
    finished_at: isoOrNull(run.finishedAtMs),
    status: run.status,
    error_code: run.errorCode,
    created_at: iso(run.createdAtMs),
  };
};
