import { generationParts, type GenerationCall, type Part, type Provider } from '@tollgate/provider';
import type { ProviderFault } from '../provider-fault.ts';
import { refusalWords } from '../provider-under-test.ts';
import { answering, type AnswerFault } from './answer-fault.ts';
import { carriedFaults, mediaFaults } from './carried-faults.ts';
import { contextFaults } from './context-faults.ts';
import { measureFaults, wholenessFaults } from './measure-faults.ts';

type Generate = NonNullable<Provider['generate']>;
type GenerateStream = NonNullable<Provider['generateStream']>;

const withoutContexts = (call: GenerationCall): GenerationCall => ({
  ...call,
  contents: call.contents.map((content) => ({
    ...content,
    parts: content.parts.map((part) => (part.kind === 'function_call' ? { ...part, context: 'other' } : part)),
  })),
});

const wrongAnswers: readonly AnswerFault[] = [
  {
    name: 'invents a unit',
    failsCase: 'returns a text with confirmed usage',
    change: answering((answer) => ({
      ...answer,
      // Unsound on purpose: a provider in plain JavaScript could do this.
      usage: [...answer.usage, JSON.parse('{"unit":"tokens","quantity":1,"confirmed":true}')],
    })),
  },
  {
    name: 'forgets what the upstream calls a request',
    failsCase: 'records what the upstream calls the request',
    change: (generate) => (call, context) =>
      generate(call, {
        ...context,
        recordAttempt: ({ upstreamId: _, ...attempt }) => context.recordAttempt(attempt),
      }),
  },
  {
    name: 'counts cached input twice',
    failsCase: 'reports units that do not overlap',
    change: answering((answer) => ({
      ...answer,
      usage: answer.usage.map((usage) => (usage.unit === 'input_text_tokens' ? { ...usage, quantity: 100 } : usage)),
    })),
  },
  {
    name: 'gives all calls one id',
    failsCase: 'proposes function calls with ids of their own and JSON arguments',
    change: answering((answer) => ({
      ...answer,
      functionCalls: answer.functionCalls.map((call) => ({ ...call, id: 'call_0' })),
    })),
  },
  {
    name: 'changes contexts on their way back',
    failsCase: 'hands the state of its calls back to the upstream unchanged',
    change: (generate) => (call, context) => generate(withoutContexts(call), context),
  },
  {
    name: 'fences JSON',
    failsCase: 'answers bare JSON for a schema',
    change: answering((answer) => ({ ...answer, text: `\`\`\`json\n${answer.text}\n\`\`\`` })),
  },
  {
    name: 'reports fractions of tokens',
    failsCase: 'returns a text with confirmed usage',
    change: answering((answer) => ({
      ...answer,
      usage: answer.usage.map((usage) => ({ ...usage, quantity: usage.quantity + 0.5 })),
    })),
  },
  {
    name: 'hides that an answer was cut',
    failsCase: 'says that an answer was cut at the output limit',
    change: answering((answer) => ({ ...answer, finish: 'stop' })),
  },
  {
    name: 'gives refused content for free',
    failsCase: 'returns no text for refused content, and what it cost',
    change: answering((answer) => ({ ...answer, usage: [] })),
  },
  {
    name: 'explains a refusal in its text',
    failsCase: 'returns no text for refused content, and what it cost',
    change: answering((answer) => (answer.finish === 'content_filter' ? { ...answer, text: refusalWords } : answer)),
  },
  {
    name: 'confirms zero where nothing was measured',
    failsCase: 'confirms no usage that was not measured',
    change: answering((answer) => ({
      ...answer,
      usage: [{ unit: 'output_text_tokens', quantity: 0, confirmed: true }],
    })),
  },
  {
    name: 'is surprised by built-in tools',
    failsCase: 'carries built-in tools, or refuses them before it sends anything',
    change: (generate) => (call, context) =>
      call.tools.every(({ kind }) => kind === 'function')
        ? generate(call, context)
        : Promise.reject(new Error('unknown tool')),
  },
];

/** A stream as one answer, so that one fault breaks both ways of answering. */
const gathered =
  (stream: GenerateStream): Generate =>
  async (call, context) => {
    const pieces: Part[] = [];
    const end = await stream(call, context, (parts) => void pieces.push(...parts));
    const text = pieces.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    return { ...end, text, functionCalls: pieces.filter((part) => part.kind === 'function_call') };
  };

const replayed =
  (generate: Generate): GenerateStream =>
  async (call, context, onParts) => {
    const answer = await generate(call, context);
    const parts = generationParts(answer);
    if (parts.length > 0) onParts(parts);
    const { text: _text, functionCalls: _calls, ...end } = answer;
    return end;
  };

/** Wrong answers, by either way of answering. */
export const answerFaults: readonly ProviderFault[] = [
  ...wrongAnswers,
  ...measureFaults,
  ...wholenessFaults,
  ...contextFaults,
  ...carriedFaults,
  ...mediaFaults,
].flatMap(({ name, failsCase, change }) => [
  {
    name,
    failsCase,
    wrap: (right) =>
      right.generate === undefined ? right : { ...right, generate: change(right.generate.bind(right)) },
  },
  {
    name: `${name}, as a stream`,
    failsCase: `as a stream: ${failsCase}`,
    wrap: (right) =>
      right.generateStream === undefined
        ? right
        : { ...right, generateStream: replayed(change(gathered(right.generateStream.bind(right)))) },
  },
]);
