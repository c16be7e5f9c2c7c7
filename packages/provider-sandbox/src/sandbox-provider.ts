import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { callable, checkConfiguration, flag, optionsCheck, text, whole } from '@tollgate/contract/configuration';
import type { CallContext, EmbeddingCall, GenerationCall, Provider, Usage } from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives } from './directives.ts';
import { lastUserText } from './free-text.ts';
import { sandboxBatches } from './sandbox-batches.ts';
import { sandboxCaches, type SandboxCacheOptions } from './sandbox-caches.ts';
import { runEmbedding } from './sandbox-embed.ts';
import { sandboxFiles } from './sandbox-files.ts';
import { runGeneration, type PieceTaker } from './sandbox-generate.ts';
import { countedInput } from './sandbox-reply.ts';
import { jobFamily } from './interaction-job.ts';
import { sandboxInteractions } from './sandbox-interactions.ts';
import { sandboxLive } from './sandbox-live.ts';
import { runModeration } from './sandbox-moderate.ts';
import { sandboxVideos } from './sandbox-videos.ts';
import { isInputUnit, usageOf } from './sandbox-usage.ts';

export interface SandboxProviderOptions {
  /** Written on attempts and in logs (default `sandbox`). */
  readonly name?: string | undefined;
  readonly now?: (() => number) | undefined;
  /** Waits; rejects when the signal aborts. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** The ids by which it names requests, written on attempts (default `req_` and a UUID). */
  readonly newRequestId?: (() => string) | undefined;
  /** Takes whole batches, which it keeps as long as it runs; without it a gateway carries them out item by item. */
  readonly batches?: boolean | undefined;
  /** Keeps caches, as long as it runs; without it a gateway keeps them. */
  readonly caches?: SandboxCacheOptions | undefined;
}

const sandboxOptionsCheck = optionsCheck<SandboxProviderOptions>({
  name: text(),
  now: callable(),
  sleep: callable(),
  newRequestId: callable(),
  batches: flag(),
  caches: optionsCheck<SandboxCacheOptions>({ tokensMin: whole() }),
});

/** What the sandbox can do for certain. */
export type SandboxProvider = Provider &
  Required<
    Pick<
      Provider,
      | 'generate'
      | 'generateStream'
      | 'embed'
      | 'countTokens'
      | 'files'
      | 'videos'
      | 'live'
      | 'interactions'
      | 'takesInteraction'
      | 'runsTool'
      | 'takesServiceTier'
      | 'close'
    >
  >;

/**
 * A model that needs no network and costs nothing: the same call always gets the same answer, with real bytes, and directives
 * in the prompt (`directiveTable`) bring about every state that a client has to cope with.
 */
export const sandboxProvider = (options: SandboxProviderOptions = {}): SandboxProvider => {
  checkConfiguration('sandboxProvider', sandboxOptionsCheck, options);
  const world: SandboxWorld = {
    now: options.now ?? Date.now,
    sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
    newRequestId: options.newRequestId ?? (() => `req_${randomUUID()}`),
  };
  const { caches, open } = sandboxCaches(world, options.caches ?? {});
  const generate = generateWith(world, open);
  const answers = {
    generate: (call: GenerationCall, context: CallContext) => generate(call, context, { onParts: () => {} }),
    embed: (call: EmbeddingCall, context: CallContext) => runEmbedding(world, call, context),
  };
  return {
    name: options.name ?? 'sandbox',
    ...answers,
    generateStream: async (call, context, onParts, onCallPiece) => {
      const {
        text: _,
        functionCalls: __,
        parts: ___,
        ...end
      } = await generate(call, context, { onParts, onCallPiece });
      return end;
    },
    moderate: (call, context) => runModeration(world, call, context),
    countTokens: (call, context) => runCount(world, call, context),
    files: sandboxFiles(world),
    live: sandboxLive(world),
    videos: sandboxVideos(world),
    interactions: sandboxInteractions(world),
    runsTool: (tool) => tool === 'code_execution' || tool === 'url_context' || tool === 'web_search',
    takesServiceTier: () => true,
    takesInteraction: (upstreamModel) => jobFamily(upstreamModel) !== undefined,
    ...(options.batches === true ? { batches: sandboxBatches(world, answers) } : {}),
    ...(options.caches === undefined ? {} : { caches }),
    close: () => Promise.resolve(),
  };
};

/** A call that names a cache of the sandbox is answered with what lies in it. */
const generateWith =
  (world: SandboxWorld, open: ReturnType<typeof sandboxCaches>['open']) =>
  async (call: GenerationCall, context: CallContext, taker: PieceTaker) => {
    if (call.cached === undefined) return runGeneration(world, call, context, taker);
    const { call: opened, tell } = open(call);
    const reply = await runGeneration(world, opened, context, taker);
    return { ...reply, usage: tell(reply.usage) };
  };

/** Counting costs nothing and delays no caller: only a reported count, and that nothing can be reached, mean anything to it. */
const runCount = (world: SandboxWorld, call: GenerationCall, context: CallContext): Promise<readonly Usage[]> => {
  const directives = parseDirectives(lastUserText(call));
  const heeded = directives.filter(({ kind }) => kind === 'unavailable');
  return conduct({ world, context, directives: heeded }, () =>
    usageOf(new Map([...countedInput(call, directives)].filter(([unit]) => isInputUnit(unit)))),
  );
};
