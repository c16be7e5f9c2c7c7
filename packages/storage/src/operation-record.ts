import type { OperationState } from '@tollgate/contract';

/** One wire call to a model upstream, in the order made. */
export interface AttemptRecord {
  readonly provider: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** HTTP status of the upstream, or null where no answer came. */
  readonly status: number | null;
  readonly outcome: 'answered' | 'refused' | 'not_sent' | 'unknown';
}

/** A measured quantity; units never overlap, so that a price list may simply multiply and add. */
export interface UsageRecord {
  readonly unit: string;
  /** A non-negative integer. An explicit zero is a measurement. */
  readonly quantity: number;
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
  readonly tariffVersion: string;
  readonly usage: readonly UsageRecord[] | null;
  readonly attempts: readonly AttemptRecord[];
  readonly errorCode: string | null;
  readonly answerForm: AnswerForm;
  /** Whether the answer is stored, was purged by retention, or never existed. */
  readonly answer: 'none' | 'stored' | 'purged';
  /** The process or worker that last took charge. */
  readonly owner: string | null;
  /** When somebody must look again: end of the lease, next settlement try, or retention. */
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
  readonly createdAtMs: number;
}

/** `id` is project and identity: which operation an Idempotency-Key stands for. One winner is decided on its absence. */
export interface IdentityRecord {
  readonly id: string;
  readonly operationId: string;
  readonly fingerprint: string;
  readonly createdAtMs: number;
}

/** A provider's opaque state of one tool call, found again when a client drops it (`id` is project and call id). */
export interface ToolContextRecord {
  readonly id: string;
  readonly context: string;
  readonly owner: string | null;
  readonly dueAtMs: number | null;
}
