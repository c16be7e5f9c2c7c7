import type { ErrorCode, OperationState } from '@tollgate/contract';
import type { AttemptRecord, UsageRecord } from '@tollgate/storage';

/** Whose an event is: ids of the gateway. They belong on spans and lines, and never among the attributes of a metric. */
export interface ObservedCaller {
  readonly accountId: string;
  readonly projectId: string;
  readonly keyId: string;
}

/** An operation as an observer sees it: no content, no key, no upstream text. */
export interface ObservedOperation {
  readonly id: string;
  readonly kind: string;
  /** Public catalog id. */
  readonly model: string;
  readonly caller: ObservedCaller;
  readonly holdMicros: bigint;
  readonly createdAtMs: number;
  /** What the observer noted of the request that opened it, in whichever process. */
  readonly trace: string | null;
}

/** How an operation left the hands of this process. */
export type OperationEnd =
  | { readonly kind: 'settled'; readonly chargedMicros: bigint; readonly usage: readonly UsageRecord[] }
  /** Measured, and the free balance does not cover it yet. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'uncertain' };

/** How a turn of work went: it ended the work, the work goes on, or it was lost to another worker. */
export type TurnOutcome =
  | 'done'
  | 'later'
  | 'active'
  | 'not_executed'
  | 'refused'
  | 'cancelled'
  | 'unknown'
  | 'lost'
  /** Its end could not be stored. */
  | 'not_stored';

/** What this process holds at the moment. */
export interface GatewayGauges {
  /** Operations that run here. */
  readonly running: number;
  /** Resources that workers of this process work on. */
  readonly working: number;
  /** Background tasks of this process. */
  readonly backgroundTasks: number;
  /** Deliveries that are being sent. */
  readonly delivering: number;
  /** Requests with a large body that wait for their turn. */
  readonly bodiesWaiting: number;
  /** Requests under way. */
  readonly requests: number;
  /** Open realtime sessions. */
  readonly liveSessions: number;
}

/** Holds of an age, over all processes. */
export interface HoldsOfAge {
  /** The upper bound of the age in seconds; null for all that are older. */
  readonly ageSecondsMax: number | null;
  readonly count: number;
  readonly heldMicros: bigint;
}

/** What the storage holds, over all processes: each of them reports the same. */
export interface StoredGauges {
  readonly uncertain: number;
  /** Holds of operations that have not ended, uncertain ones included, from the youngest. */
  readonly holds: readonly HoldsOfAge[];
  /** False where there are more operations than one reading counts: then the counts are lower bounds. */
  readonly isWhole: boolean;
}

/** What an observer can read of a gateway. */
export interface GatewayView {
  readonly gauges: () => GatewayGauges;
  /** Reads the storage, at most once in ten seconds; null where it did not answer in time. Never rejects. */
  readonly stored: () => Promise<StoredGauges | null>;
}

/** What one sweep did. */
export interface ObservedSweep {
  readonly durationMs: number;
  readonly markedUncertain: number;
  readonly resumed: number;
  readonly settled: number;
  readonly purged: number;
  readonly more: boolean;
}

/** What happens in a gateway, by name. An event holds ids, numbers and words of the gateway, and nothing that a client or an upstream wrote. */
export type ObservedEvent =
  | {
      readonly kind: 'request_started';
      readonly requestId: string;
      readonly method: string;
      /** A header of the request by its lowercase name, for the context of a trace. */
      readonly header: (name: string) => string | null;
    }
  /** Its key is good and its rate allowed; `route` is the route of the contract that it stands for. */
  | {
      readonly kind: 'request_admitted';
      readonly requestId: string;
      readonly route: string;
      readonly caller: ObservedCaller;
    }
  /** It gets an error. */
  | { readonly kind: 'request_refused'; readonly requestId: string; readonly code: ErrorCode }
  /** The last byte of its response was handed to the server, or its client left. */
  | {
      readonly kind: 'request_ended';
      readonly requestId: string;
      /** What the response says in `x-request-id`: the operation where one is registered. */
      readonly shownId: string;
      readonly method: string;
      readonly status: number;
      readonly durationMs: number;
      readonly isStream: boolean;
    }
  | { readonly kind: 'operation_opened'; readonly operation: ObservedOperation; readonly requestId: string | null }
  /** A request was answered by an operation that was there before. */
  | { readonly kind: 'operation_replayed'; readonly operationId: string; readonly requestId: string | null }
  /** The provider is called now. */
  | { readonly kind: 'execution_started'; readonly operationId: string; readonly provider: string }
  /** The first piece of a streamed response is there. */
  | { readonly kind: 'stream_begun'; readonly operationId: string }
  | {
      readonly kind: 'upstream_attempt';
      readonly operationId: string;
      readonly provider: string;
      /** HTTP status of the upstream, or null where no answer came. */
      readonly status: number | null;
      readonly outcome: AttemptRecord['outcome'];
      readonly durationMs: number;
    }
  | {
      readonly kind: 'execution_ended';
      readonly operationId: string;
      readonly provider: string;
      readonly durationMs: number;
      readonly outcome: 'answered' | 'not_executed' | 'unknown';
      /** What the provider measured, before it is settled; empty where nothing is known. */
      readonly usage: readonly UsageRecord[];
    }
  /**
   * A worker, in whichever process, calls a provider for a resource for the first time in this turn of its work. A turn that calls
   * none is not shown.
   */
  | {
      readonly kind: 'turn_started';
      readonly operation: ObservedOperation;
      readonly provider: string;
      /** Names the turn: one that lost its lease may end while the next one runs. */
      readonly turnId: string;
    }
  | {
      readonly kind: 'turn_ended';
      readonly operationId: string;
      readonly turnId: string;
      readonly outcome: TurnOutcome;
    }
  | {
      readonly kind: 'operation_ended';
      /** Null where only its id is known here. */
      readonly operation: ObservedOperation | null;
      readonly operationId: string;
      readonly end: OperationEnd;
    }
  /** Its lease ran out: another process than the one that ran it decided what becomes of it. */
  | { readonly kind: 'taken_over'; readonly operationId: string; readonly state: OperationState }
  /** An event is written out for its receivers; `lagMs` is its age by now. */
  | { readonly kind: 'event_due'; readonly lagMs: number }
  | {
      readonly kind: 'delivery';
      readonly deliveryId: string;
      readonly outcome: 'acknowledged' | 'refused' | 'skipped' | 'postponed';
      /** From the event to this attempt. */
      readonly lagMs: number;
      readonly attempts: number;
    }
  | ({ readonly kind: 'swept' } & ObservedSweep)
  | { readonly kind: 'job_failed' }
  /** Steps that a storage committed in one transaction. */
  | {
      readonly kind: 'storage_batch';
      readonly steps: number;
      readonly durationMs: number;
    };

/** Takes events while they happen. It is called in the middle of requests: it must return at once and keep what it needs. */
export type Observe = (event: ObservedEvent) => void;

/** What a host adds to see into a gateway. */
export interface Observer {
  readonly observe: Observe;
  /** Headers that upstream requests of an operation carry, such as `traceparent`; undefined for none. */
  readonly upstreamHeaders?: ((operationId: string) => Readonly<Record<string, string>> | undefined) | undefined;
  /**
   * What is stored with an operation that a request opens, so that its end can be linked to the request from any process: at most
   * `traceCharsMax` characters; null for nothing.
   */
  readonly traceOf?: ((requestId: string) => string | null) | undefined;
  /** Is handed what can be read of the gateway, once, when it is assembled. */
  readonly watch?: ((view: GatewayView) => void) | undefined;
}

/** Of what an observer has stored with an operation. */
export const traceCharsMax = 128;
