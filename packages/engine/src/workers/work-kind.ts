import type { ErrorCode } from '@tollgate/contract';
import type { CallContext, NotExecuted, Usage } from '@tollgate/provider';
import type { OperationRecord, ResourceRecord } from '@tollgate/storage';
import type { Measure } from '../decisions/carry.ts';
import type { ResourceClosing } from '../decisions/close-resource.ts';

/** Work in a worker's hands. */
export interface Work {
  readonly operation: OperationRecord;
  readonly resource: ResourceRecord;
}

/** What a kind may use while it works. */
export interface WorkContext {
  /** Aborts when the work is lost to another worker, or when the process lets go of it. */
  readonly signal: AbortSignal;
  /** The name that this turn holds its lease by: steps of a kind's own check it. */
  readonly owner: string;
  /** What a call of this provider may use. */
  readonly callContext: (provider: string) => CallContext;
  /**
   * Makes progress durable before going on: the worker that takes it up after a death starts from here. Throws `LostWork` where
   * another worker has it; then nothing more may be handed to a provider.
   */
  readonly checkpoint: (work: unknown, shown?: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Whether the client has asked to cancel; reads the record. */
  readonly isCancelling: () => Promise<boolean>;
  /** Why nothing more may be handed to a provider for the key that opened the operation, or null while it may. */
  readonly accessRefusal: () => Promise<ErrorCode | null>;
  /** Whether the process is about to end: finish what is in hand, begin nothing more and answer `later`. */
  readonly isDraining: () => boolean;
}

/** A public result without credits: the JSON text of an object, or the bytes of one that may be too large for memory. */
export type WorkResult = string | (() => AsyncIterable<Uint8Array>);

/** What is known of work whose outcome as a whole is unknown; it is shown once the rest is decided. */
export interface KnownPart {
  readonly usage: readonly Usage[];
  readonly measure?: Measure | undefined;
  readonly result: WorkResult | null;
  readonly closing: ResourceClosing;
}

/** What became of one turn of work. */
export type WorkOutcome =
  /** It is checked again after that long, by any worker. */
  | {
      readonly kind: 'later';
      readonly afterMs: number;
      readonly work: unknown;
      readonly publicFields?: Readonly<Record<string, unknown>>;
    }
  /** The resource is usable until then and its operation stays open: the hold covers the time it is kept. */
  | {
      readonly kind: 'active';
      readonly untilMs: number;
      readonly work: unknown;
      readonly publicFields?: Readonly<Record<string, unknown>>;
    }
  /** Finished, with its measure; an empty one is an unknown one. */
  | {
      readonly kind: 'done';
      readonly usage: readonly Usage[];
      /** What it costs, where the result tells it; else what the usage does. */
      readonly measure?: Measure | undefined;
      /** Null where there is none. */
      readonly result: WorkResult | null;
      readonly closing: ResourceClosing;
    }
  /** Certain: nothing was consumed. */
  | { readonly kind: 'not_executed'; readonly error: NotExecuted }
  /** The request cannot be fulfilled by any retry; nothing is charged, and the client gets this code. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly cause: unknown }
  /** Cancelled before anything was handed over. */
  | { readonly kind: 'cancelled' }
  /** What was consumed is unknown. */
  | {
      readonly kind: 'unknown';
      readonly cause: unknown;
      readonly known?: KnownPart;
      /** What was used at the least beside the known part (default: what the cause says). */
      readonly usageAtLeast?: readonly Usage[];
    };

/** What is left of a resource that fades instead of expiring. */
export interface FadedResource {
  readonly work: unknown;
  /** Bytes of the blobs that are left; null where none are. */
  readonly keptBytes: number | null;
  /** Counted from now; null where nothing is left that could fade. */
  readonly dueAfterMs: number | null;
}

/** How one resource type is worked on. */
export interface WorkKind {
  readonly kind: string;
  /** How many of it one process works on at once, and how many of one project. */
  readonly runningMax: number;
  readonly runningPerProjectMax: number;
  /** How long the result is kept after its settlement. */
  readonly resultKeptMs: number;
  /**
   * Goes on from where the record stands. The operation is `processing`, or `cancelling`; its work is as the draft or the
   * last `keep` left it, so that work which a dead worker had begun is known by its own marks. Never called by two workers.
   */
  readonly run: (work: Work, context: WorkContext) => Promise<WorkOutcome>;
  /**
   * Present where a turn that has lost its work may still bring a part of the truth: called, with
   * the work as the turn began it, once a turn has given it up as doubtful, for what it lacked may have come in between. Only an outcome that is `done` counts.
   */
  readonly reconcileLate?: (work: Work) => Promise<WorkOutcome>;
  /**
   * Present where the kind never shows `expired`: called when the resource is due, removes what its time is over of, and returns
   * what is left of its work and when it is due again. May be called again after a death.
   */
  readonly fade?: (resource: ResourceRecord) => Promise<FadedResource>;
  /**
   * Present where a resource that failed without a charge keeps nothing: removes what was stored for its work. Called once the
   * failure is on record; what a death leaves is swept when its time is over.
   */
  readonly clearFailed?: (resource: ResourceRecord) => Promise<void>;
  /** Removes what lies outside of the records once the resource is deleted or expired; may be called again after a death. */
  readonly discard?: (resource: ResourceRecord) => Promise<void>;
}

/** Another worker has the work, or it was decided: this one must stop. */
export class LostWork extends Error {
  override readonly name = 'LostWork';
  readonly code = 'lost_work';
}

export const isLostWork = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'lost_work';
