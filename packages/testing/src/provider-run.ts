import assert from 'node:assert/strict';
import type { Attempt, Generation, GenerationCall, NotExecuted } from '@tollgate/provider';
import { isNotExecuted } from '@tollgate/provider';
import { checkAttempts, checkGeneration } from './generation-checks.ts';
import type { ProviderScenario, ProviderUnderTest } from './provider-under-test.ts';

/** The tool that the suite declares. */
export const weatherTool = {
  kind: 'function',
  name: 'get_weather',
  description: 'Current weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;

const baseCall: GenerationCall = {
  operationId: '11111111-1111-4111-8111-111111111111',
  upstreamModel: 'model-under-test',
  systemInstruction: 'Answer in one sentence.',
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'What is the weather in Lisbon?' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: { temperature: 0.7 },
  outputTokensMax: 1_000,
};

/** What one call came to: exactly one of `answer` and `failure`. */
export interface ProviderRun {
  readonly answer: Generation | undefined;
  readonly failure: unknown;
  readonly attempts: readonly Attempt[];
}

const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
};

export interface RunOptions {
  readonly call?: Partial<GenerationCall>;
  readonly signal?: AbortSignal;
}

/** Arranges the scenario and makes the call, which the provider may not change. Never rejects. */
export const runScenario = async (
  { provider, arrange }: ProviderUnderTest,
  scenario: ProviderScenario,
  { call = {}, signal = new AbortController().signal }: RunOptions = {},
): Promise<ProviderRun> => {
  const attempts: Attempt[] = [];
  const arranged = freeze(arrange(scenario, { ...baseCall, ...call }));
  assert.ok(provider.generate !== undefined, 'the provider generates');
  const context = { signal, recordAttempt: (attempt: Attempt) => void attempts.push(attempt) };
  const run = await provider.generate(arranged, context).then(
    (answer) => ({ answer, failure: undefined, attempts }),
    (failure: unknown) => ({ answer: undefined, failure, attempts }),
  );
  checkAttempts(run.attempts);
  return run;
};

/** The answer, in its form. */
export const answerOf = (run: ProviderRun): Generation => {
  if (run.answer === undefined) throw new assert.AssertionError({ message: `no answer, but ${String(run.failure)}` });
  checkGeneration(run.answer);
  return run.answer;
};

/** The certain non-execution; whatever else the call came to fails the case. */
export const refusalOf = (run: ProviderRun): NotExecuted => {
  assert.equal(run.answer, undefined, 'the call was answered');
  if (!isNotExecuted(run.failure)) {
    throw new assert.AssertionError({ message: `not a certain non-execution: ${String(run.failure)}` });
  }
  return run.failure;
};

/** Something other than `NotExecuted` was thrown: the upstream may have run. */
export const checkUnknown = (run: ProviderRun): void => {
  assert.equal(run.answer, undefined, 'the call was answered');
  assert.ok(run.failure instanceof Error, 'an error is thrown');
  assert.ok(!isNotExecuted(run.failure), 'called certain what is not');
  assert.equal(run.attempts.at(-1)?.outcome, 'unknown', 'the last attempt is recorded as unknown');
};

/** Neither the message nor a member that is shown holds a key or the upstream's words; `cause` is for the log. */
export const checkSecrets = (failure: unknown, secrets: readonly string[]): void => {
  assert.ok(failure instanceof Error);
  const shown = `${failure.name} ${failure.message} ${JSON.stringify(Object.entries(failure).filter(([name]) => name !== 'cause'))}`;
  for (const secret of secrets) assert.ok(!shown.includes(secret), 'an upstream text or a key is shown');
};
