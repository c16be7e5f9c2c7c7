import { NotExecuted, type CallContext, type Generation, type GenerationCall, type Provider } from '@tollgate/provider';

/** A deliberately wrong provider: `wrap` breaks a right one, and the case named must notice. */
export interface ProviderFault {
  readonly name: string;
  readonly failsCase: string;
  readonly wrap: (right: Provider) => Provider;
}

type Generate = NonNullable<Provider['generate']>;

const withGenerate =
  (change: (generate: Generate) => Generate) =>
  (right: Provider): Provider => {
    if (right.generate === undefined) return right;
    return { ...right, generate: change(right.generate.bind(right)) };
  };

/** Breaks the answer. */
const answering = (change: (answer: Generation, call: GenerationCall) => Generation): ProviderFault['wrap'] =>
  withGenerate((generate) => async (call, context) => change(await generate(call, context), call));

/** Breaks what is thrown. */
const throwing = (change: (failure: unknown, call: GenerationCall) => unknown): ProviderFault['wrap'] =>
  withGenerate(
    (generate) => (call, context) =>
      generate(call, context).catch((failure: unknown) => {
        throw change(failure, call);
      }),
  );

/** Breaks what is handed over. */
const handing = (
  change: (call: GenerationCall, context: CallContext) => readonly [GenerationCall, CallContext],
): ProviderFault['wrap'] => withGenerate((generate) => (call, context) => generate(...change(call, context)));

const withoutContexts = (call: GenerationCall): GenerationCall => ({
  ...call,
  contents: call.contents.map((content) => ({
    ...content,
    parts: content.parts.map((part) => (part.kind === 'function_call' ? { ...part, context: 'other' } : part)),
  })),
});

const wrongAnswers: readonly ProviderFault[] = [
  {
    name: 'invents a unit',
    failsCase: 'answers a text with confirmed usage',
    wrap: answering((answer) => ({
      ...answer,
      // Unsound on purpose: a provider in plain JavaScript could do this.
      usage: [...answer.usage, JSON.parse('{"unit":"tokens","quantity":1,"confirmed":true}')],
    })),
  },
  {
    name: 'counts cached input twice',
    failsCase: 'reports units that do not overlap',
    wrap: answering((answer) => ({
      ...answer,
      usage: answer.usage.map((usage) => (usage.unit === 'input_text_tokens' ? { ...usage, quantity: 100 } : usage)),
    })),
  },
  {
    name: 'gives all calls one id',
    failsCase: 'proposes function calls with ids of their own and JSON arguments',
    wrap: answering((answer) => ({
      ...answer,
      functionCalls: answer.functionCalls.map((call) => ({ ...call, id: 'call_0' })),
    })),
  },
  {
    name: 'changes contexts on their way back',
    failsCase: 'hands the state of its calls back to the upstream unchanged',
    wrap: handing((call, context) => [withoutContexts(call), context]),
  },
  {
    name: 'fences JSON',
    failsCase: 'answers bare JSON for a schema',
    wrap: answering((answer) => ({ ...answer, text: `\`\`\`json\n${answer.text}\n\`\`\`` })),
  },
  {
    name: 'reports fractions of tokens',
    failsCase: 'takes an image, audio, a document and a text file',
    wrap: answering((answer) => ({
      ...answer,
      usage: answer.usage.map((usage) => ({ ...usage, quantity: usage.quantity + 0.5 })),
    })),
  },
  {
    name: 'hides that an answer was cut',
    failsCase: 'says that an answer was cut at the output limit',
    wrap: answering((answer) => ({ ...answer, finish: 'stop' })),
  },
  {
    name: 'gives refused content for free',
    failsCase: 'answers no text for refused content, and what it cost',
    wrap: answering((answer) => ({ ...answer, usage: [] })),
  },
  {
    name: 'confirms zero where nothing was measured',
    failsCase: 'confirms no usage that was not measured',
    wrap: answering((answer) => ({
      ...answer,
      usage: [{ unit: 'output_text_tokens', quantity: 0, confirmed: true }],
    })),
  },
];

const wrongFailures: readonly ProviderFault[] = [
  {
    name: 'throws an ordinary error where nothing ran',
    failsCase: 'tells invalid_request as certain non-execution, in its own words',
    wrap: throwing(() => new Error('refused')),
  },
  {
    name: 'mistakes a large input for a wrong one',
    failsCase: 'tells input_limit as certain non-execution, in its own words',
    wrap: throwing(() => new NotExecuted({ reason: 'invalid_request' })),
  },
  {
    name: 'records no attempt that failed',
    failsCase: 'tells unavailable as certain non-execution, in its own words',
    wrap: handing((call, context) => [call, { ...context, recordAttempt: () => {} }]),
  },
  {
    name: 'repeats the words of the upstream',
    failsCase: 'tells failed as certain non-execution, in its own words',
    wrap: throwing((failure) => {
      if (failure instanceof Error) failure.message = 'upstream said: the backend fell over for sk-secret';
      return failure;
    }),
  },
  {
    name: 'forgets when to come back',
    failsCase: 'says when to come back to a busy upstream',
    wrap: throwing(() => new NotExecuted({ reason: 'rate_limited' })),
  },
  {
    name: 'calls a lost answer a failure',
    failsCase: 'leaves the outcome unknown when the answer is lost',
    wrap: throwing(() => new NotExecuted({ reason: 'failed' })),
  },
  {
    name: 'is surprised by built-in tools',
    failsCase: 'carries built-in tools, or refuses them before it sends anything',
    wrap: withGenerate(
      (generate) => (call, context) =>
        call.tools.every(({ kind }) => kind === 'function')
          ? generate(call, context)
          : Promise.reject(new Error('unknown tool')),
    ),
  },
];

const wrongConduct: readonly ProviderFault[] = [
  {
    name: 'records a wire call twice',
    failsCase: 'records every wire call once',
    wrap: handing((call, context) => [
      call,
      {
        ...context,
        recordAttempt: (attempt) => {
          context.recordAttempt(attempt);
          context.recordAttempt(attempt);
        },
      },
    ]),
  },
  {
    name: 'repeats a call whose answer was lost',
    failsCase: 'makes no second wire call after one that may have run',
    wrap: withGenerate((generate) => (call, context) => generate(call, context).catch(() => generate(call, context))),
  },
  {
    name: 'writes all attempts on the call that came last',
    failsCase: 'keeps the attempts of calls at the same time apart',
    wrap: (right) => {
      let last: CallContext | undefined;
      return handing((call, context) => {
        last = context;
        return [call, { ...context, recordAttempt: (attempt) => last?.recordAttempt(attempt) }];
      })(right);
    },
  },
  {
    name: 'does not look whether the call is given up',
    failsCase: 'sends nothing for a call that is already given up',
    wrap: handing((call, context) => [call, { ...context, signal: new AbortController().signal }]),
  },
  {
    name: 'waits whatever the gateway says',
    failsCase: 'stops waiting when the gateway gives up, and leaves the outcome unknown',
    wrap: handing((call, context) => [call, { ...context, signal: new AbortController().signal }]),
  },
  {
    name: 'leaves a listener behind',
    failsCase: 'leaves nothing on the signal of a finished call',
    wrap: handing((call, context) => {
      context.signal.addEventListener('abort', () => {});
      return [call, context];
    }),
  },
  {
    name: 'cannot be closed twice',
    failsCase: 'has a name and closes more than once',
    wrap: (right) => {
      let closed = false;
      return {
        ...right,
        close: () => {
          if (closed) return Promise.reject(new Error('closed already'));
          closed = true;
          return Promise.resolve();
        },
      };
    },
  },
];

/** One fault for each case, so that every case is known to be able to fail. */
export const providerFaults: readonly ProviderFault[] = [...wrongAnswers, ...wrongFailures, ...wrongConduct];
