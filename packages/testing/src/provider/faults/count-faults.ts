import type { Provider, Usage } from '@tollgate/provider';
import { breaking, lending, throwing, type ProviderFault } from '../provider-fault.ts';

type CountTokens = NonNullable<Provider['countTokens']>;

const counting =
  (change: (countTokens: CountTokens) => CountTokens): ProviderFault['wrap'] =>
  (right) =>
    right.countTokens === undefined ? right : { ...right, countTokens: change(right.countTokens.bind(right)) };

const output: Usage = { unit: 'output_text_tokens', quantity: 5, confirmed: true };

/** What only counting can do wrong. */
export const countFaults: readonly ProviderFault[] = [
  {
    name: 'counts an output that was not made',
    failsCase: 'counting: counts the input, and only the input',
    wrap: counting((countTokens) => async (call, context) => [...(await countTokens(call, context)), output]),
  },
  {
    name: 'repeats the words of the upstream, counting',
    failsCase: 'counting: fails in its own words',
    breaks: 'P18',
    wrap: breaking(
      'countTokens',
      throwing((failure) => {
        if (failure instanceof Error) failure.message = 'upstream said: the backend fell over for sk-secret';
        return failure;
      }),
    ),
  },
  {
    name: 'counts without a caller',
    failsCase: 'counting: sends nothing for a call that is already given up',
    wrap: breaking(
      'countTokens',
      lending((context) => ({ ...context, signal: new AbortController().signal })),
    ),
  },
];
