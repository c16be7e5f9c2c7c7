import {
  NotExecuted,
  unitFacts,
  type GenerationCall,
  type ProviderCaches,
  type Usage,
  type UsageUnit,
} from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives } from './directives.ts';
import { countInput, usageOf } from './sandbox-usage.ts';

export interface SandboxCacheOptions {
  /** A smaller cache is refused (default 0). */
  readonly tokensMin?: number;
}

/** Caches that the sandbox keeps at the most; beyond it the oldest is forgotten. */
const cachesMax = 1_000;

/** What a cache holds. */
type Kept = Pick<GenerationCall, 'systemInstruction' | 'contents'>;

const countOf = ({ systemInstruction, contents }: Kept): ReadonlyMap<UsageUnit, number> =>
  countInput({ systemInstruction, tools: [], contents });

const totalOf = (counts: ReadonlyMap<UsageUnit, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0);

/** Input that came from a cache is distinguished from the rest. */
const withReads = (usage: readonly Usage[], cached: ReadonlyMap<UsageUnit, number>): readonly Usage[] =>
  usage.flatMap((meter) => {
    const { cachedAs: unit } = unitFacts[meter.unit];
    const read = Math.min(cached.get(meter.unit) ?? 0, meter.quantity);
    if (unit === null || read === 0) return [meter];
    return [
      { ...meter, quantity: meter.quantity - read },
      { ...meter, unit, quantity: read },
    ];
  });

/** A call with the contents of its cache before its own, and how its usage is reported then. */
export interface WithCache {
  readonly call: GenerationCall;
  readonly tell: (usage: readonly Usage[]) => readonly Usage[];
}

/** Caches of the sandbox, which it keeps as long as it runs; time does not pass for them. */
export interface SandboxCaches {
  readonly caches: ProviderCaches;
  readonly open: (call: GenerationCall) => WithCache;
}

export const sandboxCaches = (world: SandboxWorld, { tokensMin = 0 }: SandboxCacheOptions): SandboxCaches => {
  const kept = new Map<string, Kept>();
  const find = (reference: string): Kept => {
    const found = kept.get(reference);
    if (found === undefined) throw new NotExecuted({ reason: 'invalid_request', cause: 'a cache that is not kept' });
    return found;
  };
  return {
    caches: {
      create: ({ operationId, displayName, systemInstruction, contents }, context) =>
        conduct({ world, context, directives: parseDirectives(displayName ?? '', 'cache') }, () => {
          const held = { systemInstruction, contents };
          const counts = countOf(held);
          if (totalOf(counts) < tokensMin)
            throw new NotExecuted({ reason: 'invalid_request', cause: `fewer than ${tokensMin} tokens` });
          const [oldest] = kept.size < cachesMax ? [] : kept.keys();
          if (oldest !== undefined) kept.delete(oldest);
          kept.set(operationId, held);
          return { reference: operationId, tokens: totalOf(counts), usage: usageOf(counts) };
        }),
      extend: (reference, _ttlSeconds, context) =>
        conduct({ world, context, directives: [] }, () => void find(reference)),
      remove: (reference, context) => conduct({ world, context, directives: [] }, () => void kept.delete(reference)),
    },
    open: (call) => {
      if (call.cached === undefined) return { call, tell: (usage) => usage };
      const held = find(call.cached.reference);
      const cached = countOf(held);
      return {
        call: {
          ...call,
          systemInstruction: held.systemInstruction ?? call.systemInstruction,
          contents: [...held.contents, ...call.contents],
        },
        tell: (usage) => withReads(usage, cached),
      };
    },
  };
};
