export { anthropicProvider } from './anthropic-provider.ts';
export type { CachePrompts } from './cache-control.ts';
export type { ModelTraits, RefusableSetting, ServerToolName } from './model-traits.ts';
export type { AnthropicProviderOptions, LimitOptions, RetryOptions } from './upstream.ts';
