import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RetryLimits, WireRequest } from '@tollgate/provider-http';
import type { Generation, GenerationCall, ModerationCall, Usage } from '@tollgate/provider';
import type { Dispatcher } from 'undici';
import type { ToOpenaiOptions } from './to-openai.ts';

export interface RetryOptions {
  /** Upstream requests of one generation, the first included (default 3). Only a 429 or a refused connection leads to another. */
  readonly attemptsMax?: number | undefined;
  /** Where the upstream asks for a longer wait, it is not waited for (default 2,000). */
  readonly waitMsMax?: number | undefined;
}

/** By which of its methods an upstream generates. */
export const wireNames = ['chat', 'responses', 'images', 'speech', 'transcription'] as const;
export type OpenaiWire = (typeof wireNames)[number];

/** How a moderation is measured: `free` as no tokens at all, a function by the host's own count. */
export type ModerationMeasure = 'free' | ((call: ModerationCall) => readonly Usage[]);

export interface OpenaiProviderOptions {
  /** Up to the version, such as `https://api.example.com/v1`; `/chat/completions` or the path of another method is added. */
  readonly baseUrl: string;
  /**
   * How models are called: `chat` (default) by `/chat/completions`, `responses` by `/responses`, `images` by `/images`, `speech` and
   * `transcription` by `/audio`. A function chooses by the upstream's name of the model.
   */
  readonly wire?: (OpenaiWire | ((upstreamModel: string) => OpenaiWire)) | undefined;
  /** Sent as a bearer credential; never logged nor shown. */
  readonly apiKey?: string | undefined;
  /** Written on attempts and in logs (default `openai`). */
  readonly name?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Connections to the upstream, and so calls in flight; further calls wait (default 1,024). */
  readonly connections?: number | undefined;
  /** The whole call, retries included (default 10 minutes). */
  readonly timeoutMs?: number | undefined;
  /** A longer answer is not read to its end, and leaves the outcome unknown (default 32 MiB). */
  readonly responseBytesMax?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  /** What a whole answer without usage counts as: `uncertain` (default), or the host's own estimate. */
  readonly missingUsage?:
    | ('uncertain' | ((call: GenerationCall, generation: Generation) => readonly Usage[]))
    | undefined;
  /**
   * What a moderation counts as where the upstream has `/moderations` but counts nothing: `free`, or the host's own count. Without
   * it the provider moderates nothing.
   */
  readonly moderation?: ModerationMeasure | undefined;
  /** Name of the output limit (default `max_tokens`, which every compatible server takes). */
  readonly tokenLimitField?: ToOpenaiOptions['tokenLimitField'] | undefined;
  /** `left_out` for reasoning models that refuse one (default `sent`). */
  readonly temperature?: ToOpenaiOptions['temperature'] | undefined;
  /** `sent` where the upstream takes `top_k`; by default a call that sets it is refused, for it could not be kept. */
  readonly topK?: ToOpenaiOptions['topK'] | undefined;
  /** `refused` where the upstream takes no `reasoning_effort` (default `sent`); a call that sets one is refused then. */
  readonly reasoning?: ToOpenaiOptions['reasoning'] | undefined;
  /** `sent` where the models search the web by `web_search_options`; by default a call that asks for it is refused. */
  readonly webSearch?: ToOpenaiOptions['webSearch'] | undefined;
  /** `refused` where the upstream has no service tiers (default `sent`); nothing is sent of a call that asks for none. */
  readonly serviceTier?: ToOpenaiOptions['serviceTier'] | undefined;
  /**
   * `sent` for models of images that return an address unless `response_format` asks for the image; newer ones refuse it (default
   * `left_out`).
   */
  readonly imageFormatField?: 'sent' | 'left_out' | undefined;
  /** `left_out` for servers that refuse `stream_options`; their streams have no usage then (default `sent`). */
  readonly streamOptions?: 'sent' | 'left_out' | undefined;
  /**
   * `sent` (default): every call carries the id of its operation as `x-client-request-id`, by which an upstream that keeps
   * it can be asked about the call. `left_out` for servers that refuse headers they do not know.
   */
  readonly clientRequestId?: 'sent' | 'left_out' | undefined;
  /** Files and large media travel inside a call, up to this together (default 20 MiB); a call with more is refused. */
  readonly inlineBytesMax?: number | undefined;
  /** Replaces the pool of connections; the host closes it. */
  readonly dispatcher?: Dispatcher | undefined;
  readonly now?: (() => number) | undefined;
  /** Waits between two upstream requests; rejects when the signal aborts. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  readonly newCallId?: (() => string) | undefined;
}

const timeoutMsDefault = 600_000;
const responseBytesMaxDefault = 33_554_432;
const inlineBytesMaxDefault = 20_971_520;
const attemptsMaxDefault = 3;
const waitMsMaxDefault = 2_000;

/** What a call needs of the options, with the defaults filled in. */
export interface Upstream {
  readonly dispatcher: Dispatcher;
  /** The request of a path below the base address for an operation, without its body. */
  readonly request: (path: string, operationId: string) => WireRequest;
  readonly apiKey: string | undefined;
  readonly wire: ToOpenaiOptions;
  readonly streamOptions: 'sent' | 'left_out';
  readonly imageFormatField: 'sent' | 'left_out';
  readonly limits: { readonly timeoutMs: number; readonly responseBytesMax: number; readonly inlineBytesMax: number };
  readonly retry: RetryLimits;
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
    topK: options.topK ?? 'refused',
    reasoning: options.reasoning ?? 'sent',
    webSearch: options.webSearch ?? 'refused',
    serviceTier: options.serviceTier ?? 'sent',
  },
  streamOptions: options.streamOptions ?? 'sent',
  imageFormatField: options.imageFormatField ?? 'left_out',
  limits: {
    timeoutMs: options.timeoutMs ?? timeoutMsDefault,
    responseBytesMax: options.responseBytesMax ?? responseBytesMaxDefault,
    inlineBytesMax: options.inlineBytesMax ?? inlineBytesMaxDefault,
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

/** OpenAI and Azure write it into their logs, and let an operator ask about the request by it. */
const clientRequestIdHeader = 'x-client-request-id';

/** A header that the host sets itself stays the host's. */
const hasHeader = (headers: OpenaiProviderOptions['headers'], name: string): boolean =>
  Object.keys(headers ?? {}).some((given) => given.toLowerCase() === name);

const toRequest = (options: OpenaiProviderOptions): Upstream['request'] => {
  const base = new URL(options.baseUrl);
  const below = base.pathname.replace(/\/+$/, '');
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
    ...options.headers,
  };
  const sendsId = options.clientRequestId !== 'left_out' && !hasHeader(options.headers, clientRequestIdHeader);
  return (path, operationId) => ({
    origin: base.origin,
    path: `${below}/${path}${base.search}`,
    method: 'POST',
    headers: sendsId ? { ...headers, [clientRequestIdHeader]: operationId } : headers,
  });
};
