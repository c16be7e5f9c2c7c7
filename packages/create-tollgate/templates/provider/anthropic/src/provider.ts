import { anthropicProvider } from 'tollgate';
import { required, type Environment } from './environment.ts';

/** The Anthropic API, or a server that speaks it. */
export const openProvider = (environment: Environment) =>
  anthropicProvider({
    apiKey: required(environment, 'ANTHROPIC_API_KEY'),
    baseUrl: environment['ANTHROPIC_BASE_URL'] ?? 'https://api.anthropic.com',
  });
