import { openaiProvider } from 'tollgate';
import { required, type Environment } from './environment.ts';

/** OpenAI, or any server that speaks its chat completions. */
export const openProvider = (environment: Environment) =>
  openaiProvider({
    baseUrl: required(environment, 'OPENAI_BASE_URL'),
    apiKey: required(environment, 'OPENAI_API_KEY'),
  });
