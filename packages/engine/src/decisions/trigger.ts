import { nextRun, parseCron } from '@tollgate/cron';
import type { Key, OccurrenceRecord, TriggerRecord, Write } from '@tollgate/storage';
import type { AccessIds } from './access.ts';
import { takeBlobWrites } from './guard-blobs.ts';
import {
  jsonBytes,
  refuseUsage,
  usageChange,
  usageKey,
  usageOfTrigger,
  usageWrites,
  type QuotaRefusal,
  type Quotas,
} from './quotas.ts';
import type { Step } from './step.ts';
import { afterOccurrence } from './trigger-pause.ts';
import { interactionOf, triggerBlobKey, type TriggerInteraction } from './trigger-interaction.ts';

export interface CreateTriggerCommand extends AccessIds {
  readonly triggerId: string;
  readonly displayName: string | null;
  /** Parsed before: a schedule that is none never comes here. */
  readonly schedule: string;
  readonly timeZone: string;
  readonly interaction: TriggerInteraction;
  readonly quotas: Quotas;
}

/** The first instant after another at which a schedule runs; what a pause or an outage missed is not made up for. */
const nextAfter = (trigger: Pick<TriggerRecord, 'schedule' | 'timeZone'>, nowMs: number): number | null =>
  nextRun(parseCron(trigger.schedule), trigger.timeZone, nowMs);

const createTriggerKeys = ({ triggerId, projectId }: CreateTriggerCommand): readonly Key[] => [
  usageKey(projectId),
  { table: 'trigger', id: triggerId },
  { table: 'pendingBlob', id: triggerBlobKey(triggerId) },
];

export type CreateTriggerAnswer =
  | { readonly kind: 'created'; readonly trigger: TriggerRecord }
  | { readonly kind: 'over_quota'; readonly refusal: QuotaRefusal };

/** Of the record, and of the blob beside it where there is one. */
const bytesOf = (interaction: TriggerInteraction): number => {
  const { whole } = interaction;
  return jsonBytes(interaction) + (whole.kind === 'blob' ? (whole.sizeBytes ?? 0) : 0);
};

// triggers:create:not-immediate
/** Registers a schedule where the quotas of the project have room for it; nothing runs before its next instant. */
export const createTriggerStep = (command: CreateTriggerCommand): Step<CreateTriggerAnswer> => ({
  keys: createTriggerKeys(command),
  decide: (records, nowMs) => {
    const own = records.get('trigger', command.triggerId);
    if (own !== undefined) return { writes: [], answer: { kind: 'created', trigger: own } };
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
      keptBytes: bytesOf(interaction),
      status: 'enabled',
      nextRunAtMs,
      lastRunAtMs: null,
      refusals: 0,
      pausedCode: null,
      owner: null,
      dueAtMs: nextRunAtMs,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      disabledAtMs: null,
    };
    const change = usageOfTrigger(trigger);
    const refusal = refuseUsage(records.get('projectUsage', projectId), command.quotas, change);
    if (refusal !== null) return { writes: [], answer: { kind: 'over_quota', refusal } };
    const writes: readonly Write[] = [
      { kind: 'put', table: 'trigger', record: trigger },
      ...takeBlobWrites(records, [triggerBlobKey(trigger.id)]),
      ...usageWrites(records, projectId, change),
    ];
    return { writes, answer: { kind: 'created', trigger } };
  },
});

export type ChangeTriggerCommand = { readonly triggerId: string; readonly projectId: string } & (
  | { readonly kind: 'set_enabled'; readonly enabled: boolean }
  | { readonly kind: 'disable' }
);

const changeTriggerKeys = ({ triggerId, projectId }: ChangeTriggerCommand): readonly Key[] => [
  usageKey(projectId),
  { table: 'trigger', id: triggerId },
  { table: 'pendingBlob', id: triggerBlobKey(triggerId) },
];

const changed = (trigger: TriggerRecord, command: ChangeTriggerCommand, nowMs: number): TriggerRecord => {
  const idle = { nextRunAtMs: null, dueAtMs: null, owner: null, updatedAtMs: nowMs };
  switch (command.kind) {
    case 'disable': {
      const gone = { ...trigger, ...idle, status: 'disabled' as const, disabledAtMs: nowMs };
      // An occurrence that was found before may still need the interaction; a later one does not.
      return interactionOf(trigger).whole.kind === 'inline'
        ? { ...gone, keptBytes: null }
        : { ...gone, dueAtMs: nowMs + 2 * graceMs };
    }
    case 'set_enabled': {
      if (!command.enabled) return { ...trigger, ...idle, status: 'paused' };
      if (trigger.status === 'enabled') return trigger;
      const nextRunAtMs = nextAfter(trigger, nowMs);
      const resumed = { status: 'enabled', refusals: 0, pausedCode: null } as const;
      return { ...trigger, ...resumed, nextRunAtMs, dueAtMs: nextRunAtMs, updatedAtMs: nowMs };
    }
  }
};

// triggers:delete:final
/** Pauses, resumes or deletes a schedule of the project; null where there is none, or it was deleted. */
export const changeTrigger = (command: ChangeTriggerCommand): Step<TriggerRecord | null> => ({
  keys: changeTriggerKeys(command),
  decide: (records, nowMs) => {
    const trigger = records.get('trigger', command.triggerId);
    if (trigger === undefined || trigger.projectId !== command.projectId || trigger.status === 'disabled')
      return { writes: [], answer: null };
    const record = changed(trigger, command, nowMs);
    if (record === trigger) return { writes: [], answer: record };
    const change = usageChange(usageOfTrigger(trigger), usageOfTrigger(record));
    return {
      writes: [{ kind: 'put', table: 'trigger', record }, ...usageWrites(records, record.projectId, change)],
      answer: record,
    };
  },
});

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
  /** Another worker has it, or it was paused. */
  | { readonly kind: 'lost' };

const occurKeys = ({ claimed }: OccurCommand): readonly Key[] => [
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
 * Turns the instant of a schedule into one occurrence, whichever process finds it due and how often: its identity is trigger and
 * instant. The next instant is computed from now.
 */
export const occur = (command: OccurCommand): Step<OccurAnswer> => ({
  keys: occurKeys(command),
  decide: (records, nowMs) => {
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
  },
});

export interface ConcludeOccurrenceCommand {
  /** As it was claimed. */
  readonly claimed: OccurrenceRecord;
  /** So many refusals in a row pause the schedule; null never does. */
  readonly refusalsMax: number | null;
  readonly outcome:
    /** The interaction is open: it is checked again after that long. */
    | { readonly kind: 'opened'; readonly recheckAfterMs: number }
    /** The cause is unknown, or whether it is open: it is tried again, until its time is over. */
    | { readonly kind: 'not_opened'; readonly recheckAfterMs: number }
    // triggers:run:refusal-recorded
    /** Nothing was opened. */
    | { readonly kind: 'prevented'; readonly errorCode: string }
    /** The interaction has ended. */
    | {
        readonly kind: 'ended';
        readonly status: 'completed' | 'failed';
        readonly errorCode: string | null;
        readonly atMs: number;
      };
}

const concludeOccurrenceKeys = ({ claimed }: ConcludeOccurrenceCommand): readonly Key[] => [
  { table: 'occurrence', id: claimed.id },
  { table: 'trigger', id: claimed.triggerId },
  ...(claimed.operationId === null ? [] : [{ table: 'operation', id: claimed.operationId } as const]),
];

/** What has come of an attempt that failed, or of one whose interaction is not there: a host's ledger may have refused it since. */
const afterAttempt = (
  occurrence: OccurrenceRecord,
  { isOpen, recheckAfterMs }: { readonly isOpen: boolean; readonly recheckAfterMs: number },
  nowMs: number,
): ConcludeOccurrenceCommand['outcome'] => {
  if (isOpen) return { kind: 'opened', recheckAfterMs };
  const isLate = nowMs - occurrence.scheduledForMs > graceMs;
  return isLate ? { kind: 'prevented', errorCode: 'service_unavailable' } : { kind: 'not_opened', recheckAfterMs };
};

/** What is on record says more than this try: another try may have opened the interaction, or none has. */
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
      return isOpen ? { kind: 'opened', recheckAfterMs: 0 } : outcome;
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
      return { ...occurrence, status: 'pending', owner: null, dueAtMs: nowMs + outcome.recheckAfterMs };
    case 'opened':
      return {
        ...occurrence,
        status: 'processing',
        startedAtMs: occurrence.startedAtMs ?? nowMs,
        owner: null,
        dueAtMs: nowMs + outcome.recheckAfterMs,
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

export interface ConcludedOccurrence {
  readonly occurrence: OccurrenceRecord;
  /** The schedule, where this refusal was one too many and has paused it. */
  readonly paused: TriggerRecord | null;
}

/** Notes how far an occurrence is, and what that means for its schedule. Null where another worker has it, or it is over. */
export const concludeOccurrence = (command: ConcludeOccurrenceCommand): Step<ConcludedOccurrence | null> => ({
  keys: concludeOccurrenceKeys(command),
  decide: (records, nowMs) => {
    const occurrence = records.get('occurrence', command.claimed.id);
    if (occurrence === undefined || isOver(occurrence) || occurrence.owner !== command.claimed.owner)
      return { writes: [], answer: null };
    const isOpen = occurrence.operationId !== null && records.get('operation', occurrence.operationId) !== undefined;
    const record = concluded(occurrence, asRecorded(occurrence, command.outcome, isOpen, nowMs), nowMs);
    const writes: Write[] = [{ kind: 'put', table: 'occurrence', record }];
    const before = records.get('trigger', occurrence.triggerId);
    const trigger = before && afterOccurrence(before, record, { refusalsMax: command.refusalsMax, nowMs });
    if (trigger !== undefined && trigger !== before) writes.push({ kind: 'put', table: 'trigger', record: trigger });
    const isPaused = before?.status === 'enabled' && trigger?.status === 'paused';
    return { writes, answer: { occurrence: record, paused: isPaused ? trigger : null } };
  },
});

/** Removes the record of an occurrence whose time has come. */
export const purgeOccurrence = (claimed: OccurrenceRecord): Step<boolean> => ({
  keys: [{ table: 'occurrence', id: claimed.id }],
  decide: (records) => {
    const occurrence = records.get('occurrence', claimed.id);
    if (occurrence === undefined || !isOver(occurrence) || occurrence.owner !== claimed.owner)
      return { writes: [], answer: false };
    return { writes: [{ kind: 'delete', table: 'occurrence', id: claimed.id }], answer: true };
  },
});
