import type { AccessIds } from '../decisions/access.ts';
import type { CallerLimits } from './caller-limits.ts';

/** Whose limit it is. */
export type LimitLevel = 'key' | 'project' | 'account';

/** What is limited: `concurrency` counts requests and sessions that run at once. */
export type LimitedAmount = 'requests' | 'tokens' | 'concurrency';

/** The limits of a caller at each level; a level that is absent has none. */
export type LevelLimits = { readonly [Level in LimitLevel]?: CallerLimits | null | undefined };

/** Where a caller stands with one limit. */
export interface LimitReport {
  readonly level: LimitLevel;
  readonly amount: 'requests' | 'tokens';
  /** For one minute. */
  readonly limit: number;
  readonly remaining: number;
  /** When all of the limit is available again. */
  readonly resetMs: number;
}

/** Who asks, as a plan of the engine carries it. */
export interface LimitedCaller extends AccessIds {
  /** Of the records of key, project and account, or of what the host says of the caller; absent or null where there are none. */
  readonly limits?: LevelLimits | null | undefined;
  /** Hears where the caller stands, for the headers of the response. */
  readonly onReports?: ((reports: readonly LimitReport[]) => void) | undefined;
}

/** One request or session that wants to begin. */
export interface LimitQuestion {
  readonly caller: AccessIds;
  /** Of the records of the caller; null where they hold none. */
  readonly limits: LevelLimits | null;
  /** Names the request to the limiter; fresh for each question. */
  readonly requestId: string;
  /** Public catalog id. */
  readonly model: string;
  /** What is asked for, such as `chat`, `embeddings`, `video` or `live`. */
  readonly kind: string;
  /** What it takes of each limit. Of a session that goes on, requests are 0. */
  readonly takes: { readonly requests: 0 | 1; readonly tokens: number; readonly concurrency: 0 | 1 };
}

/** A request that a limiter admitted. */
export interface LimitTicket {
  /**
   * Called once, when the request has ended in whatever way. `tokens` is what it used; null where that is unknown, and the estimate
   * stands. Resolves when the place of the request is free.
   */
  readonly release: (used: { readonly tokens: number | null }) => void | Promise<void>;
}

/** What a limiter decides. */
export type LimitVerdict =
  | { readonly kind: 'admitted'; readonly ticket: LimitTicket; readonly reports?: readonly LimitReport[] }
  | {
      /** `too_large`: the request alone takes more than the limit ever has, so that no wait helps. */
      readonly kind: 'limited' | 'too_large';
      readonly level: LimitLevel;
      readonly amount: LimitedAmount;
      /** Requests or tokens of one minute, or requests at once. */
      readonly limit: number;
      /** When a repeat may be admitted; of `too_large` without a meaning. */
      readonly retryAfterMs: number;
      readonly reports?: readonly LimitReport[];
    };

/**
 * Limits requests, tokens and what runs at once. `reserve` takes from every limit of the caller or from none, before anything is
 * registered; the ticket corrects it when the request has ended.
 */
export interface UsageLimiter {
  readonly reserve: (question: LimitQuestion) => LimitVerdict | Promise<LimitVerdict>;
  /** Called once, when the gateway closes. */
  readonly close?: (() => void | Promise<void>) | undefined;
}

/** What becomes of a request whose limiter takes too long, throws, or returns what is no verdict. */
export type LimiterFailurePolicy = 'refuse' | 'allow';

/** A limiter with the patience that the host has for it. */
export interface AskedLimiter {
  readonly limiter: UsageLimiter;
  /** How long one question or release may take. */
  readonly ms: number;
  readonly onFailure: LimiterFailurePolicy;
}
