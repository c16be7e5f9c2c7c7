import assert from 'node:assert/strict';
import type {
  Attempt,
  CallContext,
  EmbeddingCall,
  Embeddings,
  Generation,
  GenerationCall,
  NotExecuted,
} from '@tollgate/provider';
import { isNotExecuted } from '@tollgate/provider';
import { sampleCaller } from '../fakes/sample-caller.ts';
import { settledWithin } from '../broken-promise.ts';
import { checkAttempts, checkEmbeddings, checkGeneration } from './generation-checks.ts';
import { brokenPromise, proving } from './provider-promises.ts';
import type { EmbedScenario, ProviderScenario, ProviderUnderTest } from './provider-under-test.ts';

/** The tool that the suite declares. */
export const weatherTool = {
  kind: 'function',
  name: 'get_weather',
  description: 'Current weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;

export const baseCall: GenerationCall = {
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

export const baseTexts = ['A lighthouse.', 'A harbour at night.', 'A storm.'] as const;

const baseEmbeddingCall: EmbeddingCall = {
  operationId: '22222222-2222-4222-8222-222222222222',
  upstreamModel: 'model-under-test',
  input: { kind: 'texts', texts: baseTexts },
};

/** What one call came to: exactly one of `answer` and `failure`. */
export interface ProviderRun<Answer = Generation> {
  readonly answer: Answer | undefined;
  readonly failure: unknown;
  readonly attempts: readonly Attempt[];
}

/** So that a provider that changes what it is given is noticed. */
export const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
};

/** Who listens to a call while it runs. */
export interface Watching {
  readonly signal?: AbortSignal | undefined;
  /** Called with each attempt when it is recorded. */
  readonly onAttempt?: (() => void) | undefined;
}

export interface RunOptions<Call = GenerationCall> extends Watching {
  readonly call?: Partial<Call>;
}

/** Longest time in which a call must settle. */
const callMsMax = 4_000;

/** Makes a call and keeps what it came to. Rejects only where the provider broke a rule of every call. */
export const runCall = async <Answer>(
  { secrets }: Pick<ProviderUnderTest, 'secrets'>,
  { signal = new AbortController().signal, onAttempt }: Watching,
  ask: (context: CallContext) => Promise<Answer>,
): Promise<ProviderRun<Answer>> => {
  const attempts: Attempt[] = [];
  const recordAttempt = (attempt: Attempt): void => {
    attempts.push(attempt);
    onAttempt?.();
  };
  const asked = ask({ caller: sampleCaller, signal, recordAttempt }).then(
    (answer) => ({ answer, failure: undefined, attempts }),
    (failure: unknown) => ({ answer: undefined, failure, attempts }),
  );
  // What was asked never rejects here: the wait for it does.
  const run = await settledWithin(callMsMax, asked).catch((cause: unknown) => {
    throw brokenPromise('P32', cause);
  });
  proving('P19', () => checkAttempts(run.attempts));
  proving('P18', () => checkShown(JSON.stringify(run.attempts), secrets));
  return run;
};

/** Arranges the scenario and makes the call, which the provider may not change. */
export const runScenario = async (
  underTest: ProviderUnderTest,
  scenario: ProviderScenario,
  { call = {}, ...watching }: RunOptions = {},
): Promise<ProviderRun> => {
  const { provider, arrange } = underTest;
  const arranged = freeze(arrange(scenario, { ...baseCall, ...call }));
  assert.ok(provider.generate !== undefined, 'the provider generates');
  const generate = provider.generate.bind(provider);
  return runCall(underTest, watching, (context) => generate(arranged, context));
};

/** Arranges the scenario and makes an embedding, which the provider may not change. */
export const runEmbed = async (
  underTest: ProviderUnderTest,
  scenario: EmbedScenario,
  { call = {}, ...watching }: RunOptions<EmbeddingCall> = {},
): Promise<ProviderRun<Embeddings>> => {
  const { provider, arrangeEmbed } = underTest;
  assert.ok(provider.embed !== undefined && arrangeEmbed !== undefined, 'the provider embeds');
  const embed = provider.embed.bind(provider);
  const arranged = freeze(arrangeEmbed(scenario, { ...baseEmbeddingCall, ...call }));
  const run = await runCall(underTest, watching, (context) => embed(arranged, context));
  if (run.answer !== undefined)
    checkEmbeddings(run.answer, arranged.input.kind === 'texts' ? arranged.input.texts.length : 1);
  return run;
};

/** The answer, whatever it is. */
export const answered = <Answer>(run: ProviderRun<Answer>): Answer => {
  if (run.answer === undefined) throw new assert.AssertionError({ message: `no answer, but ${String(run.failure)}` });
  return run.answer;
};

/** The answer, in its form. */
export const answerOf = (run: ProviderRun): Generation => {
  const answer = answered(run);
  checkGeneration(answer);
  return answer;
};

/** The certain non-execution; whatever else the call came to fails the case. */
export const refusalOf = (run: ProviderRun<unknown>): NotExecuted => {
  assert.equal(run.answer, undefined, 'the call was answered');
  if (!isNotExecuted(run.failure)) {
    throw new assert.AssertionError({ message: `not a certain non-execution: ${String(run.failure)}` });
  }
  return run.failure;
};

/** Something other than `NotExecuted` was thrown: the upstream may have run. */
export const checkUnknown = (run: ProviderRun<unknown>): void => {
  assert.equal(run.answer, undefined, 'the call was answered');
  assert.ok(run.failure instanceof Error, 'an error is thrown');
  assert.ok(!isNotExecuted(run.failure), 'called certain what is not');
  assert.equal(run.attempts.at(-1)?.outcome, 'unknown', 'the last attempt is recorded as unknown');
};

/** Neither the message nor a member that is shown holds a key or the upstream's words; `cause` is for the log. */
export const checkSecrets = (failure: unknown, secrets: readonly string[]): void => {
  assert.ok(failure instanceof Error);
  const members = JSON.stringify(Object.entries(failure).filter(([name]) => name !== 'cause'));
  proving('P18', () => checkShown(`${failure.name} ${failure.message} ${members}`, secrets));
};

/** Nothing of this holds a secret. */
export const checkShown = (shown: string, secrets: readonly string[]): void => {
  for (const secret of secrets) assert.ok(!shown.includes(secret), 'an upstream text or a key is shown');
};
