import type { Usage } from '@tollgate/provider';
import { answering, type AnswerFault } from './answer-fault.ts';

const confirmed = (usage: Usage): Usage => ({ ...usage, confirmed: true });

const partial = 'does not confirm usage whose output was not measured to its end';
const written = 'counts what was written to a cache, and once';

/** Wrong measures. */
export const measureFaults: readonly AnswerFault[] = [
  {
    name: 'takes the input for the whole where the output is missing',
    failsCase: partial,
    change: answering((answer) => ({ ...answer, usage: answer.usage.map(confirmed) })),
  },
  {
    name: 'takes the count of a beginning for the whole output',
    failsCase: partial,
    change: answering((answer) => ({
      ...answer,
      usage: [...answer.usage.map(confirmed), { unit: 'output_text_tokens', quantity: 1, confirmed: true }],
    })),
  },
  {
    name: 'leaves out what was written to a cache',
    failsCase: written,
    change: answering((answer) => ({
      ...answer,
      usage: answer.usage.filter(({ unit }) => unit !== 'cache_write_input_tokens'),
    })),
  },
  {
    name: 'counts what was written to a cache twice',
    failsCase: written,
    change: answering((answer) => ({
      ...answer,
      usage: answer.usage.map((usage) =>
        usage.unit === 'input_text_tokens' ? { ...usage, quantity: usage.quantity + 40 } : usage,
      ),
    })),
  },
];

/** What is reported as whole and is not. */
export const wholenessFaults: readonly AnswerFault[] = [
  {
    name: 'cuts arguments after 1,000 characters',
    failsCase: 'hands on the whole of long arguments',
    change: answering((answer) => ({
      ...answer,
      functionCalls: answer.functionCalls.map((call) => ({ ...call, arguments: call.arguments.slice(0, 1_000) })),
    })),
  },
  {
    name: 'tells a call that was cut as one without arguments',
    failsCase: 'tells no call that was cut before its arguments as one without arguments',
    change: answering((answer) => ({
      ...answer,
      functionCalls: answer.functionCalls.map((call) => ({ ...call, arguments: '{}' })),
    })),
  },
  {
    name: 'takes an end that it does not know for success',
    failsCase: 'does not take an end that it does not know for success',
    change: answering((answer) => ({ ...answer, finish: 'stop' })),
  },
];
