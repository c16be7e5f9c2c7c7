import { withCircuitBreaker, withFallback, withModelNames } from '@tollgate/provider-routing';
import { anthropicProvider, openaiProvider } from 'tollgate';
import { required, type Environment } from './environment.ts';

/** A server of OpenAI's kind first; the Anthropic API where it refused the call, or fails again and again. */
export const openProvider = (environment: Environment) => {
  const first = openaiProvider({
    baseUrl: required(environment, 'OPENAI_BASE_URL'),
    apiKey: required(environment, 'OPENAI_API_KEY'),
  });
  const reserve = anthropicProvider({
    apiKey: required(environment, 'ANTHROPIC_API_KEY'),
    baseUrl: environment['ANTHROPIC_BASE_URL'] ?? 'https://api.anthropic.com',
  });
  // The reserve knows the same models under other names.
  const names = {
    [required(environment, 'SMALL_MODEL')]: required(environment, 'RESERVE_SMALL_MODEL'),
    [required(environment, 'LARGE_MODEL')]: required(environment, 'RESERVE_LARGE_MODEL'),
  };
  return withFallback([withCircuitBreaker(first), withModelNames(reserve, names)]);
};
