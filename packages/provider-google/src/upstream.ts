import type { RetryLimits } from '@tollgate/provider-http';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { modelTraitsOf, type ModelTraits } from './model-traits.ts';

export interface RetryOptions {
  /** Upstream requests of one step, the first included (default 3). Only what certainly did not run leads to another. */
  readonly attemptsMax?: number | undefined;
  /** Where the upstream asks for a longer wait, it is not waited for (default 2,000). */
  readonly waitMsMax?: number | undefined;
}

export interface LimitOptions {
  /** The whole call, uploads and retries included (default 10 minutes). */
  readonly timeoutMs?: number;
  /** The whole of a stream (default 20 minutes). */
  readonly streamTimeoutMs?: number;
  /** A longer answer is not read to its end, and leaves the outcome unknown (default 96 MiB, for images are large). */
  readonly responseBytesMax?: number;
  /** One event of a stream, which may hold an image (default 48 MiB). */
  readonly eventBytesMax?: number;
  /** Blobs of one call up to this sum go inside the request, others are uploaded before it (default 12 MiB). */
  readonly inlineBytesMax?: number;
  /** Pieces of an upload, of which one is sent again by itself; a multiple of 256 KiB (default 8 MiB). */
  readonly uploadChunkBytes?: number;
  /** How long an upload may take to become usable once a generation waits for it (default 1 minute). */
  readonly fileReadyMs?: number;
  /** Requests of one answer that the upstream gives in chunks (default 16). */
  readonly modelRoundsMax?: number;
}

/** Which model counts what a file comes to when it is indexed, for the upstream does not say. */
const countingModelDefault = 'gemini-2.5-flash';

export type ImageMeter = 'output_image_tokens' | 'images';

export interface GoogleProviderOptions {
  /** Sent as `x-goog-api-key`; never logged nor shown. */
  readonly apiKey: string;
  /** Without the version (default `https://generativelanguage.googleapis.com`). */
  readonly baseUrl?: string | undefined;
  /** Part of every path (default `v1beta`). */
  readonly apiVersion?: string | undefined;
  /** Written on attempts and in logs (default `google`). */
  readonly name?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Connections to the upstream, and so calls in flight; further calls wait (default 1,024). */
  readonly connections?: number | undefined;
  readonly limits?: LimitOptions | undefined;
  readonly retry?: RetryOptions | undefined;
  /**
   * What images that come out are metered by: the tokens that the upstream counts for them (default), or their number. Not
   * by both, for no unit overlaps another.
   */
  readonly imageMeter?: ImageMeter | undefined;
  /** The model by which tokens of files are counted when they are indexed (default `gemini-2.5-flash`). */
  readonly countingModel?: string | undefined;
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
  responseBytesMax: 96 * mebibyte,
  eventBytesMax: 48 * mebibyte,
  inlineBytesMax: 12 * mebibyte,
  uploadChunkBytes: 8 * mebibyte,
  fileReadyMs: 60_000,
  modelRoundsMax: 16,
};
const retryDefaults: RetryLimits = { attemptsMax: 3, waitMsMax: 2_000 };

export const baseUrlDefault = 'https://generativelanguage.googleapis.com';

/** What a call needs of the options, with the defaults filled in. */
export interface Upstream {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** Path before the version; empty, or with a slash in front. */
  readonly basePath: string;
  readonly apiVersion: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly apiKey: string;
  readonly limits: Required<LimitOptions>;
  readonly retry: RetryLimits;
  readonly imageMeter: ImageMeter;
  readonly countingModel: string;
  readonly traitsOf: (upstreamModel: string) => ModelTraits;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly newCallId: () => string;
}

/** Traits of a model: what the host says of it, and what its name says. */
export const traitsFrom = ({ modelTraits }: GoogleProviderOptions, upstreamModel: string): ModelTraits => ({
  ...modelTraitsOf(upstreamModel),
  ...modelTraits?.(upstreamModel),
});

export const createUpstream = (options: GoogleProviderOptions, dispatcher: Dispatcher): Upstream => {
  const base = new URL(options.baseUrl ?? baseUrlDefault);
  return {
    dispatcher,
    origin: base.origin,
    basePath: base.pathname.replace(/\/+$/, ''),
    apiVersion: options.apiVersion ?? 'v1beta',
    headers: { ...options.headers, 'x-goog-api-key': options.apiKey },
    apiKey: options.apiKey,
    limits: { ...limitDefaults, ...options.limits },
    retry: {
      attemptsMax: options.retry?.attemptsMax ?? retryDefaults.attemptsMax,
      waitMsMax: options.retry?.waitMsMax ?? retryDefaults.waitMsMax,
    },
    imageMeter: options.imageMeter ?? 'output_image_tokens',
    countingModel: options.countingModel ?? countingModelDefault,
    traitsOf: (model) => traitsFrom(options, model),
    now: options.now ?? Date.now,
    sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
    newCallId: options.newCallId ?? (() => `call_${randomUUID()}`),
  };
};

/** A path of the service below its version: `models/x:generateContent`. */
export const servicePath = ({ basePath, apiVersion }: Upstream, path: string): string =>
  `${basePath}/${apiVersion}/${path}`;

export const uploadPath = ({ basePath, apiVersion }: Upstream, path: string): string =>
  `${basePath}/upload/${apiVersion}/${path}`;

/** The path of a resource by the name that the upstream gave it. */
export const resourcePath = (upstream: Upstream, name: string): string =>
  servicePath(upstream, name.split('/').map(encodeURIComponent).join('/'));

/** A model's resource name; one that says its own collection, such as a tuned model, keeps it. */
export const modelPath = (upstreamModel: string): string =>
  upstreamModel.includes('/') ? upstreamModel : `models/${upstreamModel}`;
