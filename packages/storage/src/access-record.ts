import type { LimitsRecord, Metadata } from './account-record.ts';

/** A project groups keys, requests and resources; every project of an account draws on that account's wallet. */
export interface ProjectRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** `closed` is final: it opens nothing any more, and what runs ends. */
  readonly status: 'active' | 'paused' | 'blocked' | 'closed';
  readonly createdAtMs: number;
  /** Null where the host never gave any. */
  readonly metadata: Metadata | null;
  readonly closedAtMs: number | null;
  /** What a limiter allows all of its keys together; null where the project has no limits of its own. */
  readonly limits: LimitsRecord | null;
}

/** A key at rest: the secret itself is shown once and never stored. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly name: string;
  /** The catalog id that the key is bound to for life; null chooses automatically. */
  readonly model: string | null;
  /** SHA-256 of the secret, in lowercase hex. */
  readonly secretHash: string;
  readonly status: 'active' | 'inactive' | 'revoked';
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
  /** From then on the key opens nothing; null for never. */
  readonly expiresAtMs: number | null;
  /** The catalog ids that the key may call; null for all. */
  readonly models: readonly string[] | null;
  /** What the key may spend in a window of time; null without a cap. */
  readonly cap: CapRecord | null;
  /** Requests, tokens and calls at once that a limiter allows the key; null where the key has none of its own. */
  readonly limits: LimitsRecord | null;
  /** Texts of the host by name, which the gateway only keeps. */
  readonly metadata: Metadata | null;
  /** The host's own name of the key, by which making it again changes nothing. */
  readonly reference: string | null;
  /** When the key was last used, to about a minute; null where no use is on record. */
  readonly lastUsedAtMs: number | null;
}

/** What a key may spend in each window of time. */
export interface CapRecord {
  /** Micro-credits in decimal digits, for JSON has no such integers. */
  readonly micros: string;
  readonly window: 'hour' | 'day' | 'week' | 'month' | 'total';
  /** IANA name of the zone by whose clocks windows end. */
  readonly timeZone: string;
}

/**
 * What a caller has spent in one window (`id` names the caller and the end of the window, so that no window is ever reset). Held and
 * spent are sums: the operations that name the record are the truth.
 */
export interface SpendRecord {
  readonly id: string;
  /** The cap as it was when an operation was last opened under it. */
  readonly limitMicros: bigint;
  /** Debited of operations that were opened in the window. */
  readonly spentMicros: bigint;
  /** Held by those of them that have not ended. */
  readonly heldMicros: bigint;
  /** Null for a window without an end. */
  readonly endsAtMs: number | null;
  readonly owner: string | null;
  /** When it is forgotten, long after its window; null for a window without an end. */
  readonly dueAtMs: number | null;
  /** Raised by every change. */
  readonly seq: number;
}

/**
 * A credential for a page that a key gave away, for a few minutes: it may do less than the key, and never more. Its secret is shown once
 * and never stored.
 */
export interface BrowserTokenRecord {
  readonly id: string;
  readonly keyId: string;
  readonly projectId: string;
  readonly accountId: string;
  /** SHA-256 of the secret, in lowercase hex. */
  readonly secretHash: string;
  /** The origins of pages that may send it; null for all. */
  readonly origins: readonly string[] | null;
  /** The catalog ids that it may call, of those that its key may; null for all of them. */
  readonly models: readonly string[] | null;
  /** What it may spend in all; null without a budget. */
  readonly budgetMicros: bigint | null;
  readonly createdAtMs: number;
  /** From then on it opens nothing. */
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
  readonly owner: string | null;
  /** When it is forgotten, some time after it expired. */
  readonly dueAtMs: number | null;
}
