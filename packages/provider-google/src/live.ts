import type { ProviderLive } from '@tollgate/provider';
import { openSession, type LiveSessionLimits } from './live-session.ts';
import { baseUrlDefault, modelPath, type GoogleProviderOptions } from './upstream.ts';

const limits: LiveSessionLimits = { lastWordMs: 5_000, resumeMs: 10_000, queuedBytesMax: 1_048_576 };

const afterTimeout = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

/** Where sessions are opened; the key stands in the address, as the upstream wants it. */
const sessionUrl = (options: GoogleProviderOptions, kind: 'live' | 'music'): string => {
  const url = new URL(options.baseUrl ?? baseUrlDefault);
  const method = kind === 'music' ? 'BidiGenerateMusic' : 'BidiGenerateContent';
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/ws/google.ai.generativelanguage.${options.apiVersion ?? 'v1beta'}.GenerativeService.${method}`;
  url.searchParams.set('key', options.apiKey);
  return url.href;
};

/** Sessions with models of conversation and of music. */
export const googleLive = (options: GoogleProviderOptions): ProviderLive => ({
  connect: (call, context) =>
    openSession(
      {
        url: sessionUrl(options, call.kind),
        model: modelPath(call.upstreamModel),
        now: options.now ?? Date.now,
        after: afterTimeout,
        limits,
      },
      call,
      context,
    ),
});
