export { googleProvider, type GoogleProvider } from './google-provider.ts';
export type { ModelTraits } from './model-traits.ts';
export { UnknownOutcome, type UnknownOutcomeDetail } from '@tollgate/provider';
export type { GoogleProviderOptions, LimitOptions, ImageMeter, RetryOptions } from './upstream.ts';
