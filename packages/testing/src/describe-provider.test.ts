import type { FunctionCallPart, GenerationCall } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import { describeProvider } from './describe-provider.ts';
import { providerCases } from './provider-cases.ts';
import { providerFaults } from './provider-faults.ts';
import { providerScenarios, type ProviderScenario, type ProviderUnderTest } from './provider-under-test.ts';
import { scriptedProvider } from './scripted-provider.ts';
import { scriptedGeneration, type ScriptedStep } from './scripted-step.ts';

const weatherCall = (index: number, city: string): FunctionCallPart => ({
  kind: 'function_call',
  id: `call_${index}`,
  name: 'get_weather',
  arguments: JSON.stringify({ city }),
  context: `state ${index}`,
});

const steps: { readonly [S in ProviderScenario]: ScriptedStep } = {
  text: { kind: 'answer' },
  measured: {
    kind: 'answer',
    generation: {
      usage: [
        { unit: 'input_text_tokens', quantity: 60, confirmed: true },
        { unit: 'cached_input_tokens', quantity: 40, confirmed: true },
        { unit: 'output_text_tokens', quantity: 30, confirmed: true },
        { unit: 'thought_tokens', quantity: 20, confirmed: true },
      ],
    },
  },
  function_call: {
    kind: 'answer',
    generation: { text: '', functionCalls: [weatherCall(1, 'Lisbon'), weatherCall(2, 'Porto')] },
  },
  function_result: { kind: 'answer' },
  json: { kind: 'answer', generation: { text: '{"city":"Lisbon"}' } },
  media: { kind: 'answer' },
  length: { kind: 'answer', generation: { finish: 'length' } },
  content_filter: { kind: 'answer', generation: { text: '', finish: 'content_filter' } },
  missing_usage: { kind: 'answer', generation: { usage: [] } },
  busy_once: { kind: 'answer' },
  invalid_request: { kind: 'not_executed', reason: 'invalid_request' },
  input_limit: { kind: 'not_executed', reason: 'input_limit' },
  rate_limited: { kind: 'not_executed', reason: 'rate_limited', retryAfterMs: 3_000 },
  unavailable: { kind: 'not_executed', reason: 'unavailable', sent: false },
  failed: { kind: 'not_executed', reason: 'failed' },
  unknown: { kind: 'unknown' },
  hang: { kind: 'hang' },
};

const contextsOf = (call: GenerationCall | undefined): readonly (string | undefined)[] =>
  (call?.contents ?? []).flatMap(({ parts }) =>
    parts.filter((part) => part.kind === 'function_call').map(({ context }) => context),
  );

const scriptedUnderTest = (): ProviderUnderTest => {
  const provider = scriptedProvider();
  return {
    provider,
    arrange: (scenario, call) => {
      provider.script(steps[scenario]);
      return call;
    },
    wireCalls: () => provider.calls.length,
    received: provider.received,
    stateCameBack: () => contextsOf(provider.calls.at(-1)?.call).join() === 'state 1,state 2',
    secrets: ['sk-secret', 'the backend fell over'],
    close: provider.close,
  };
};

describeProvider({ describe, test }, 'the scripted provider', () => Promise.resolve(scriptedUnderTest()));

describe('the suite notices a provider that', () => {
  test.each(providerFaults)('$name', async ({ failsCase, wrap }) => {
    const broken = providerCases.find(({ title }) => title === failsCase);
    const underTest = scriptedUnderTest();
    await expect(broken?.run({ ...underTest, provider: wrap(underTest.provider) })).rejects.toBeInstanceOf(Error);
  });

  test('breaks any of the rules', () => {
    const noticed = new Set(providerFaults.map(({ failsCase }) => failsCase));
    expect(providerCases.map(({ title }) => title).filter((title) => !noticed.has(title))).toEqual([]);
  });

  test('says in a sentence what each scenario is', () => {
    for (const meaning of Object.values(providerScenarios)) expect(meaning).toMatch(/^[A-Z].*\.$/);
  });
});

test('counts the executions of an operation and goes on with its script', async () => {
  const gate = Promise.withResolvers<void>();
  const provider = scriptedProvider({ steps: [{ kind: 'wait', until: gate.promise, next: { kind: 'answer' } }] });
  const { call } = await firstCall();
  const context = { signal: new AbortController().signal, recordAttempt: () => {} };
  const running = provider.generate(call, context);
  await provider.received(1);
  expect(provider.executions(call.operationId)).toBe(1);
  gate.resolve();
  expect(await running).toEqual(scriptedGeneration);
  await provider.generate({ ...call, operationId: 'other' }, context);
  expect([provider.executions(call.operationId), provider.executions('other')]).toEqual([1, 1]);
});

/** A call as the suite makes it. */
const firstCall = async (): Promise<{ readonly call: GenerationCall }> => {
  const seen: GenerationCall[] = [];
  const underTest = scriptedUnderTest();
  await providerCases[0]?.run({
    ...underTest,
    arrange: (scenario, call) => {
      seen.push(call);
      return underTest.arrange(scenario, call);
    },
  });
  const [call] = seen;
  if (call === undefined) throw new Error('the suite made no call');
  return { call };
};
