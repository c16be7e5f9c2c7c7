import type { ErrorCode } from '@tollgate/contract';
import type { OccurrenceRecord, TriggerRecord } from '@tollgate/storage';
import { clearTrigger } from '../decisions/clear-trigger.ts';
import {
  concludeOccurrence,
  occur,
  purgeOccurrence,
  occurrenceId,
  type ConcludeOccurrenceCommand,
} from '../decisions/trigger.ts';
import { scheduledIdentity } from '../decisions/occurrence-guard.ts';
import type { Engine } from '../engine.ts';
import { endOf } from './triggers.ts';
import { commitOnce } from '../operations/persist.ts';

/** What became of starting a scheduled run. */
export type StartedRun = { readonly kind: 'opened' } | { readonly kind: 'prevented'; readonly code: ErrorCode };

/**
 * Opens the interaction of an occurrence with the trigger's original key, under the id and the identity of the occurrence, so
 * that a second try finds the first. Access, model, price list and balance are checked as they are then.
 */
export type StartScheduledRun = (
  trigger: TriggerRecord,
  occurrence: OccurrenceRecord,
  identity: string,
) => Promise<StartedRun>;

/** How often an interaction that an occurrence opened is checked. */
const recheckAfterMs = 15_000;

const isPending = async (engine: Engine, trigger: TriggerRecord): Promise<boolean> => {
  if (trigger.lastRunAtMs === null) return false;
  const id = occurrenceId(trigger.id, trigger.lastRunAtMs);
  const occurrence = (await engine.storage.read([{ table: 'occurrence', id }])).get('occurrence', id);
  if (occurrence === undefined || occurrence.operationId === null) return false;
  if (occurrence.status !== 'pending' && occurrence.status !== 'processing') return false;
  const records = await engine.storage.read([{ table: 'operation', id: occurrence.operationId }]);
  return endOf(records.get('operation', occurrence.operationId)) === null;
};

/**
 * A schedule whose instant has come: one occurrence, which the same sweep takes up, or none where it was missed. A deleted one is
 * cleared away.
 */
export const processDueTrigger = async (engine: Engine, claimed: TriggerRecord): Promise<void> => {
  if (claimed.status === 'disabled') {
    await commitOnce(engine, clearTrigger(claimed));
    // Its blob is due now.
    engine.signals.workDue.notify();
    return;
  }
  const previousPending = await isPending(engine, claimed);
  const command = { claimed, previousPending, operationId: engine.newId() };
  const answer = await commitOnce(engine, occur(command));
  if (answer.kind === 'missed')
    engine.logger.warn('an occurrence was missed', { triggerId: claimed.id, scheduledForMs: answer.scheduledForMs });
};

const conclude = async (engine: Engine, told: Omit<ConcludeOccurrenceCommand, 'refusalsMax'>): Promise<void> => {
  const command = { ...told, refusalsMax: engine.limits.triggerRefusalsMax };
  const concluded = await commitOnce(engine, concludeOccurrence(command));
  const paused = concluded?.paused ?? null;
  if (paused !== null)
    engine.logger.warn('a schedule was refused again and again, and is paused', {
      triggerId: paused.id,
      projectId: paused.projectId,
      code: paused.pausedCode,
      refusals: paused.refusals,
    });
};

const attempt = async (
  engine: Engine,
  startRun: StartScheduledRun,
  trigger: TriggerRecord,
  claimed: OccurrenceRecord,
): Promise<ConcludeOccurrenceCommand['outcome']> => {
  try {
    const opened = await startRun(trigger, claimed, scheduledIdentity(trigger.id, claimed.scheduledForMs));
    return opened.kind === 'opened'
      ? { kind: 'opened', recheckAfterMs }
      : { kind: 'prevented', errorCode: opened.code };
  } catch (cause) {
    engine.logger.error('an occurrence could not be opened', { occurrenceId: claimed.id, cause });
    return { kind: 'not_opened', recheckAfterMs };
  }
};

const open = async (engine: Engine, startRun: StartScheduledRun, claimed: OccurrenceRecord): Promise<void> => {
  const records = await engine.storage.read([{ table: 'trigger', id: claimed.triggerId }]);
  const trigger = records.get('trigger', claimed.triggerId);
  if (trigger === undefined) return;
  await conclude(engine, { claimed, outcome: await attempt(engine, startRun, trigger, claimed) });
};

const reconcileLate = async (engine: Engine, claimed: OccurrenceRecord): Promise<void> => {
  const id = claimed.operationId ?? '';
  const end = endOf((await engine.storage.read([{ table: 'operation', id }])).get('operation', id));
  const outcome: ConcludeOccurrenceCommand['outcome'] =
    end === null ? { kind: 'opened', recheckAfterMs } : { kind: 'ended', ...end };
  await conclude(engine, { claimed, outcome });
};

/** A due occurrence: its interaction is opened, its end recorded, or its record deleted. */
export const processDueOccurrence = async (
  engine: Engine,
  startRun: StartScheduledRun,
  claimed: OccurrenceRecord,
): Promise<void> => {
  switch (claimed.status) {
    case 'pending':
      return open(engine, startRun, claimed);
    case 'processing':
      return reconcileLate(engine, claimed);
    case 'completed':
    case 'failed':
    case 'skipped':
      await commitOnce(engine, purgeOccurrence(claimed));
  }
};
