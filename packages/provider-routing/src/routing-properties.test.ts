import {
  isNotExecuted,
  type CallContext,
  type EmbeddingCall,
  type GenerationCall,
  type NotExecutedReason,
  type Part,
  type Provider,
} from '@tollgate/provider';
import { sampleCaller, scriptedProvider, type ScriptedStep } from '@tollgate/testing/fakes';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { balance } from './balance.ts';
import { byModel } from './by-model.ts';
import { withBudget } from './with-budget.ts';
import { withCircuitBreaker } from './with-circuit-breaker.ts';
import { withConcurrency } from './with-concurrency.ts';
import { withFallback } from './with-fallback.ts';
import { withHedging } from './with-hedging.ts';
import { withModelNames } from './with-model-names.ts';
import { withRetry } from './with-retry.ts';

const call: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};
const embeddingCall: EmbeddingCall = {
  operationId: 'operation',
  upstreamModel: 'model',
  input: { kind: 'texts', texts: ['a'] },
};

type Method = 'generate' | 'generateStream' | 'embed';
type Outcome = 'answered' | 'unknown' | NotExecutedReason;

/** How a call came out at a provider that makes upstream requests, seen from outside all that this package does. */
interface LeafCall {
  readonly leaf: string;
  readonly outcome: Outcome;
  readonly pieces: number;
}

const outcomeOf = (failure: unknown): Outcome => (isNotExecuted(failure) ? failure.reason : 'unknown');

const observed = (leaf: Provider, log: LeafCall[]): Provider => {
  const watch = async <Answer>(asked: Promise<Answer> | undefined, pieces: () => number): Promise<Answer> => {
    const reference = (outcome: Outcome): number => log.push({ leaf: leaf.name, outcome, pieces: pieces() });
    try {
      const answer = await (asked ?? Promise.reject(new Error('no such method')));
      reference('answered');
      return answer;
    } catch (failure) {
      reference(outcomeOf(failure));
      throw failure;
    }
  };
  return {
    name: leaf.name,
    generate: (given, context) => watch(leaf.generate?.(given, context), () => 0),
    generateStream: (given, context, onParts) => {
      let pieces = 0;
      const count = (parts: readonly Part[]): void => {
        pieces += parts.length;
        onParts(parts);
      };
      return watch(leaf.generateStream?.(given, context, count), () => pieces);
    },
    embed: (given, context) => watch(leaf.embed?.(given, context), () => 0),
  };
};

const pieces: fc.Arbitrary<readonly Part[]> = fc.array(fc.constant({ kind: 'text', text: 'a' } as const), {
  maxLength: 2,
});
const refusals = ['invalid_request', 'input_limit', 'rate_limited', 'unavailable', 'failed'] as const;

const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<ScriptedStep>({ kind: 'answer' }) },
  { weight: 1, arbitrary: pieces.map((handed): ScriptedStep => ({ kind: 'unknown', pieces: handed })) },
  {
    weight: 5,
    arbitrary: fc
      .record({
        reason: fc.constantFrom(...refusals),
        pieces: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, pieces),
      })
      .map((refused): ScriptedStep => ({ kind: 'not_executed', ...refused })),
  },
);

type Tree =
  | { readonly kind: 'leaf'; readonly steps: readonly ScriptedStep[]; readonly lacks: readonly Method[] }
  | {
      readonly kind: 'fallback' | 'inTime' | 'hedging' | 'balance' | 'sticky' | 'latency' | 'byModel';
      readonly members: readonly Tree[];
    }
  | { readonly kind: 'retry' | 'breaker' | 'concurrency' | 'names' | 'budget'; readonly member: Tree };

const methods = fc.constantFrom<Method>('generate', 'generateStream', 'embed');

const { tree } = fc.letrec<{ readonly tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'medium' },
    fc.record({
      kind: fc.constant('leaf'),
      steps: fc.array(step, { maxLength: 4 }),
      lacks: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.array(methods, { maxLength: 2 })),
    }),
    fc.record({
      kind: fc.constantFrom('fallback', 'inTime', 'hedging', 'balance', 'sticky', 'latency', 'byModel'),
      members: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constantFrom('retry', 'breaker', 'concurrency', 'names', 'budget'), member: tie('tree') }),
  ),
}));

const build = (node: Tree, log: LeafCall[], nextName: () => string): Provider => {
  switch (node.kind) {
    case 'leaf': {
      const leaf = observed(scriptedProvider({ name: nextName(), steps: node.steps }), log);
      const offered = Object.entries(leaf).filter(([name]) => !node.lacks.some((method) => method === name));
      return { name: leaf.name, ...Object.fromEntries(offered) };
    }
    case 'fallback':
      return withFallback(node.members.map((member) => build(member, log, nextName)));
    // Time stands still: a provider is never too late.
    case 'inTime':
      return withFallback(
        node.members.map((member) => build(member, log, nextName)),
        { firstPieceMs: 1_000, after: () => () => {} },
      );
    case 'hedging':
      return withHedging(
        node.members.map((member) => build(member, log, nextName)),
        { afterMs: 1_000, after: () => () => {} },
      );
    case 'sticky':
    case 'latency': {
      const members = node.members.map((member) => ({ provider: build(member, log, nextName) }));
      return balance(members, { order: { kind: node.kind }, fallback: true });
    }
    case 'balance': {
      const members = node.members.map((member, index) => ({
        provider: build(member, log, nextName),
        weight: index + 1,
      }));
      return balance(members, { fallback: true });
    }
    case 'byModel': {
      const members = node.members.map((member) => build(member, log, nextName));
      return byModel({ members, choose: () => members[0] });
    }
    case 'retry':
      return withRetry(build(node.member, log, nextName), { sleep: () => Promise.resolve(), random: () => 0 });
    case 'breaker':
      return withCircuitBreaker(build(node.member, log, nextName), {
        failuresMax: 2,
        openMs: 5,
        now: () => log.length,
      });
    case 'budget':
      return withBudget(build(node.member, log, nextName), { windowMs: 1_000, units: { images: 1 } });
    case 'concurrency':
      return withConcurrency(build(node.member, log, nextName), { inFlightMax: 1 });
    case 'names':
      return withModelNames(build(node.member, log, nextName), { model: 'renamed' });
  }
};

interface Result {
  readonly outcome: Outcome;
  readonly providers: readonly (string | undefined)[];
  readonly pieces: number;
}

const run = async (provider: Provider, method: Method): Promise<Result> => {
  const providers: (string | undefined)[] = [];
  let handed = 0;
  const context: CallContext = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: (attempt) => void providers.push(attempt.provider),
  };
  const count = (parts: readonly Part[]): void => {
    handed += parts.length;
  };
  const asked = {
    generate: () => provider.generate?.(call, context),
    generateStream: () => provider.generateStream?.(call, context, count),
    embed: () => provider.embed?.(embeddingCall, context),
  };
  const outcome = await (asked[method]() ?? Promise.reject(new Error('no such method'))).then(
    () => 'answered' as const,
    outcomeOf,
  );
  return { outcome, providers, pieces: handed };
};

/** Whether another provider may be asked after this: it certainly did not run, and handed nothing over. */
const leavesRoom = ({ outcome, pieces: handed }: LeafCall): boolean =>
  handed === 0 && kindOf(outcome) === 'not_executed' && outcome !== 'cancelled';

const kindOf = (outcome: Outcome): 'answered' | 'unknown' | 'not_executed' =>
  outcome === 'answered' || outcome === 'unknown' ? outcome : 'not_executed';

const scale = Number(process.env['TEST_SCALE'] ?? 1);

test('whatever is put together, at most one call may have run, and every upstream request is on the record', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.array(methods, { minLength: 1, maxLength: 5 }), async (node, asked) => {
      const log: LeafCall[] = [];
      let names = 0;
      const provider = withFallback([build(node, log, () => `leaf ${(names += 1)}`)]);
      for (const method of asked.filter((wanted) => provider[wanted] !== undefined)) {
        const before = log.length;
        const { outcome, providers, pieces: handed } = await run(provider, method);
        const made = log.slice(before);
        expect(made.slice(0, -1).every(leavesRoom)).toBe(true);
        expect(providers).toEqual(made.map(({ leaf }) => leaf));
        expect(handed).toBe(made.at(-1)?.pieces ?? 0);
        // The last failure, a response and an unknown outcome are passed on as they are.
        const last = made.at(-1)?.outcome ?? 'unavailable';
        expect(kindOf(outcome)).toBe(kindOf(last));
      }
    }),
    { numRuns: 300 * scale },
  );
});

test('has a method exactly where a provider at its end has it', () => {
  fc.assert(
    fc.property(tree, (node) => {
      let names = 0;
      const provider = build(node, [], () => `leaf ${(names += 1)}`);
      const offered = (each: Tree): readonly Method[] => {
        if (each.kind === 'leaf')
          return (['generate', 'generateStream', 'embed'] as const).filter((method) => !each.lacks.includes(method));
        return 'members' in each ? each.members.flatMap(offered) : offered(each.member);
      };
      const expected = new Set(offered(node));
      for (const method of ['generate', 'generateStream', 'embed', 'countTokens', 'files'] as const) {
        expect([method, provider[method] !== undefined]).toEqual([method, expected.has(method as Method)]);
      }
    }),
  );
});
