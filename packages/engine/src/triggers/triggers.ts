import { CronSyntaxError, isTimeZone, parseCron } from '@tollgate/cron';
import { listRowsMax, type OccurrenceRecord, type OperationRecord, type TriggerRecord } from '@tollgate/storage';
import {
  changeTrigger,
  createTriggerStep,
  type ChangeTriggerCommand,
  type CreateTriggerAnswer,
  type CreateTriggerCommand,
} from '../decisions/trigger.ts';
import { jsonBytes } from '../decisions/quotas.ts';
import { interactionOf } from '../decisions/trigger-interaction.ts';
import type { Engine } from '../engine.ts';
import { fixedBytesMax, listPage, listWithin } from '../operations/list-within.ts';
import { commit } from '../operations/persist.ts';

export type TriggerName = Pick<ChangeTriggerCommand, 'triggerId' | 'projectId'>;

/** What is wrong with a schedule or the name of its time zone, in words for the caller; null where nothing is. */
export const scheduleFault = (schedule: string, timeZone: string): string | null => {
  if (!isTimeZone(timeZone)) return 'The field time_zone is no IANA time zone.';
  try {
    parseCron(schedule);
    return null;
  } catch (cause) {
    if (cause instanceof CronSyntaxError) return `The field schedule is not accepted: ${cause.message}.`;
    throw cause;
  }
};

/** Registers a schedule whose text and time zone were checked before. */
export const createTrigger = (
  engine: Engine,
  input: Omit<CreateTriggerCommand, 'quotas'>,
): Promise<CreateTriggerAnswer> => {
  const command = { ...input, quotas: engine.policy.quotas };
  return commit(engine, createTriggerStep(command));
};

const change = (engine: Engine, command: ChangeTriggerCommand): Promise<TriggerRecord | null> =>
  commit(engine, changeTrigger(command));

// triggers:patch:*
/** Resumes at the next future instant, or pauses; null where there is no such schedule. */
export const setTriggerEnabled = (engine: Engine, name: TriggerName, enabled: boolean): Promise<TriggerRecord | null> =>
  change(engine, { ...name, kind: 'set_enabled', enabled });

// triggers:delete:disables
/** Final; what it opened before goes on, and its history stays. */
export const deleteTrigger = (engine: Engine, name: TriggerName): Promise<TriggerRecord | null> =>
  change(engine, { ...name, kind: 'disable' });

/** A schedule of the project, a deleted one too, or null. */
export const findTrigger = async (engine: Engine, name: TriggerName): Promise<TriggerRecord | null> => {
  const records = await engine.storage.read([{ table: 'trigger', id: name.triggerId }]);
  const trigger = records.get('trigger', name.triggerId);
  return trigger === undefined || trigger.projectId !== name.projectId ? null : trigger;
};

/** The newest schedules of a project, paused ones too, as many as a list shows. */
export const listTriggers = (
  { storage }: Pick<Engine, 'storage'>,
  projectId: string,
): Promise<readonly TriggerRecord[]> =>
  listWithin(
    async (page) => {
      const rows = await storage.list('triggersByProject', { of: projectId, ...page });
      return listPage(rows, page.limit, rows);
    },
    (trigger) =>
      jsonBytes([trigger.displayName, trigger.schedule, trigger.timeZone, interactionOf(trigger).shown]) +
      fixedBytesMax,
  );

export type OccurrenceEnd = {
  readonly status: 'completed' | 'failed';
  readonly errorCode: string | null;
  readonly atMs: number;
};

// triggers:run:requires-action
/** How an interaction that has ended ended its occurrence; null while it has not. */
export const endOf = (operation: OperationRecord | undefined): OccurrenceEnd | null => {
  if (operation === undefined || operation.endedAtMs === null) return null;
  const { state, errorCode, endedAtMs: atMs } = operation;
  return state === 'failed' ? { status: 'failed', errorCode, atMs } : { status: 'completed', errorCode: null, atMs };
};

/** As its interaction stands now, whether or not a worker has noted it yet. */
const asItStands = (occurrence: OccurrenceRecord, operation: OperationRecord | undefined): OccurrenceRecord => {
  if (occurrence.status !== 'pending' && occurrence.status !== 'processing') return occurrence;
  if (operation === undefined) return occurrence;
  const startedAtMs = occurrence.startedAtMs ?? operation.createdAtMs;
  const end = endOf(operation);
  if (end === null) return { ...occurrence, status: 'processing', startedAtMs };
  return { ...occurrence, status: end.status, errorCode: end.errorCode, startedAtMs, finishedAtMs: end.atMs };
};

/** The newest occurrences of a schedule. */
export const listOccurrences = async (engine: Engine, triggerId: string): Promise<readonly OccurrenceRecord[]> => {
  const occurrences = await engine.storage.list('occurrencesByTrigger', { of: triggerId, limit: listRowsMax });
  const ids = occurrences.flatMap(({ operationId }) => (operationId === null ? [] : [operationId]));
  if (ids.length === 0) return occurrences;
  const records = await engine.storage.read(ids.map((id) => ({ table: 'operation', id }) as const));
  return occurrences.map((occurrence) =>
    occurrence.operationId === null
      ? occurrence
      : asItStands(occurrence, records.get('operation', occurrence.operationId)),
  );
};
