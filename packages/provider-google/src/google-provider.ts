import { createConnectionPool } from '@tollgate/provider-http';
import { checkConfiguration } from '@tollgate/contract/configuration';
import type {
  CallContext,
  Generation,
  GenerationCall,
  GenerationEnd,
  OnParts,
  Part,
  Provider,
  ProviderFiles,
} from '@tollgate/provider';
import { batchJobs } from './batch-jobs.ts';
import { cachesOf } from './caches.ts';
import { countTokens } from './count-tokens.ts';
import { embed } from './embed.ts';
import { interactionJobs } from './interaction-jobs.ts';
import { endAnswer } from './from-google.ts';
import { googleLive } from './live.ts';
import { removeCopy, stateOfCopy, uploadCopy } from './project-copies.ts';
import { googleOptionsCheck } from './options-check.ts';
import { runAnswer } from './run-answer.ts';
import { toGeneration } from './to-generation.ts';
import { storesOf } from './stores.ts';
import { videoJobs } from './video-jobs.ts';
import { baseUrlDefault, createUpstream, traitsFrom, type GoogleProviderOptions, type Upstream } from './upstream.ts';

type Open = () => Promise<Upstream>;

/** What this upstream can do, none of it optional. */
export type GoogleProvider = Provider &
  Required<
    Pick<
      Provider,
      | 'generate'
      | 'generateStream'
      | 'embed'
      | 'countTokens'
      | 'files'
      | 'videos'
      | 'batches'
      | 'caches'
      | 'stores'
      | 'interactions'
      | 'takesInteraction'
      | 'runsTool'
      | 'takesServiceTier'
      | 'live'
      | 'close'
    >
  >;

/**
 * A provider for the Gemini API. Makes no upstream request that is not recorded, and repeats only what certainly did not run.
 * Upstream texts stay in `cause`, for the log.
 */
export const googleProvider = (options: GoogleProviderOptions): GoogleProvider => {
  // Found out at the start and not by the first customer.
  checkConfiguration('googleProvider', googleOptionsCheck, options);
  const { origin } = new URL(options.baseUrl ?? baseUrlDefault);
  let opening: Promise<Upstream> | undefined;
  let closing: Promise<void> | undefined;
  const open: Open = () => (opening ??= openUpstream(origin, options));
  const close = async (): Promise<void> => {
    const upstream = await open();
    if (options.dispatcher === undefined) await upstream.dispatcher.close();
  };
  return {
    name: options.name ?? 'google',
    generate: async (call, context) => generate(await open(), call, context),
    generateStream: async (call, context, onParts) => generateStream(await open(), { call, context, onParts }),
    embed: async (call, context) => embed(await open(), call, context),
    countTokens: async (call, context) => countTokens(await open(), call, context),
    files: filesOf(open),
    videos: videoJobs(open),
    batches: batchJobs(open),
    caches: cachesOf(open),
    stores: storesOf(open),
    interactions: interactionJobs(open),
    live: googleLive(options),
    takesInteraction: (upstreamModel) => traitsFrom(options, upstreamModel).interactions,
    runsTool: (tool, upstreamModel) =>
      tool === 'web_search'
        ? traitsFrom(options, upstreamModel).searches
        : tool === 'code_execution' || tool === 'url_context',
    takesServiceTier: (_tier, upstreamModel) => traitsFrom(options, upstreamModel).tiered,
    close: () => (closing ??= close()),
  };
};

const openUpstream = async (origin: string, options: GoogleProviderOptions): Promise<Upstream> =>
  createUpstream(options, options.dispatcher ?? (await createConnectionPool(origin, options)));

const filesOf = (open: Open): ProviderFiles => ({
  upload: async (file, context) => uploadCopy(await open(), file, context),
  state: async (file, context) => stateOfCopy(await open(), file, context),
  remove: async (file, context) => removeCopy(await open(), file, context),
});

const generate = async (upstream: Upstream, call: GenerationCall, context: CallContext): Promise<Generation> => {
  const pieces: Part[] = [];
  const onParts: OnParts = (parts) => void pieces.push(...parts);
  const reader = await runAnswer(upstream, { call, context, isStream: false, onParts });
  return toGeneration(endAnswer(reader), pieces);
};

const generateStream = async (
  upstream: Upstream,
  job: { readonly call: GenerationCall; readonly context: CallContext; readonly onParts: OnParts },
): Promise<GenerationEnd> => endAnswer(await runAnswer(upstream, { ...job, isStream: true }));
