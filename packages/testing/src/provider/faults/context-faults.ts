import { parseJson, asObject, type GenerationCall } from '@tollgate/provider';
import type { AnswerFault } from './answer-fault.ts';

const contextsOf = ({ contents }: GenerationCall): readonly string[] =>
  contents.flatMap(({ parts }) =>
    parts.map((part) => ('context' in part ? (part.context ?? '') : '')).filter((context) => context !== ''),
  );

const forged = 'takes no forged context for a reason to fail, nor puts what it says into the request';

/** Wrong belief in contexts. */
export const contextFaults: readonly AnswerFault[] = [
  {
    name: 'fails at a context that it did not write',
    failsCase: forged,
    change: (generate) => (call, context) =>
      contextsOf(call).every((state) => /^state \d$/.test(state))
        ? generate(call, context)
        : Promise.reject(new Error('not a state')),
  },
  {
    name: 'refuses a context that it cannot read',
    failsCase: forged,
    change: (generate) => async (call, context) => {
      for (const state of contextsOf(call)) if (state.startsWith('{')) JSON.parse(state);
      return generate(call, context);
    },
  },
  {
    name: 'spreads a context into the request',
    failsCase: forged,
    change: (generate) => (call, context) => {
      const spread: GenerationCall = { ...call };
      for (const state of contextsOf(call)) Object.assign(spread, asObject(parseJson(state)));
      return generate(spread, context);
    },
  },
];
