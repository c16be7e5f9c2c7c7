import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Generation, GenerationCall, Usage } from '@tollgate/provider';
import type { Dispatcher } from 'undici';
import type { ToOpenaiOptions } from './to-openai.ts';

export interface RetryOptions {
  /** Wire calls of one generation, the first included (default 3). Only a 429 or a refused connection leads to another. */
  readonly attemptsMax?: number;
  /** Where the upstream asks for a longer wait, it is not waited for (default 2,000). */
  readonly waitMsMax?: number;
}

export interface OpenaiProviderOptions {
  /** Up to the version, such as `https://api.example.com/v1`; `/chat/completions` is added. */
  readonly baseUrl: string;
  /** Sent as a bearer credential; never logged nor shown. */
  readonly apiKey?: string;
  /** Written on attempts and in logs (default `openai`). */
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Connections to the upstream, and so calls in flight; further calls wait (default 1,024). */
  readonly connections?: number;
  /** The whole call, retries included (default 10 minutes). */
  readonly timeoutMs?: number;
  /** A longer answer is not read to its end, and leaves the outcome unknown (default 32 MiB). */
  readonly responseBytesMax?: number;
  readonly retry?: RetryOptions;
  /** What a whole answer without usage counts as: `uncertain` (default), or the host's own estimate. */
  readonly missingUsage?: 'uncertain' | ((call: GenerationCall, generation: Generation) => readonly Usage[]);
  /** Name of the output limit (default `max_tokens`, which every compatible server takes). */
  readonly tokenLimitField?: ToOpenaiOptions['tokenLimitField'];
  /** `left_out` for reasoning models that refuse one (default `sent`). */
  readonly temperature?: ToOpenaiOptions['temperature'];
  /** Replaces the pool of connections; whoever made it closes it. */
  readonly dispatcher?: Dispatcher;
  readonly now?: () => number;
  /** Waits between two wire calls; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly newCallId?: () => string;
}

const timeoutMsDefault = 600_000;
const responseBytesMaxDefault = 33_554_432;
const attemptsMaxDefault = 3;
const waitMsMaxDefault = 2_000;

/** What a call needs of the options, with the defaults filled in. */
export interface Upstream {
  readonly dispatcher: Dispatcher;
  readonly request: Dispatcher.DispatchOptions;
  readonly apiKey: string | undefined;
  readonly wire: ToOpenaiOptions;
  readonly limits: { readonly timeoutMs: number; readonly responseBytesMax: number };
  readonly retry: Required<RetryOptions>;
  readonly missingUsage: NonNullable<OpenaiProviderOptions['missingUsage']>;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly newCallId: () => string;
}

export const createUpstream = (options: OpenaiProviderOptions, dispatcher: Dispatcher): Upstream => ({
  dispatcher,
  request: toRequest(options),
  apiKey: options.apiKey,
  wire: {
    tokenLimitField: options.tokenLimitField ?? 'max_tokens',
    temperature: options.temperature ?? 'sent',
  },
  limits: {
    timeoutMs: options.timeoutMs ?? timeoutMsDefault,
    responseBytesMax: options.responseBytesMax ?? responseBytesMaxDefault,
  },
  retry: {
    attemptsMax: options.retry?.attemptsMax ?? attemptsMaxDefault,
    waitMsMax: options.retry?.waitMsMax ?? waitMsMaxDefault,
  },
  missingUsage: options.missingUsage ?? 'uncertain',
  now: options.now ?? Date.now,
  sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
  newCallId: options.newCallId ?? (() => `call_${randomUUID()}`),
});

const toRequest = (options: OpenaiProviderOptions): Dispatcher.DispatchOptions => {
  const base = new URL(options.baseUrl);
  return {
    origin: base.origin,
    path: `${base.pathname.replace(/\/+$/, '')}/chat/completions${base.search}`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      ...options.headers,
    },
  };
};
