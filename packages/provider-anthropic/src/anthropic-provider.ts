import { createConnectionPool } from '@tollgate/provider-http';
import { checkConfiguration } from '@tollgate/contract/configuration';
import type { CallContext, Generation, GenerationCall, OnParts, Part, Provider } from '@tollgate/provider';
import { batchJobs } from './batch-jobs.ts';
import { countTokens } from './count-tokens.ts';
import { anthropicOptionsCheck } from './options-check.ts';
import { runAnswer } from './run-answer.ts';
import { toGeneration } from './to-generation.ts';
import {
  baseUrlDefault,
  createUpstream,
  traitsFrom,
  type AnthropicProviderOptions,
  type Upstream,
} from './upstream.ts';

/** What this upstream can do, none of it optional. */
export type AnthropicProvider = Provider &
  Required<
    Pick<
      Provider,
      'generate' | 'generateStream' | 'countTokens' | 'batches' | 'runsTool' | 'takesServiceTier' | 'close'
    >
  >;

/**
 * A provider for the Anthropic Messages API. Makes no upstream request that is not recorded, and repeats only what certainly did not
 * run. Upstream texts stay in `cause`, for the log.
 */
export const anthropicProvider = (options: AnthropicProviderOptions): AnthropicProvider => {
  // Found out at the start and not by the first customer.
  checkConfiguration('anthropicProvider', anthropicOptionsCheck, options);
  const { origin } = new URL(options.baseUrl ?? baseUrlDefault);
  let opening: Promise<Upstream> | undefined;
  let closing: Promise<void> | undefined;
  const open = (): Promise<Upstream> => (opening ??= openUpstream(origin, options));
  const close = async (): Promise<void> => {
    const upstream = await open();
    if (options.dispatcher === undefined) await upstream.dispatcher.close();
  };
  return {
    name: options.name ?? 'anthropic',
    generate: async (call, context) => generate(await open(), call, context),
    generateStream: async (call, context, onParts, onCallPiece) =>
      runAnswer(await open(), { call, context, onParts, onCallPiece, isStream: true }),
    countTokens: async (call, context) => countTokens(await open(), call, context),
    batches: batchJobs(open),
    runsTool: (tool, upstreamModel) => traitsFrom(options, upstreamModel).tools.some((name) => name === tool),
    takesServiceTier: (tier, upstreamModel) => traitsFrom(options, upstreamModel).serviceTiers.includes(tier),
    close: () => (closing ??= close()),
  };
};

const openUpstream = async (origin: string, options: AnthropicProviderOptions): Promise<Upstream> =>
  createUpstream(options, options.dispatcher ?? (await createConnectionPool(origin, options)));

const generate = async (upstream: Upstream, call: GenerationCall, context: CallContext): Promise<Generation> => {
  const pieces: Part[] = [];
  const onParts: OnParts = (parts) => void pieces.push(...parts);
  return toGeneration(await runAnswer(upstream, { call, context, onParts, isStream: false }), pieces);
};
