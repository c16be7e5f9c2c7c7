export { openaiProvider } from './openai-provider.ts';
export { UnknownOutcome, type UnknownOutcomeDetail } from './unknown-outcome.ts';
export type { OpenaiProviderOptions, RetryOptions } from './upstream.ts';
