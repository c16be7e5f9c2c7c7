import {
  also,
  faultAt,
  memberPlace,
  nullable,
  optionsCheck,
  timerMs,
  whole,
  type ConfigurationFault,
  type OptionCheck,
} from '@tollgate/contract/configuration';

/** The lengths of time and sizes an engine works with; every one has a default that suits a production gateway. */
export interface EngineLimits {
  /** How long a running operation is believed alive without a renewal. */
  readonly leaseMs: number;
  /** How often a process renews the leases of all its running operations. */
  readonly renewMs: number;
  /** How often due operations are looked for. */
  readonly sweepMs: number;
  /** Rounds of a hundred rows that one sweep works through at the most. */
  readonly sweepRoundsMax: number;
  /** How often what was used is added to the sums of its hour and day; queries count what is not added yet, too. */
  readonly usageRollUpMs: number;
  /** How long a provider may take for one execution before the outcome counts as unknown. */
  readonly executionMs: number;
  /** When a settlement that free balance did not cover is tried again at the latest. */
  readonly settlementRetryMs: number;
  /** How often a step that the storage could not confirm is sent again. */
  readonly persistTriesMax: number;
  /** The pause before the first of these; each further one doubles it. */
  readonly persistPauseMs: number;
  /**
   * How long one call of a wallet or of identities that the host keeps may take. Then it counts as not confirmed: a call of the wallet
   * is sent again under the same ids, a request that waits for its identity answers 503.
   */
  readonly hostCallMs: number;
  /** How long a stored answer can be replayed: 24 hours to 7 days. */
  readonly answerKeptMs: number;
  /** How long after a client left unanswered a retry that it marks may take its operation up. */
  readonly undeliveredKeptMs: number;
  /** How long record and identity are kept: at least 30 days; null keeps them for ever. */
  readonly recordKeptMs: number | null;
  /** Responses above this lie in the blob store. */
  readonly inlineAnswerBytesMax: number;
  /** How long a blob may lie in the store before a record owns it: longer than a body and an execution together take. */
  readonly pendingBlobMs: number;
  // limits:retention:files
  /** How long a file can be used. */
  readonly fileKeptMs: number;
  /** How long a provider may take for a copy of a file in one go. */
  readonly fileCopyMs: number;
  /** How long an upload, and a question about a file, wait for the provider before they answer `processing`. */
  readonly fileWaitMs: number;
  /** How often a file that is processing is checked. */
  readonly filePollMs: number;
  /** How long a file may be processing before it counts as failed. */
  readonly fileProcessingMs: number;
  // environments:states:idle-expiry
  /** How long an environment can be used after its last use. */
  readonly environmentIdleMs: number;
  /** So many occurrences of a schedule that are refused in a row pause it; null never does. */
  readonly triggerRefusalsMax: number | null;
  /** How long a process may go on believing what it read of a key, for finding an operation's account; opening checks again. */
  readonly accessCachedMs: number;
}

const hour = 3_600_000;

export const defaultEngineLimits: EngineLimits = {
  leaseMs: 30_000,
  renewMs: 10_000,
  sweepMs: 5_000,
  sweepRoundsMax: 50,
  usageRollUpMs: 10_000,
  executionMs: 600_000,
  settlementRetryMs: 60_000,
  persistTriesMax: 6,
  persistPauseMs: 100,
  hostCallMs: 10_000,
  answerKeptMs: 7 * 24 * hour,
  undeliveredKeptMs: 60_000,
  recordKeptMs: 90 * 24 * hour,
  inlineAnswerBytesMax: 65_536,
  pendingBlobMs: hour,
  fileKeptMs: 48 * hour,
  fileCopyMs: 300_000,
  fileWaitMs: 10_000,
  filePollMs: 5_000,
  fileProcessingMs: hour,
  environmentIdleMs: 7 * 24 * hour,
  triggerRefusalsMax: 20,
  accessCachedMs: 5_000,
};

const members = optionsCheck<Partial<EngineLimits>>({
  leaseMs: timerMs({ min: 1 }),
  renewMs: timerMs(),
  sweepMs: timerMs(),
  sweepRoundsMax: whole({ min: 1 }),
  usageRollUpMs: timerMs(),
  executionMs: timerMs({ min: 1 }),
  settlementRetryMs: timerMs(),
  persistTriesMax: whole({ min: 1 }),
  persistPauseMs: timerMs(),
  hostCallMs: timerMs({ min: 1 }),
  answerKeptMs: whole({ min: 24 * hour, max: 7 * 24 * hour }),
  undeliveredKeptMs: whole(),
  recordKeptMs: nullable(whole({ min: 30 * 24 * hour })),
  inlineAnswerBytesMax: whole(),
  pendingBlobMs: whole(),
  fileKeptMs: whole(),
  fileCopyMs: timerMs(),
  fileWaitMs: timerMs(),
  filePollMs: timerMs(),
  fileProcessingMs: whole(),
  environmentIdleMs: whole(),
  triggerRefusalsMax: nullable(whole({ min: 1 })),
  accessCachedMs: whole(),
});

/** Limits that contradict each other, the defaults of what was left out included. */
const contradictions = (given: Partial<EngineLimits>, place: string): readonly ConfigurationFault[] => {
  const { leaseMs, renewMs, pendingBlobMs, executionMs } = { ...defaultEngineLimits, ...given };
  return [
    ...(renewMs * 2 > leaseMs
      ? faultAt(memberPlace(place, 'renewMs'), `is ${renewMs}`, `is at most half of leaseMs, which is ${leaseMs}`)
      : []),
    ...(pendingBlobMs < 2 * executionMs
      ? faultAt(
          memberPlace(place, 'pendingBlobMs'),
          `is ${pendingBlobMs}`,
          `is at least twice executionMs, which is ${executionMs}`,
        )
      : []),
  ];
};

/** Every limit in its bounds, and none against another one. */
export const engineLimitsCheck: OptionCheck<Partial<EngineLimits>> = also(members, contradictions);
