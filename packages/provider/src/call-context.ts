import type { Usage } from './usage.ts';

/** One upstream request, reported as soon as its outcome is known, so that no upstream call goes unrecorded. */
export interface Attempt {
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** HTTP status of the upstream, or null where no answer came. */
  readonly status: number | null;
  readonly outcome: 'answered' | 'refused' | 'not_sent' | 'unknown';
  /** The provider that made it, where several stand behind one; without it the provider that was called. */
  readonly provider?: string;
  /** What the upstream calls the request, as `readUpstreamIds` reads it: an operator finds it on the upstream's bill. */
  readonly upstreamId?: string;
  /** What the upstream calls its answer, where the request has an id of its own. */
  readonly answerId?: string;
  /**
   * Whether it was given up while it ran, since another provider was asked in its place. What it used is in no measure of the
   * operation: the client is charged for the answer that it got.
   */
  readonly abandoned?: boolean;
  /** What an abandoned request is known to have used. */
  readonly usageAtLeast?: readonly Usage[];
}

/** Whose call it is: the records that pay for it. Ids of the gateway, and no secrets. */
export interface Caller {
  readonly accountId: string;
  readonly projectId: string;
  readonly keyId: string;
}

/** What a call may use while it runs. */
export interface CallContext {
  /**
   * So that a provider can choose its credentials by tenant, or tag its upstream requests. The same on every call for one operation,
   * whichever process makes it.
   */
  readonly caller: Caller;
  /** Aborts when the gateway gives up waiting. A client that leaves does not abort a charged generation. */
  readonly signal: AbortSignal;
  /** Headers that a provider over HTTP adds to its upstream requests, such as the context of a trace. They hold no secret. */
  readonly upstreamHeaders?: Readonly<Record<string, string>> | undefined;
  /** Must be called once for every upstream request, also for the last and the failing one. */
  readonly recordAttempt: (attempt: Attempt) => void;
}
