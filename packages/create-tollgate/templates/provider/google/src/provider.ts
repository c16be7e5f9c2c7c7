import { googleProvider } from 'tollgate';
import { required, type Environment } from './environment.ts';

/** The Gemini API. */
export const openProvider = (environment: Environment) =>
  googleProvider({
    apiKey: required(environment, 'GEMINI_API_KEY'),
    baseUrl: environment['GEMINI_BASE_URL'] ?? 'https://generativelanguage.googleapis.com',
  });
