import type { CallContext, Interacted, InteractionCall, Provider } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { withFallback } from './with-fallback.ts';
import { withModelNames } from './with-model-names.ts';

const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
const done: Interacted = { steps: [], status: 'completed', usage: [], reference: 'noted' };

const call: InteractionCall = {
  operationId: 'one',
  upstreamModel: 'music',
  upstreamKind: 'model',
  input: [],
  history: [],
  previousReference: null,
  systemInstruction: null,
  tools: [],
  format: { kind: 'audio' },
  sampling: {},
  outputTokensMax: 0,
};

const musician = (name: string) => {
  const seen: InteractionCall[] = [];
  const cancelled: string[] = [];
  const provider: Provider = {
    name,
    takesInteraction: (upstreamModel) => upstreamModel === 'music',
    interactions: {
      start: (each) => {
        seen.push(each);
        return Promise.resolve({ job: `job of ${name}` });
      },
      poll: (job) =>
        job === `job of ${name}` ? Promise.resolve({ kind: 'done', result: done }) : Promise.reject(new Error(job)),
      cancel: (job) => {
        cancelled.push(job);
        return Promise.resolve();
      },
    },
  };
  return { provider, seen, cancelled };
};

const writer: Provider = { name: 'writer', generate: () => Promise.reject(new Error('not asked')) };

test('asks for a job where it was begun, and hands each provider its own notes alone', async () => {
  const [one, other] = [musician('one'), musician('other')];
  const routed = withFallback([one.provider, other.provider]);
  const jobs = routed.interactions;
  const { job } = (await jobs?.start(call, context)) ?? { job: '' };
  const progress = await jobs?.poll(job, context);
  const reference = progress?.kind === 'done' ? progress.result.reference : null;
  await jobs?.start({ ...call, previousReference: reference }, context);
  expect(one.seen[1]?.previousReference).toBe('noted');
  await withFallback([other.provider, one.provider]).interactions?.start(
    { ...call, previousReference: reference },
    context,
  );
  expect(other.seen[0]?.previousReference).toBeNull();
  await jobs?.cancel?.(job, context);
  expect([one.cancelled, other.cancelled]).toEqual([['job of one'], []]);
});

test('takes interactions of the models that a member takes, by the name that it has for them', () => {
  const routed = withFallback([writer, musician('one').provider]);
  expect([routed.takesInteraction?.('music'), routed.takesInteraction?.('text')]).toEqual([true, false]);
  const named = withModelNames(musician('one').provider, { 'music-3.5': 'music' });
  expect(named.takesInteraction?.('music-3.5')).toBe(true);
  expect(withFallback([writer, writer]).interactions).toBeUndefined();
});

test('runs a tool where every member that generates does', () => {
  const bare: Provider = { ...writer, name: 'bare', runsTool: () => false };
  const able: Provider = { ...writer, name: 'able', runsTool: (tool) => tool === 'code_execution' };
  expect(withFallback([writer, able, musician('one').provider]).runsTool?.('code_execution', 'text')).toBe(true);
  expect('runsTool' in withFallback([writer, musician('one').provider])).toBe(false);
  expect(withFallback([writer, bare]).runsTool?.('code_execution', 'text')).toBe(false);
  expect(withFallback([writer, bare]).runsTool?.('maps', 'text')).toBe(false);
});
