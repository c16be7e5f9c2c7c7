import type { Generation, GenerationCall } from './generation.ts';

/** One wire call, reported as soon as its outcome is known, so that no upstream call goes unrecorded. */
export interface Attempt {
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** HTTP status of the upstream, or null where no answer came. */
  readonly status: number | null;
  readonly outcome: 'answered' | 'refused' | 'not_sent' | 'unknown';
}

/** What a call may use while it runs. */
export interface CallContext {
  /** Aborts when the gateway gives up waiting. A client that leaves does not abort a charged generation. */
  readonly signal: AbortSignal;
  /** Must be called once for every wire call, also for the last and the failing one. */
  readonly recordAttempt: (attempt: Attempt) => void;
}

/**
 * A model upstream. A capability it lacks is a method it does not have. The only throw that frees credits is `NotExecuted`:
 * any other means that the upstream may have run, and the operation becomes uncertain.
 */
export interface Provider {
  /** Written on attempts and in logs; never shown to clients. */
  readonly name: string;
  generate?(call: GenerationCall, context: CallContext): Promise<Generation>;
  /** Frees connections. */
  close?(): Promise<void>;
}
