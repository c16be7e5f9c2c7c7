import { nextRun, parseCron } from '@tollgate/cron';
import type { Decide, Key, OccurrenceRecord, TriggerRecord, Write } from '@tollgate/storage';
import type { AccessIds } from './access.ts';
import { takeBlobWrites } from './guard-blobs.ts';
import { interactionOf, triggerBlobKey, type TriggerInteraction } from './trigger-interaction.ts';

export interface CreateTriggerCommand extends AccessIds {
  readonly triggerId: string;
  readonly displayName: string | null;
  /** Parsed before: a schedule that is none never comes here. */
  readonly schedule: string;
  readonly timeZone: string;
  readonly interaction: TriggerInteraction;
}

/** The first instant after another at which a schedule runs; what a pause or an outage missed is not made up for. */
const nextAfter = (trigger: Pick<TriggerRecord, 'schedule' | 'timeZone'>, nowMs: number): number | null =>
  nextRun(parseCron(trigger.schedule), trigger.timeZone, nowMs);

export const createTriggerKeys = ({ triggerId }: CreateTriggerCommand): readonly Key[] => [
  { table: 'trigger', id: triggerId },
  { table: 'pendingBlob', id: triggerBlobKey(triggerId) },
];

/** Registers a schedule; nothing runs before its next instant (triggers:create:not-immediate). */
export const decideCreateTrigger =
  (command: CreateTriggerCommand): Decide<TriggerRecord> =>
  (records, nowMs) => {
    const own = records.get('trigger', command.triggerId);
    if (own !== undefined) return { writes: [], answer: own };
    const nextRunAtMs = nextAfter(command, nowMs);
    const { projectId, accountId, keyId, displayName, schedule, timeZone, interaction } = command;
    const trigger: TriggerRecord = {
      id: command.triggerId,
      projectId,
      accountId,
      keyId,
      displayName,
      schedule,
      timeZone,
      interaction,
      status: 'enabled',
      nextRunAtMs,
      lastRunAtMs: null,
      owner: null,
      dueAtMs: nextRunAtMs,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      disabledAtMs: null,
    };
    const taken = takeBlobWrites(records, [triggerBlobKey(trigger.id)]);
    return { writes: [{ kind: 'put', table: 'trigger', record: trigger }, ...taken], answer: trigger };
  };

export type ChangeTriggerCommand = { readonly triggerId: string; readonly projectId: string } & (
  | { readonly kind: 'set_enabled'; readonly enabled: boolean }
  | { readonly kind: 'disable' }
);

export const changeTriggerKeys = ({ triggerId }: ChangeTriggerCommand): readonly Key[] => [
  { table: 'trigger', id: triggerId },
  { table: 'pendingBlob', id: triggerBlobKey(triggerId) },
];

/** An occurrence that was found before a schedule was deleted may still need the interaction; after that nobody does. */
const leftBehind = (trigger: TriggerRecord, nowMs: number): readonly Write[] =>
  trigger.status !== 'disabled' || interactionOf(trigger).whole.kind === 'inline'
    ? []
    : [
        {
          kind: 'put',
          table: 'pendingBlob',
          record: { id: triggerBlobKey(trigger.id), owner: null, dueAtMs: nowMs + 2 * graceMs },
        },
      ];

const changed = (trigger: TriggerRecord, command: ChangeTriggerCommand, nowMs: number): TriggerRecord => {
  const idle = { nextRunAtMs: null, dueAtMs: null, owner: null, updatedAtMs: nowMs };
  switch (command.kind) {
    case 'disable':
      return { ...trigger, ...idle, status: 'disabled', disabledAtMs: nowMs };
    case 'set_enabled': {
      if (!command.enabled) return { ...trigger, ...idle, status: 'paused' };
      if (trigger.status === 'enabled') return trigger;
      const nextRunAtMs = nextAfter(trigger, nowMs);
      return { ...trigger, status: 'enabled', nextRunAtMs, dueAtMs: nextRunAtMs, updatedAtMs: nowMs };
    }
  }
};

/** Pauses, resumes or deletes a schedule of the project; null where there is none, or it was deleted (triggers:delete:final). */
export const decideChangeTrigger =
  (command: ChangeTriggerCommand): Decide<TriggerRecord | null> =>
  (records, nowMs) => {
    const trigger = records.get('trigger', command.triggerId);
    if (trigger === undefined || trigger.projectId !== command.projectId || trigger.status === 'disabled')
      return { writes: [], answer: null };
    const record = changed(trigger, command, nowMs);
    if (record === trigger) return { writes: [], answer: record };
    return { writes: [{ kind: 'put', table: 'trigger', record }, ...leftBehind(record, nowMs)], answer: record };
  };

export const occurrenceId = (triggerId: string, scheduledForMs: number): string => `${triggerId}:${scheduledForMs}`;

/** An occurrence that is found later than this is missed, and missed ones are not run afterwards. */
const graceMs = 5 * 60_000;

export interface OccurCommand {
  /** The trigger as it was claimed. */
  readonly claimed: TriggerRecord;
  /** The interaction of the occurrence before, which was found to be still under way. */
  readonly previousPending: boolean;
  /** The id under which the interaction will be opened, should there be one. */
  readonly operationId: string;
}

export type OccurAnswer =
  | { readonly kind: 'pending'; readonly occurrence: OccurrenceRecord }
  | { readonly kind: 'skipped'; readonly occurrence: OccurrenceRecord }
  | { readonly kind: 'missed'; readonly scheduledForMs: number }
  /** Somebody else has it, or it was paused. */
  | { readonly kind: 'lost' };

export const occurKeys = ({ claimed }: OccurCommand): readonly Key[] => [
  { table: 'trigger', id: claimed.id },
  ...(claimed.nextRunAtMs === null
    ? []
    : [{ table: 'occurrence', id: occurrenceId(claimed.id, claimed.nextRunAtMs) } as const]),
];

const occurrenceOf = (command: OccurCommand, scheduledForMs: number, nowMs: number): OccurrenceRecord => {
  const { claimed, previousPending } = command;
  return {
    id: occurrenceId(claimed.id, scheduledForMs),
    triggerId: claimed.id,
    projectId: claimed.projectId,
    scheduledForMs,
    status: previousPending ? 'skipped' : 'pending',
    operationId: previousPending ? null : command.operationId,
    errorCode: null,
    startedAtMs: null,
    finishedAtMs: previousPending ? nowMs : null,
    owner: null,
    dueAtMs: nowMs + (previousPending ? occurrenceKeptMs : 0),
    createdAtMs: nowMs,
  };
};

/** How long the record of an occurrence is kept (F15). */
const occurrenceKeptMs = 30 * 24 * 3_600_000;

/**
 * Turns the instant of a schedule into one occurrence, whoever finds it due and how often: its identity is trigger and
 * instant. The next instant is computed from now.
 */
export const decideOccur =
  (command: OccurCommand): Decide<OccurAnswer> =>
  (records, nowMs) => {
    const trigger = records.get('trigger', command.claimed.id);
    const scheduledForMs = command.claimed.nextRunAtMs;
    const ours = trigger?.status === 'enabled' && trigger.owner === command.claimed.owner;
    if (trigger === undefined || scheduledForMs === null || !ours || trigger.nextRunAtMs !== scheduledForMs)
      return { writes: [], answer: { kind: 'lost' } };
    const nextRunAtMs = nextAfter(trigger, nowMs);
    const moved: TriggerRecord = { ...trigger, nextRunAtMs, dueAtMs: nextRunAtMs, owner: null };
    if (nowMs - scheduledForMs > graceMs)
      return { writes: [{ kind: 'put', table: 'trigger', record: moved }], answer: { kind: 'missed', scheduledForMs } };
    const known = records.get('occurrence', occurrenceId(trigger.id, scheduledForMs));
    const occurrence = known ?? occurrenceOf(command, scheduledForMs, nowMs);
    const writes: Write[] = [
      {
        kind: 'put',
        table: 'trigger',
        record: occurrence.status === 'skipped' ? moved : { ...moved, lastRunAtMs: scheduledForMs },
      },
    ];
    if (known === undefined) writes.push({ kind: 'put', table: 'occurrence', record: occurrence });
    return { writes, answer: { kind: occurrence.status === 'skipped' ? 'skipped' : 'pending', occurrence } };
  };

export interface ConcludeOccurrenceCommand {
  /** As it was claimed. */
  readonly claimed: OccurrenceRecord;
  readonly outcome:
    /** The interaction is open: it is looked at again after that long. */
    | { readonly kind: 'opened'; readonly lookAgainMs: number }
    /** It could not be told why, or whether it is open: it is tried again, until its time is over. */
    | { readonly kind: 'not_opened'; readonly lookAgainMs: number }
    /** Nothing was opened (triggers:run:refusal-recorded). */
    | { readonly kind: 'prevented'; readonly errorCode: string }
    /** The interaction has ended. */
    | {
        readonly kind: 'ended';
        readonly status: 'completed' | 'failed';
        readonly errorCode: string | null;
        readonly atMs: number;
      };
}

export const concludeOccurrenceKeys = ({ claimed }: ConcludeOccurrenceCommand): readonly Key[] => [
  { table: 'occurrence', id: claimed.id },
  ...(claimed.operationId === null ? [] : [{ table: 'operation', id: claimed.operationId } as const]),
];

/** What has come of an attempt that failed, or of one whose interaction is not there: a host's ledger may have refused it since. */
const afterAttempt = (
  occurrence: OccurrenceRecord,
  { isOpen, lookAgainMs }: { readonly isOpen: boolean; readonly lookAgainMs: number },
  nowMs: number,
): ConcludeOccurrenceCommand['outcome'] => {
  if (isOpen) return { kind: 'opened', lookAgainMs };
  const isLate = nowMs - occurrence.scheduledForMs > graceMs;
  return isLate ? { kind: 'prevented', errorCode: 'service_unavailable' } : { kind: 'not_opened', lookAgainMs };
};

/** What is on record says more than whoever tried: another try may have opened the interaction, or nobody has. */
const asRecorded = (
  occurrence: OccurrenceRecord,
  outcome: ConcludeOccurrenceCommand['outcome'],
  isOpen: boolean,
  nowMs: number,
): ConcludeOccurrenceCommand['outcome'] => {
  switch (outcome.kind) {
    case 'opened':
    case 'not_opened':
      return afterAttempt(occurrence, { ...outcome, isOpen }, nowMs);
    case 'prevented':
      return isOpen ? { kind: 'opened', lookAgainMs: 0 } : outcome;
    case 'ended':
      return outcome;
  }
};

const concluded = (
  occurrence: OccurrenceRecord,
  outcome: ConcludeOccurrenceCommand['outcome'],
  nowMs: number,
): OccurrenceRecord => {
  const over = { owner: null, dueAtMs: nowMs + occurrenceKeptMs };
  switch (outcome.kind) {
    case 'not_opened':
      return { ...occurrence, status: 'pending', owner: null, dueAtMs: nowMs + outcome.lookAgainMs };
    case 'opened':
      return {
        ...occurrence,
        status: 'processing',
        startedAtMs: occurrence.startedAtMs ?? nowMs,
        owner: null,
        dueAtMs: nowMs + outcome.lookAgainMs,
      };
    case 'prevented':
      return {
        ...occurrence,
        ...over,
        status: 'failed',
        operationId: null,
        errorCode: outcome.errorCode,
        finishedAtMs: nowMs,
      };
    case 'ended':
      return {
        ...occurrence,
        ...over,
        status: outcome.status,
        errorCode: outcome.errorCode,
        startedAtMs: occurrence.startedAtMs ?? outcome.atMs,
        finishedAtMs: outcome.atMs,
      };
  }
};

const isOver = ({ status }: OccurrenceRecord): boolean =>
  status === 'completed' || status === 'failed' || status === 'skipped';

/** Notes how far an occurrence is. Null where another worker has it, or it is over. */
export const decideConcludeOccurrence =
  (command: ConcludeOccurrenceCommand): Decide<OccurrenceRecord | null> =>
  (records, nowMs) => {
    const occurrence = records.get('occurrence', command.claimed.id);
    if (occurrence === undefined || isOver(occurrence) || occurrence.owner !== command.claimed.owner)
      return { writes: [], answer: null };
    const isOpen = occurrence.operationId !== null && records.get('operation', occurrence.operationId) !== undefined;
    const record = concluded(occurrence, asRecorded(occurrence, command.outcome, isOpen, nowMs), nowMs);
    return { writes: [{ kind: 'put', table: 'occurrence', record }], answer: record };
  };

/** Removes the record of an occurrence whose time has come. */
export const decidePurgeOccurrence =
  (claimed: OccurrenceRecord): Decide<boolean> =>
  (records) => {
    const occurrence = records.get('occurrence', claimed.id);
    if (occurrence === undefined || !isOver(occurrence) || occurrence.owner !== claimed.owner)
      return { writes: [], answer: false };
    return { writes: [{ kind: 'delete', table: 'occurrence', id: claimed.id }], answer: true };
  };
