import type { CallField } from './call-field.ts';
import type { NotExecutedReason } from './not-executed-reason.ts';
import type { RefusalDetail } from './refusal-detail.ts';

export interface NotExecutedOptions {
  readonly reason: NotExecutedReason;
  /** When the upstream says to come back. */
  readonly retryAfterMs?: number;
  /** The field that the upstream refused, by its name in the call; the error has the client's name of it. */
  readonly field?: CallField | undefined;
  /** Why the upstream refused it, of `invalid_request` alone; the error has the gateway's words for it. */
  readonly detail?: RefusalDetail | undefined;
  /**
   * Whether the same call fails again until a person changes something: the upstream refuses the host's credentials, or does not
   * know the model or the path (default false). It is not repeated, and says nothing of the health of the upstream.
   */
  readonly lasting?: boolean;
  /** For the log only; never reaches a client. */
  readonly cause?: unknown;
}

/** Certain non-execution: nothing ran, or the upstream said definitely that it failed and bills nothing. */
export class NotExecuted extends Error {
  readonly code = 'not_executed';
  readonly reason: NotExecutedReason;
  readonly retryAfterMs: number | undefined;
  readonly field: CallField | undefined;
  readonly detail: RefusalDetail | undefined;
  readonly lasting: boolean;

  constructor(options: NotExecutedOptions) {
    super(`not executed: ${options.reason}`, { cause: options.cause });
    this.name = 'NotExecuted';
    this.reason = options.reason;
    this.retryAfterMs = options.retryAfterMs;
    this.field = options.field;
    this.detail = options.detail;
    this.lasting = options.lasting ?? false;
  }
}

/** Tells by code, so that two copies of this package agree. */
export const isNotExecuted = (cause: unknown): cause is NotExecuted =>
  cause instanceof Error && 'code' in cause && cause.code === 'not_executed';
