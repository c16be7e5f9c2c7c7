import type { OperationState } from '@tollgate/contract';

/** One upstream request to a model upstream, in the order made. */
export interface AttemptRecord {
  readonly provider: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** HTTP status of the upstream, or null where no answer came. */
  readonly status: number | null;
  readonly outcome: 'answered' | 'refused' | 'not_sent' | 'unknown';
  /** What the upstream called the request: visible ASCII, bounded in length, and not trusted. */
  readonly upstreamId?: string;
  /** What the upstream called its answer, where the request had an id of its own. */
  readonly answerId?: string;
  /** Present where it was given up while it ran, since another provider was asked in its place: its usage is in no measure. */
  readonly abandoned?: true;
  /** What is known to have been used by a call whose outcome is not, or that was abandoned. */
  readonly usageAtLeast?: readonly UsageRecord[];
}

/** A measured quantity; units never overlap, so that a price list may simply multiply and add. */
export interface UsageRecord {
  readonly unit: string;
  /** A non-negative integer. An explicit zero is a measurement. */
  readonly quantity: number;
}

/** What a person or a program decided of one part of an operation: an upstream request, or an item of a batch. */
export interface VerdictPartRecord {
  /** The number of the upstream request, counted from 1, or the key of the item. */
  readonly part: string;
  readonly executed: boolean;
  /** What it is said to have used; null where an amount is said instead, and where it was not executed. */
  readonly usage: readonly UsageRecord[] | null;
  /** Micro-credits in decimal digits, for JSON has no such integers; null where its usage is said instead. */
  readonly amountMicros: string | null;
}

/** How an uncertain operation was decided by someone other than the gateway's own measure. */
export interface VerdictRecord {
  readonly kind: 'release' | 'charge' | 'charge_measured' | 'charge_parts';
  /** What the whole operation is to cost, in micro-credits as decimal digits; `0` where nothing is charged. */
  readonly amountMicros: string;
  /** What the whole used, where that was said or follows from its parts. */
  readonly usage: readonly UsageRecord[] | null;
  readonly parts: readonly VerdictPartRecord[] | null;
  /** Who decided, why, and by which document, as far as they said so. */
  readonly by: string | null;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly decidedAtMs: number;
}

/** How the first answer was written on the wire, so that a replay is the same bytes. */
export type AnswerForm = 'json' | 'json_usage' | 'sse' | 'sse_usage';

/** One charged act: identity, money, execution and outcome. */
export interface OperationRecord {
  readonly id: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly kind: string;
  /** Public catalog id of the model. */
  readonly model: string;
  /** The client's Idempotency-Key, or null where it sent none. */
  readonly identity: string | null;
  /** SHA-256 over method, path and body bytes, lowercase hex. */
  readonly fingerprint: string;
  readonly state: OperationState;
  /** Set aside in the wallet while the operation is open. */
  readonly holdMicros: bigint;
  /** Debited so far. */
  readonly chargedMicros: bigint;
  /** How many parts of the hold were captured while the operation went on. */
  readonly captures: number;
  /** The measured amount that free balance could not cover yet; non-null only while settlement is pending. */
  readonly pendingMicros: bigint | null;
  /** Measured but waived by the host's overrun option. */
  readonly absorbedMicros: bigint;
  /**
   * Pico-credits by which the exact price exceeds what is on record as charged and absorbed, or as pending; the account carries them.
   * Negative where the amount was rounded up.
   */
  readonly carriedPicos: number;
  readonly tariffVersion: string;
  /** The plan that its account had when it was opened; null for none. */
  readonly plan: string | null;
  /** How it asked to be served (`standard`, `flex`, `priority`); null where it did not say. */
  readonly serviceTier: string | null;
  /** How the upstream says that it was served; null where that was not asked for or is not known. */
  readonly servedTier: string | null;
  /** What an observer noted of the request that opened it, such as the ids of its trace; null where nothing observes. */
  readonly trace: string | null;
  /** The records of spending that count it, where its caller has a cap; null where none does. */
  readonly spends: readonly string[] | null;
  readonly usage: readonly UsageRecord[] | null;
  /** Where outcome or measure are unknown: what was used at the least, known parts included. Never shown to clients. */
  readonly usageAtLeast: readonly UsageRecord[] | null;
  readonly attempts: readonly AttemptRecord[];
  /** Null where the gateway's own measure decided, or nothing is decided yet. */
  readonly verdict: VerdictRecord | null;
  /** The catalog id that the client asked, where a hook of the host had another one run; otherwise null. */
  readonly askedModel: string | null;
  /** What the host noted on it, before it was opened; null where it noted nothing. */
  readonly tags: Readonly<Record<string, string>> | null;
  readonly errorCode: string | null;
  readonly answerForm: AnswerForm;
  /** Whether the answer is stored, or a part of it that a client was sent, was purged by retention, or never existed. */
  readonly answer: 'none' | 'stored' | 'partial' | 'purged';
  /** The process or worker that last took charge. */
  readonly owner: string | null;
  /** When it must be processed again: end of the lease, next settlement try, or retention. */
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly endedAtMs: number | null;
}

/** The answer of an operation (`id` is the operation's): the public body without its credits. */
export interface AnswerRecord {
  readonly id: string;
  /** The JSON text, or null where it lies in the blob store under the operation's id. */
  readonly body: string | null;
  readonly bytes: number;
  /** How the body was divided into the events of its stream, as its route writes it; null where it was sent whole. */
  readonly division: string | null;
  readonly createdAtMs: number;
}

/** `id` is project and identity: which operation an Idempotency-Key stands for. One winner is decided on its absence. */
export interface IdentityRecord {
  readonly id: string;
  readonly operationId: string;
  readonly fingerprint: string;
  readonly createdAtMs: number;
}

/**
 * Operations of one request (`id` is key and fingerprint) whose client left before it learned how they end, until a retry takes
 * them up or their time is over.
 */
export interface UndeliveredRecord {
  readonly id: string;
  /** A list of `{ operationId, retries, untilMs }`. */
  readonly operations: unknown;
  readonly owner: string | null;
  readonly dueAtMs: number | null;
}

/** A provider's opaque state of one tool call, found again when a client drops it (`id` is project and call id). */
export interface ToolContextRecord {
  readonly id: string;
  readonly context: string;
  readonly owner: string | null;
  readonly dueAtMs: number | null;
}
