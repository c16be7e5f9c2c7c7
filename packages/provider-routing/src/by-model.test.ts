import { isNotExecuted, type CallContext, type GenerationCall, type Provider } from '@tollgate/provider';
import { sampleCaller, scriptedProvider } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { byModel } from './by-model.ts';
import { withModelNames } from './with-model-names.ts';

const callOf = (upstreamModel: string): GenerationCall => ({
  operationId: 'operation',
  upstreamModel,
  systemInstruction: null,
  contents: [],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
});

const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };

const reasonOf = async (provider: Provider, upstreamModel: string): Promise<string> => {
  const asked = provider.generate?.(callOf(upstreamModel), context) ?? Promise.reject(new Error('no method'));
  return asked.then(
    () => 'answered',
    (failure: unknown) => (isNotExecuted(failure) ? failure.reason : 'unknown'),
  );
};

test('asks the provider of the model, and no other one', async () => {
  const a = scriptedProvider({ name: 'a', otherwise: { kind: 'not_executed', reason: 'unavailable' } });
  const b = scriptedProvider({ name: 'b' });
  const provider = byModel({ one: a, two: b });
  expect([await reasonOf(provider, 'one'), await reasonOf(provider, 'two')]).toEqual(['unavailable', 'answered']);
  expect([a.calls.length, b.calls.length]).toEqual([1, 1]);
});

test('chooses by a rule among its members', async () => {
  const members = [scriptedProvider({ name: 'a' }), scriptedProvider({ name: 'b' })] as const;
  const choose = (upstreamModel: string): Provider | undefined =>
    members.find(({ name }) => upstreamModel.startsWith(name));
  const provider = byModel({ members, choose });
  expect([await reasonOf(provider, 'b-large'), await reasonOf(provider, 'c')]).toEqual(['answered', 'unavailable']);
  expect(members.map(({ calls }) => calls.length)).toEqual([0, 1]);
});

test.each(['three', 'constructor', 'toString'])('runs nothing for the unknown model %s', async (model) => {
  expect(await reasonOf(byModel({ one: scriptedProvider() }), model)).toBe('unavailable');
});

test('runs nothing where the provider of the model lacks the method', async () => {
  const { generate: _generate, ...embedding } = scriptedProvider({ name: 'b' });
  expect(await reasonOf(byModel({ one: scriptedProvider({ name: 'a' }), two: embedding }), 'two')).toBe('unavailable');
});

test('asks for a model by the name that a provider has for it', async () => {
  const scripted = scriptedProvider();
  const provider = withModelNames(scripted, { small: 'vendor/small-2' });
  await reasonOf(provider, 'small');
  await reasonOf(provider, 'large');
  expect(scripted.calls.map(({ call }) => call.upstreamModel)).toEqual(['vendor/small-2', 'large']);
});

test('asks for a moderation by the name that a provider has for the model, and has none where no member has', async () => {
  const scripted = scriptedProvider();
  const provider = withModelNames(scripted, { judge: 'vendor/judge' });
  const call = { operationId: 'o', upstreamModel: 'judge', inputs: [[{ kind: 'text', text: 'Hi' }]] } as const;
  expect((await provider.moderate?.(call, context))?.judgements).toHaveLength(1);
  expect(scripted.moderationCalls.map(({ upstreamModel }) => upstreamModel)).toEqual(['vendor/judge']);
  const { moderate: _moderate, ...without } = scriptedProvider();
  expect('moderate' in withModelNames(without, {})).toBe(false);
});
