import assert from 'node:assert/strict';
import type { CacheCall, CallContext, CreatedCache, ProviderCaches } from '@tollgate/provider';
import { checkUsage } from '../generation-checks.ts';
import type { ProviderCase } from '../provider-case.ts';
import { answered, freeze, runCall, runScenario, type ProviderRun, type Watching } from '../provider-run.ts';
import type { CacheScenario, ProviderUnderTest } from '../provider-under-test.ts';

const baseCacheCall: CacheCall = {
  operationId: '66666666-6666-4666-8666-666666666666',
  upstreamModel: 'model-under-test',
  displayName: 'Manual',
  ttlSeconds: 3_600,
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'A long manual. '.repeat(100) }] }],
};

const cachesOf = ({ provider }: ProviderUnderTest): ProviderCaches => {
  assert.ok(provider.caches !== undefined, 'the provider keeps caches');
  return provider.caches;
};

/** Arranges the scenario and creates a cache, with a call that the provider may not change. */
export const runCache = (
  underTest: ProviderUnderTest,
  scenario: CacheScenario,
  watching: Watching = {},
): Promise<ProviderRun<CreatedCache>> => {
  assert.ok(underTest.arrangeCache !== undefined, 'caches can be arranged');
  const call = freeze(underTest.arrangeCache(scenario, baseCacheCall));
  return runCall(underTest, watching, (context: CallContext) => cachesOf(underTest).create(call, context));
};

/** What keeping caches owes beside the conduct of creating one. */
export const cacheCases: readonly ProviderCase[] = [
  {
    title: 'caches: notes a cache, and measures what it holds',
    promise: 'P31',
    needs: ['caches'],
    run: async (underTest) => {
      const { reference, tokens, usage } = answered(await runCache(underTest, 'done'));
      assert.ok(typeof reference === 'string' && reference !== '', 'the cache is not noted');
      assert.ok(Number.isSafeInteger(tokens) && tokens > 0, `it holds ${tokens} tokens`);
      checkUsage(usage);
      assert.ok(usage.length > 0, 'its creation is not measured');
    },
  },
  {
    title: 'caches: finds a cache by its note, and minds none that is gone when it is removed',
    promise: 'P31',
    needs: ['caches'],
    run: async (underTest) => {
      const { reference } = answered(await runCache(underTest, 'done'));
      const { extend, remove } = cachesOf(underTest);
      const before = underTest.upstreamRequests();
      const extended = await runCall(underTest, {}, async (context) => {
        await extend(reference, 7_200, context);
        return 'extended';
      });
      assert.equal(answered(extended), 'extended');
      assert.equal(extended.attempts.length, underTest.upstreamRequests() - before);
      for (let time = 0; time < 2; time += 1) {
        const removed = await runCall(underTest, {}, async (context) => {
          await remove(reference, context);
          return 'removed';
        });
        assert.equal(answered(removed), 'removed');
      }
    },
  },
  {
    title: 'caches: names the cache of a call to the upstream',
    promise: 'P31',
    needs: ['caches', 'generate'],
    run: async (underTest) => {
      const { reference, tokens } = answered(await runCache(underTest, 'done'));
      const call = { systemInstruction: null, cached: { reference, tokens } };
      answered(await runScenario(underTest, 'text', { call }));
      assert.ok((await underTest.sentBody()).includes(reference), 'the upstream is not sent the name of the cache');
    },
  },
];
