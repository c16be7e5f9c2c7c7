import { describeProvider, type ProviderScenario, type ProviderUnderTest } from '@tollgate/testing';
import type { CallContext, Content, Generation, GenerationCall } from '@tollgate/provider';
import { describe, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

/** How each scenario is asked for. */
const prompts: { readonly [S in ProviderScenario]: string } = {
  text: '',
  measured: '[[sandbox: tokens in=60 cached=40 out=30 thoughts=20]]',
  function_call: '[[sandbox: tool get_weather {"city":"Lisbon"}]] [[sandbox: tool get_weather {"city":"Porto"}]]',
  function_result: '',
  json: '',
  media: '',
  length: '[[sandbox: length]]',
  content_filter: '[[sandbox: filter]]',
  missing_usage: '[[sandbox: unknown-usage]]',
  busy_once: '',
  invalid_request: '[[sandbox: invalid]]',
  input_limit: '[[sandbox: input-limit]]',
  rate_limited: '[[sandbox: rate-limited 3]]',
  unavailable: '[[sandbox: unavailable]]',
  failed: '[[sandbox: fail]]',
  unknown: '[[sandbox: unknown]]',
  hang: '[[sandbox: hang]]',
};

const withPrompt = (call: GenerationCall, prompt: string): GenerationCall => {
  if (prompt === '') return call;
  const turn: Content = { role: 'user', parts: [{ kind: 'text', text: prompt }] };
  return { ...call, contents: [...call.contents, turn] };
};

/** Counts as wire calls the calls that the sandbox takes on. */
const sandboxUnderTest = (): ProviderUnderTest => {
  const sandbox = sandboxProvider();
  const generate = (call: GenerationCall, context: CallContext): Promise<Generation> | undefined =>
    sandbox.generate?.(call, context);
  let wireCalls = 0;
  let waiting = Promise.withResolvers<void>();
  return {
    provider: {
      ...sandbox,
      generate: async (call, context) => {
        const answer = generate(call, context);
        if (!context.signal.aborted) {
          wireCalls += 1;
          waiting.resolve();
          waiting = Promise.withResolvers<void>();
        }
        return (await answer) ?? Promise.reject(new Error('the sandbox generates'));
      },
    },
    arrange: (scenario, call) => withPrompt(call, prompts[scenario]),
    wireCalls: () => wireCalls,
    received: (count) => (wireCalls >= count ? Promise.resolve() : waiting.promise),
    stateCameBack: ({ text }) => text.includes('context: ok.'),
    secrets: ['not a directive'],
    close: async () => sandbox.close?.(),
  };
};

describeProvider({ describe, test }, 'the sandbox provider', () => Promise.resolve(sandboxUnderTest()));
