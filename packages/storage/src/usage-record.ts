/** How much was used of each unit, by its name. A whole number each; what is absent is 0. */
export type UnitSums = Readonly<Record<string, number>>;

/** Who used what: the texts that usage is summed by. */
export interface UsageSource {
  readonly accountId: string;
  /** '' where the operation is gone, as of a correction that came late; the same holds for key and model. */
  readonly projectId: string;
  readonly keyId: string;
  readonly model: string;
  /** The provider that returned the response; '' where none did. */
  readonly provider: string;
}

/** What is summed. */
export interface UsageAmounts {
  /** Operations that completed. */
  readonly requests: number;
  /** Credits debited. */
  readonly chargedMicros: bigint;
  /** Credits by which compensations corrected what operations were charged; positive gives back. */
  readonly correctedMicros: bigint;
  readonly units: UnitSums;
}

/**
 * What one step used and charged, written in that step. The next roll-up adds it to its hour and its day and deletes it, in one
 * step, so that it counts once.
 */
export interface UsageLineRecord extends UsageSource, UsageAmounts {
  readonly id: string;
  readonly createdAtMs: number;
}

/** What was used within one hour of UTC by one source; lines that are not rolled up yet come on top. */
export interface UsageHourRecord extends UsageSource, UsageAmounts {
  readonly id: string;
  /** When the hour begins. */
  readonly startMs: number;
}

/** What was used within one day of UTC, by account and model alone: few rows, for questions about all accounts. */
export interface UsageDayRecord extends Pick<UsageSource, 'accountId' | 'model'>, UsageAmounts {
  readonly id: string;
  /** When the day begins. */
  readonly startMs: number;
}
