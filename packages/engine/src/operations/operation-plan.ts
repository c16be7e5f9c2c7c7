import type { ErrorCode } from '@tollgate/contract';
import type { CallContext, CallField, RefusalDetail, ServiceTier, Usage } from '@tollgate/provider';
import type { AnswerForm, OperationRecord } from '@tollgate/storage';
import type { ResourceUse } from '../decisions/resource-draft.ts';
import type { Estimate } from '../ledger/hold.ts';
import type { LimitedCaller } from '../ports/usage-limiter.ts';

/** What an execution may use. */
export interface ExecutionContext extends CallContext {
  readonly operationId: string;
  /** When the operation was opened. */
  readonly createdAtMs: number;
}

/** What is kept of a finished execution for the client. */
export interface PlannedAnswer {
  /** The public JSON body without credits; the same operation always gives the same text. */
  readonly body: string;
  /** How the body was divided into the events of a stream, for its replay; absent where it was not. */
  readonly division?: string;
  /** Opaque states of proposed tool calls, by call id. */
  readonly toolContexts: readonly { readonly callId: string; readonly context: string }[];
}

/** What a client tells of its own retries, where it does. */
export interface ClientRetry {
  /** How many there were before this request: 0 of the first try. */
  readonly count: number;
  /** Calls once, should the client leave before anything of its answer was sent. Returns what ends the watch. */
  readonly onGone: (leave: () => void) => () => void;
}

/** All that a route adds to the life of an operation. Without a meter a plan does not type-check. */
export interface OperationPlan<R> {
  readonly access: LimitedCaller;
  readonly kind: string;
  /** Public catalog id. */
  readonly model: string;
  /** Names the provider on attempts. */
  readonly provider: string;
  readonly identity: string | null;
  readonly fingerprint: string;
  readonly answerForm: AnswerForm;
  /** How it asks to be served; left out where it does not say. */
  readonly serviceTier?: ServiceTier | undefined;
  /** What the operation may use at the most, as far as that is known. */
  readonly estimate: Estimate;
  /** Refuses a new operation, but not the replay of one that exists. */
  readonly refusal: ErrorCode | null;
  /** Resources of the project that it needs while it runs. */
  readonly uses?: readonly ResourceUse[];
  /** Files of the project that it names, each once; they cannot be deleted until it has ended. */
  readonly files?: readonly string[];
  /** Whether the client has left; asked once, after opening and before the hand-over. */
  readonly isAbandoned: () => boolean;
  /** Present where the client marks its retries. */
  readonly retry?: ClientRetry;
  readonly execute: (context: ExecutionContext) => Promise<R>;
  readonly measure: (result: R) => readonly Usage[];
  /** How the provider says that it was served; asked only where it asks for a service tier. */
  readonly servedTier?: (result: R) => ServiceTier | undefined;
  readonly answer: (result: R, operation: OperationRecord) => PlannedAnswer;
  /** What a client was sent of an answer whose outcome is lost, in the form of `answer`; null where nothing was. */
  readonly partialAnswer?: (operation: OperationRecord) => PlannedAnswer | null;
}

/** How an operation ended for the caller that asked. */
export type OperationOutcome =
  | {
      readonly kind: 'completed';
      readonly operation: OperationRecord;
      /** The public body without credits. */
      readonly body: string;
      /** As the plan's answer gave it; null in the first outcome, whose stream has been sent. */
      readonly division: string | null;
      readonly replayed: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      /** Present exactly when the operation is registered. */
      readonly requestId: string | null;
      readonly retryAfterMs: number | null;
      /** What is in the way, in words for the client. */
      readonly detail?: string;
      /** The setting of the call that the provider refused. */
      readonly field?: CallField | undefined;
      /** Why the upstream refused it, where it is one of the list. */
      readonly refusal?: RefusalDetail | undefined;
    };
