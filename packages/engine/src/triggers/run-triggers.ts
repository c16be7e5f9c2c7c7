import type { ErrorCode } from '@tollgate/contract';
import type { OccurrenceRecord, TriggerRecord } from '@tollgate/storage';
import {
  concludeOccurrenceKeys,
  decideConcludeOccurrence,
  decideOccur,
  decidePurgeOccurrence,
  occurKeys,
  occurrenceId,
  type ConcludeOccurrenceCommand,
} from '../decisions/trigger.ts';
import type { Engine } from '../engine.ts';
import { endOf } from './triggers.ts';

/** What became of opening the interaction of an occurrence. */
export type OpenedOccurrence = { readonly kind: 'opened' } | { readonly kind: 'prevented'; readonly code: ErrorCode };

/**
 * Opens the interaction of an occurrence with the trigger's original key, under the id and the identity of the occurrence, so
 * that a second try finds the first. Access, model, tariff and balance are checked as they are then.
 */
export type OpenOccurrence = (trigger: TriggerRecord, occurrence: OccurrenceRecord) => Promise<OpenedOccurrence>;

/** How often an interaction that an occurrence opened is looked at. */
const lookAgainMs = 15_000;

const isPending = async (engine: Engine, trigger: TriggerRecord): Promise<boolean> => {
  if (trigger.lastRunAtMs === null) return false;
  const id = occurrenceId(trigger.id, trigger.lastRunAtMs);
  const occurrence = (await engine.storage.read([{ table: 'occurrence', id }])).get('occurrence', id);
  if (occurrence === undefined || occurrence.operationId === null) return false;
  if (occurrence.status !== 'pending' && occurrence.status !== 'processing') return false;
  const records = await engine.storage.read([{ table: 'operation', id: occurrence.operationId }]);
  return endOf(records.get('operation', occurrence.operationId)) === null;
};

/** A schedule whose instant has come: one occurrence, or none where it was missed. */
export const tendTrigger = async (engine: Engine, claimed: TriggerRecord): Promise<void> => {
  const previousPending = await isPending(engine, claimed);
  const command = { claimed, previousPending, operationId: engine.newId() };
  const answer = await engine.storage.transact(occurKeys(command), decideOccur(command));
  if (answer.kind === 'missed')
    engine.logger.warn('an occurrence was missed', { triggerId: claimed.id, scheduledForMs: answer.scheduledForMs });
  if (answer.kind === 'pending') engine.wake.wake();
};

const conclude = async (engine: Engine, command: ConcludeOccurrenceCommand): Promise<void> => {
  await engine.storage.transact(concludeOccurrenceKeys(command), decideConcludeOccurrence(command));
};

const attempt = async (
  engine: Engine,
  openIt: OpenOccurrence,
  trigger: TriggerRecord,
  claimed: OccurrenceRecord,
): Promise<ConcludeOccurrenceCommand['outcome']> => {
  try {
    const opened = await openIt(trigger, claimed);
    return opened.kind === 'opened' ? { kind: 'opened', lookAgainMs } : { kind: 'prevented', errorCode: opened.code };
  } catch (cause) {
    engine.logger.error('an occurrence could not be opened', { occurrenceId: claimed.id, cause });
    return { kind: 'not_opened', lookAgainMs };
  }
};

const open = async (engine: Engine, claimed: OccurrenceRecord): Promise<void> => {
  const records = await engine.storage.read([{ table: 'trigger', id: claimed.triggerId }]);
  const trigger = records.get('trigger', claimed.triggerId);
  if (trigger === undefined || engine.openOccurrence.current === null) return;
  await conclude(engine, { claimed, outcome: await attempt(engine, engine.openOccurrence.current, trigger, claimed) });
};

const lookAgain = async (engine: Engine, claimed: OccurrenceRecord): Promise<void> => {
  const id = claimed.operationId ?? '';
  const end = endOf((await engine.storage.read([{ table: 'operation', id }])).get('operation', id));
  const outcome: ConcludeOccurrenceCommand['outcome'] =
    end === null ? { kind: 'opened', lookAgainMs } : { kind: 'ended', ...end };
  await conclude(engine, { claimed, outcome });
};

/** An occurrence that somebody must look at: to open its interaction, to note its end, or to let go of its record. */
export const tendOccurrence = async (engine: Engine, claimed: OccurrenceRecord): Promise<void> => {
  switch (claimed.status) {
    case 'pending':
      return open(engine, claimed);
    case 'processing':
      return lookAgain(engine, claimed);
    case 'completed':
    case 'failed':
    case 'skipped':
      await engine.storage.transact([{ table: 'occurrence', id: claimed.id }], decidePurgeOccurrence(claimed));
  }
};
