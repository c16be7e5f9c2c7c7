export { anthropicProvider } from './anthropic-provider.ts';
export type { ModelTraits, RefusableSetting } from './model-traits.ts';
export type { AnthropicProviderOptions, LimitOptions, RetryOptions } from './upstream.ts';
