/** Texts of the host's own about a record, such as its customer number; the gateway reads none of them. */
export type Metadata = Readonly<Record<string, string>>;

/** What a limiter allows an account, a project or a key; what is absent is not limited. */
export interface LimitsRecord {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly concurrentRequests?: number | undefined;
}

/** Who pays. Its wallet is a record of its own, so that reading access does not wait for money. */
export interface AccountRecord {
  readonly id: string;
  readonly name: string;
  /** `inactive` has no contract (402); `blocked` may not use the service (403), and neither may `closed`, which is final. */
  readonly status: 'active' | 'inactive' | 'blocked' | 'closed';
  readonly createdAtMs: number;
  /** Null where the host never gave any. */
  readonly metadata: Metadata | null;
  readonly closedAtMs: number | null;
  /** The plan of the price lists by which it is charged; null for none. */
  readonly plan: string | null;
  /** What a limiter allows all of its projects together; null where the account has no limits of its own. */
  readonly limits: LimitsRecord | null;
}

/** What the balance of an account is compared with, for functions of the host that hear of it (`id` is the account's). */
export interface BalanceAlertRecord {
  readonly id: string;
  /** Null takes the threshold of the gateway. */
  readonly lowBalanceMicros: bigint | null;
  /** The balance after the last deposit. */
  readonly toppedMicros: bigint;
}

/**
 * The money of one account (`id` is the account's). Balance and reserved are cached sums: entries and open holds are the
 * truth. Always 0 ≤ reserved ≤ balance.
 */
export interface WalletRecord {
  readonly id: string;
  readonly balanceMicros: bigint;
  readonly reservedMicros: bigint;
  /** Raised by every change: the order of the wallet's history. */
  readonly seq: number;
  /** Number of the last entry; entries of an account are gap-free from 1. */
  readonly entrySeq: number;
  /**
   * Pico-credits that settled operations have cost beyond what was debited for them; negative where more was debited. The sum of
   * what its completed operations carry.
   */
  readonly remainderPicos: number;
  /** What operations carried whose records are gone: a part of `remainderPicos`. */
  readonly purgedPicos: number;
}
