export { aiSdkProvider } from './ai-sdk-provider.ts';
export type { AiSdkProviderOptions, ModelSource, ModelWarning, SpeechOptions } from './ai-sdk-provider-options.ts';
export type { BuiltInTool, ModelName, ProviderTool, Vendor } from './vendor.ts';
