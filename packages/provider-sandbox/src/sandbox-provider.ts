import { setTimeout as wait } from 'node:timers/promises';
import type { CallContext, GenerationCall, Provider, Usage } from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives } from './directives.ts';
import { lastUserText } from './free-text.ts';
import { runEmbedding } from './sandbox-embed.ts';
import { sandboxFiles } from './sandbox-files.ts';
import { runGeneration } from './sandbox-generate.ts';
import { countedInput } from './sandbox-reply.ts';
import { jobFamily } from './interaction-job.ts';
import { sandboxInteractions } from './sandbox-interactions.ts';
import { sandboxVideos } from './sandbox-videos.ts';
import { isInputUnit, usageOf } from './sandbox-usage.ts';

export interface SandboxProviderOptions {
  /** Written on attempts and in logs (default `sandbox`). */
  readonly name?: string;
  readonly now?: () => number;
  /** Waits; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

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
      | 'interactions'
      | 'takesInteraction'
      | 'close'
    >
  >;

/**
 * A model that needs no network and costs nothing: the same call always gets the same answer, with real bytes, and directives
 * in the prompt (`directiveTable`) bring about every state that a client has to cope with.
 */
export const sandboxProvider = (options: SandboxProviderOptions = {}): SandboxProvider => {
  const world: SandboxWorld = {
    now: options.now ?? Date.now,
    sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
  };
  return {
    name: options.name ?? 'sandbox',
    generate: (call, context) => runGeneration(world, call, context, () => {}),
    generateStream: async (call, context, onParts) => {
      const { text: _, functionCalls: __, parts: ___, ...end } = await runGeneration(world, call, context, onParts);
      return end;
    },
    embed: (call, context) => runEmbedding(world, call, context),
    countTokens: (call, context) => runCount(world, call, context),
    files: sandboxFiles(world),
    videos: sandboxVideos(world),
    interactions: sandboxInteractions(world),
    takesInteraction: (upstreamModel) => jobFamily(upstreamModel) !== undefined,
    close: () => Promise.resolve(),
  };
};

/** Counting costs nothing and keeps nobody waiting: only a told count, and that nothing can be reached, mean anything to it. */
const runCount = (world: SandboxWorld, call: GenerationCall, context: CallContext): Promise<readonly Usage[]> => {
  const directives = parseDirectives(lastUserText(call));
  const heeded = directives.filter(({ kind }) => kind === 'unavailable');
  return conduct({ world, context, directives: heeded }, () =>
    usageOf(new Map([...countedInput(call, directives)].filter(([unit]) => isInputUnit(unit)))),
  );
};
