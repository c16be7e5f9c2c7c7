export { openaiProvider } from './openai-provider.ts';
export { UnknownOutcome, type UnknownOutcomeDetail } from '@tollgate/provider';
export type { OpenaiProviderOptions, RetryOptions } from './upstream.ts';
