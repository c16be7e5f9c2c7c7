export { openaiProvider } from './openai-provider.ts';
export { UnknownOutcome, type UnknownOutcomeDetail } from '@tollgate/provider';
export type { OpenaiProviderOptions, OpenaiWire, RetryOptions } from './upstream.ts';
