import type { GenerationCall } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import { describeProvider } from './describe-provider.ts';
import { runProviderCase } from './provider-case.ts';
import { providerCases } from './provider-cases.ts';
import { providerFaults } from './provider-faults.ts';
import {
  batchScenarios,
  cacheScenarios,
  conductScenarios,
  countScenarios,
  embedScenarios,
  fileScenarios,
  interactionScenarios,
  providerScenarios,
  streamScenarios,
  videoScenarios,
} from './provider-under-test.ts';
import { sampleCaller } from '../fakes/sample-caller.ts';
import { scriptedProvider } from '../fakes/scripted-provider.ts';
import { scriptedGeneration } from '../fakes/scripted-step.ts';
import { scriptedUnderTest } from '../fakes/scripted-under-test.ts';

describeProvider({ describe, test }, 'the scripted provider', () => Promise.resolve(scriptedUnderTest()));

describe('the suite notices a provider that', () => {
  test.each(providerFaults)('$name', async ({ failsCase, breaks, wrap }) => {
    const broken = providerCases.find(({ title }) => title === failsCase);
    const underTest = scriptedUnderTest();
    if (broken === undefined) throw new Error('there is no such case');
    const { impatient } = underTest;
    const faulty = {
      ...underTest,
      provider: wrap(underTest.provider),
      impatient: impatient === null ? null : () => wrap(impatient()),
    };
    await expect(runProviderCase(broken, faulty)).rejects.toMatchObject({ promise: breaks ?? broken.promise });
  });

  test('breaks any of the rules', () => {
    const noticed = new Set(providerFaults.map(({ failsCase }) => failsCase));
    expect(providerCases.map(({ title }) => title).filter((title) => !noticed.has(title))).toEqual([]);
  });

  test('says in a sentence what each scenario is', () => {
    const scenarios = [
      providerScenarios,
      streamScenarios,
      embedScenarios,
      countScenarios,
      fileScenarios,
      videoScenarios,
      batchScenarios,
      cacheScenarios,
      conductScenarios,
      interactionScenarios,
    ];
    for (const meaning of scenarios.flatMap((all) => Object.values<string>(all)))
      expect(meaning).toMatch(/^[A-Z].*\.$/);
  });
});

test('counts the executions of an operation and goes on with its script', async () => {
  const gate = Promise.withResolvers<void>();
  const provider = scriptedProvider({ steps: [{ kind: 'wait', until: gate.promise, next: { kind: 'answer' } }] });
  const { call } = await firstCall();
  const context = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
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
