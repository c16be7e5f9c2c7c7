/** Which names the counts of tokens have: those that dashboards know, or those that are to replace them. */
export type Conventions = 'stable-old' | 'new';

/**
 * Names of the semantic conventions for generative AI, as text: no release of them is stable, and the package that exports them
 * marks each as moved.
 */
export const genai = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  requestStream: 'gen_ai.request.stream',
  firstChunkSeconds: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheCreationTokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  errorType: 'error.type',
  durationMetric: 'gen_ai.client.operation.duration',
  firstChunkMetric: 'gen_ai.client.operation.time_to_first_chunk',
  tokenUsageMetric: 'gen_ai.client.token.usage',
  tokensMetric: 'gen_ai.client.inference.tokens',
} as const;

const operationNames: ReadonlyMap<string, string> = new Map([
  ['chat', 'chat'],
  ['generate', 'generate_content'],
  ['embeddings', 'embeddings'],
]);

/** The operation that the conventions know; another kind keeps the word of the gateway. */
export const operationName = (kind: string): string => operationNames.get(kind) ?? kind;

/** The name of a span by the conventions. */
export const spanName = ({ kind, model }: { readonly kind: string; readonly model: string }): string =>
  `${operationName(kind)} ${model}`;

const providerNames: ReadonlyMap<string, string> = new Map([['google', 'gcp.gemini']]);

/** The provider that the conventions know; another keeps the name that its host gave it. */
export const providerName = (provider: string, own: Readonly<Record<string, string>>): string =>
  own[provider] ?? providerNames.get(provider) ?? provider;
