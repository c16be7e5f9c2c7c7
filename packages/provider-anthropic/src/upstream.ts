import type { RetryLimits } from '@tollgate/provider-http';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { CachePrompts } from './cache-control.ts';
import { modelTraitsOf, type ModelTraits } from './model-traits.ts';
import type { WireRules } from './to-anthropic.ts';

export interface RetryOptions {
  /** Upstream requests of one step, the first included (default 3). Only what certainly did not run leads to another. */
  readonly attemptsMax?: number | undefined;
  /** Where the upstream asks for a longer wait, it is not waited for (default 2,000). */
  readonly waitMsMax?: number | undefined;
}

export interface LimitOptions {
  /** The whole call, retries and further requests of a paused turn included (default 10 minutes). */
  readonly timeoutMs?: number;
  /** The whole of a stream (default 20 minutes). */
  readonly streamTimeoutMs?: number;
  /** A longer answer is not read to its end, and leaves the outcome unknown (default 32 MiB). */
  readonly responseBytesMax?: number;
  /** One event of a stream (default 8 MiB). */
  readonly eventBytesMax?: number;
  /** Files and large media travel inside a call, up to this together (default 20 MiB); a call with more is refused. */
  readonly inlineBytesMax?: number;
  /** All results of a batch, which are read one by one (default 512 MiB). */
  readonly batchBytesMax?: number;
  /** Requests of one turn that the upstream pauses; what it has said by then is the answer, cut (default 8). */
  readonly modelRoundsMax?: number;
}

export interface AnthropicProviderOptions {
  /** Sent as `x-api-key`; never logged nor shown. */
  readonly apiKey: string;
  /** Without the version of the path; `/v1/messages` is added (default `https://api.anthropic.com`). */
  readonly baseUrl?: string | undefined;
  /** Sent as `anthropic-version` (default `2023-06-01`). */
  readonly version?: string | undefined;
  /** Names of features in trial, sent as `anthropic-beta`. */
  readonly beta?: readonly string[] | undefined;
  /** Written on attempts and in logs (default `anthropic`). */
  readonly name?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Connections to the upstream, and so calls in flight; further calls wait (default 1,024). */
  readonly connections?: number | undefined;
  readonly limits?: LimitOptions | undefined;
  readonly retry?: RetryOptions | undefined;
  /**
   * What of prompts the upstream is asked to keep: nothing (`off`, the default), what clients mark (`asked`), or in calls without a mark
   * all that may come again (`automatic`). The upstream charges more for input that it keeps: price both units of writing first.
   */
  readonly cachePrompts?: CachePrompts | undefined;
  /**
   * `sent`: calls that do not ask for the service tier `priority` say `standard_only`, and leave the capacity to those that do. By default
   * (`left_out`) the upstream serves them from that capacity as long as there is any.
   */
  readonly standardTier?: WireRules['standardTier'] | undefined;
  /** What is peculiar to a model, by the upstream's name of it; what is left out follows from the name. */
  readonly modelTraits?: ((upstreamModel: string) => Partial<ModelTraits>) | undefined;
  /** Replaces the pool of connections; the host closes it. */
  readonly dispatcher?: Dispatcher | undefined;
  readonly now?: (() => number) | undefined;
  /** Waits between two upstream requests; rejects when the signal aborts. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  readonly newCallId?: (() => string) | undefined;
}

const mebibyte = 1_048_576;

const limitDefaults: Required<LimitOptions> = {
  timeoutMs: 600_000,
  streamTimeoutMs: 1_200_000,
  responseBytesMax: 32 * mebibyte,
  eventBytesMax: 8 * mebibyte,
  inlineBytesMax: 20 * mebibyte,
  batchBytesMax: 512 * mebibyte,
  modelRoundsMax: 8,
};
const retryDefaults: RetryLimits = { attemptsMax: 3, waitMsMax: 2_000 };

export const baseUrlDefault = 'https://api.anthropic.com';
const versionDefault = '2023-06-01';

/** What a call needs of the options, with the defaults filled in. */
export interface Upstream {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** Path before the version; empty, or with a slash in front. */
  readonly basePath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly apiKey: string;
  readonly limits: Required<LimitOptions>;
  readonly retry: RetryLimits;
  readonly traitsOf: (upstreamModel: string) => ModelTraits;
  readonly rulesOf: (upstreamModel: string) => WireRules;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly newCallId: () => string;
}

/** Traits of a model: what the host says of it, and what its name says. */
export const traitsFrom = ({ modelTraits }: AnthropicProviderOptions, upstreamModel: string): ModelTraits => ({
  ...modelTraitsOf(upstreamModel),
  ...modelTraits?.(upstreamModel),
});

const headersOf = ({ apiKey, version, beta = [], headers }: AnthropicProviderOptions): Upstream['headers'] => {
  const own = { ...headers, 'x-api-key': apiKey, 'anthropic-version': version ?? versionDefault };
  return beta.length === 0 ? own : { ...own, 'anthropic-beta': beta.join(',') };
};

export const createUpstream = (options: AnthropicProviderOptions, dispatcher: Dispatcher): Upstream => {
  const base = new URL(options.baseUrl ?? baseUrlDefault);
  return {
    dispatcher,
    origin: base.origin,
    basePath: base.pathname.replace(/\/+$/, ''),
    headers: headersOf(options),
    apiKey: options.apiKey,
    limits: { ...limitDefaults, ...options.limits },
    retry: {
      attemptsMax: options.retry?.attemptsMax ?? retryDefaults.attemptsMax,
      waitMsMax: options.retry?.waitMsMax ?? retryDefaults.waitMsMax,
    },
    traitsOf: (model) => traitsFrom(options, model),
    rulesOf: (model) => ({
      traits: traitsFrom(options, model),
      cachePrompts: options.cachePrompts ?? 'off',
      standardTier: options.standardTier ?? 'left_out',
    }),
    now: options.now ?? Date.now,
    sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
    newCallId: options.newCallId ?? (() => `toolu_${randomUUID()}`),
  };
};

/** A path below the version: `messages`. */
export const servicePath = ({ basePath }: Upstream, path: string): string => `${basePath}/v1/${path}`;
