/**
 * Whose options a model takes beside those that all AI SDK models take. `openai_compatible` are models of
 * `@ai-sdk/openai-compatible`, whose provider names are the host's own and tell nothing.
 */
export type Vendor = 'google' | 'openai' | 'anthropic' | 'openai_compatible' | 'other';

/** What a model says of itself. */
export interface ModelName {
  /** As in `google.generative-ai`. */
  readonly provider: string;
  readonly modelId: string;
}

/** Tools that run at the upstream. */
export type BuiltInTool = 'code_execution' | 'url_context' | 'web_search';

/** A provider tool of the AI SDK. */
export interface ProviderTool {
  readonly id: `${string}.${string}`;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** The vendor by the prefix of the model's provider; models of Anthropic on Vertex AI are recognised by their middle. */
export const vendorByPrefix = ({ provider }: ModelName): Vendor => {
  const [first = '', ...rest] = provider.toLowerCase().split('.');
  if (first === 'anthropic' || rest.includes('anthropic')) return 'anthropic';
  if (first === 'google' || first === 'vertex' || first === 'googlevertex') return 'google';
  return first === 'openai' || first.startsWith('azure') ? 'openai' : 'other';
};

const builtInTools: { readonly [V in Vendor]: { readonly [T in BuiltInTool]?: ProviderTool } } = {
  google: {
    code_execution: { id: 'google.code_execution' },
    url_context: { id: 'google.url_context' },
    web_search: { id: 'google.google_search' },
  },
  openai: { code_execution: { id: 'openai.code_interpreter' }, web_search: { id: 'openai.web_search' } },
  anthropic: {
    code_execution: { id: 'anthropic.code_execution_20250825' },
    url_context: { id: 'anthropic.web_fetch_20250910' },
    web_search: { id: 'anthropic.web_search_20250305' },
  },
  openai_compatible: {},
  other: {},
};

/** The provider tool that a vendor has for a built-in tool; undefined where it has none. */
export const builtInToolOf = (vendor: Vendor, tool: BuiltInTool): ProviderTool | undefined =>
  builtInTools[vendor][tool];
