import assert from 'node:assert/strict';
import type {
  Attempt,
  CallContext,
  CallPiece,
  EmbeddingCall,
  Embeddings,
  Generation,
  GenerationCall,
  NotExecuted,
  Part,
} from '@tollgate/provider';
import { isNotExecuted } from '@tollgate/provider';
import { sampleCaller } from '../fakes/sample-caller.ts';
import { checkAttempts, checkCallPieces, checkEmbeddings, checkGeneration, checkPieces } from './generation-checks.ts';
import type { EmbedScenario, ProviderScenario, ProviderUnderTest, StreamScenario } from './provider-under-test.ts';

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

export interface RunOptions<Call = GenerationCall> {
  readonly call?: Partial<Call>;
  readonly signal?: AbortSignal;
}

/** Makes a call and keeps what it came to. Rejects only where the provider broke a rule of every call. */
export const runCall = async <Answer>(
  signal: AbortSignal | undefined,
  ask: (context: CallContext) => Promise<Answer>,
): Promise<ProviderRun<Answer>> => {
  const attempts: Attempt[] = [];
  const recordAttempt = (attempt: Attempt): void => void attempts.push(attempt);
  const run = await ask({ caller: sampleCaller, signal: signal ?? new AbortController().signal, recordAttempt }).then(
    (answer) => ({ answer, failure: undefined, attempts }),
    (failure: unknown) => ({ answer: undefined, failure, attempts }),
  );
  checkAttempts(run.attempts);
  return run;
};

/** Arranges the scenario and makes the call, which the provider may not change. */
export const runScenario = async (
  { provider, arrange }: ProviderUnderTest,
  scenario: ProviderScenario,
  { call = {}, signal }: RunOptions = {},
): Promise<ProviderRun> => {
  const arranged = freeze(arrange(scenario, { ...baseCall, ...call }));
  assert.ok(provider.generate !== undefined, 'the provider generates');
  const generate = provider.generate.bind(provider);
  return runCall(signal, (context) => generate(arranged, context));
};

export interface StreamRun extends ProviderRun {
  /** As they were handed over, in order. */
  readonly pieces: readonly Part[];
  /** What was reported of calls before they were whole. */
  readonly callPieces: readonly CallPiece[];
}

export interface StreamOptions extends RunOptions {
  /** Called with each handing over. */
  readonly onParts?: (parts: readonly Part[]) => void;
}

/** Takes what a provider hands over, and notes what breaks a rule. */
const createTaker = (onParts: StreamOptions['onParts']) => {
  const pieces: Part[] = [];
  const callPieces: CallPiece[] = [];
  const wrong: string[] = [];
  const taker = {
    pieces,
    callPieces,
    wrong,
    ended: false,
    take: (parts: readonly Part[]): void => {
      if (taker.ended) wrong.push('a piece is handed over after the end');
      if (parts.length === 0) wrong.push('nothing is handed over');
      pieces.push(...parts);
      onParts?.(parts);
    },
    takeCallPiece: (piece: CallPiece): void => {
      if (taker.ended) wrong.push('a piece of a call is handed over after the end');
      if (pieces.some((part) => part.kind === 'function_call' && part.id === piece.id))
        wrong.push('a piece of a call is handed over after the call');
      callPieces.push(piece);
      onParts?.([]);
    },
  };
  return taker;
};

/** The same piece by piece. The answer is what the pieces and the end come to. */
export const runStream = async (
  { provider, arrangeStream }: ProviderUnderTest,
  scenario: StreamScenario,
  { call = {}, signal, onParts }: StreamOptions = {},
): Promise<StreamRun> => {
  assert.ok(provider.generateStream !== undefined && arrangeStream !== undefined, 'the provider streams');
  const generateStream = provider.generateStream.bind(provider);
  const arranged = freeze(arrangeStream(scenario, { ...baseCall, ...call }));
  const taker = createTaker(onParts);
  const { pieces, callPieces, wrong } = taker;
  const run = await runCall(signal, async (context) => {
    try {
      const end = await generateStream(arranged, context, taker.take, taker.takeCallPiece);
      assert.ok(!('text' in end) && !('functionCalls' in end) && !('parts' in end), 'the end repeats the answer');
      return { ...end, ...joined(pieces) };
    } finally {
      taker.ended = true;
    }
  });
  // Whatever is handed over late has come by now, unless something outside goes on.
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(wrong, []);
  checkPieces(pieces);
  if (run.answer !== undefined) checkCallPieces(callPieces, run.answer);
  const handedOver = pieces.length + callPieces.length;
  assert.ok(!isNotExecuted(run.failure) || handedOver === 0, 'calls not executed what has handed over a piece');
  return { ...run, pieces, callPieces };
};

const joined = (pieces: readonly Part[]): Pick<Generation, 'text' | 'functionCalls' | 'parts'> => ({
  text: pieces.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join(''),
  functionCalls: pieces.filter((part) => part.kind === 'function_call'),
  parts: pieces,
});

/** Arranges the scenario and makes an embedding, which the provider may not change. */
export const runEmbed = async (
  { provider, arrangeEmbed }: ProviderUnderTest,
  scenario: EmbedScenario,
  { call = {}, signal }: RunOptions<EmbeddingCall> = {},
): Promise<ProviderRun<Embeddings>> => {
  assert.ok(provider.embed !== undefined && arrangeEmbed !== undefined, 'the provider embeds');
  const embed = provider.embed.bind(provider);
  const arranged = freeze(arrangeEmbed(scenario, { ...baseEmbeddingCall, ...call }));
  const run = await runCall(signal, (context) => embed(arranged, context));
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
  const shown = `${failure.name} ${failure.message} ${JSON.stringify(Object.entries(failure).filter(([name]) => name !== 'cause'))}`;
  for (const secret of secrets) assert.ok(!shown.includes(secret), 'an upstream text or a key is shown');
};
