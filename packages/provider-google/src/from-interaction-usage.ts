import {
  asArray,
  asCount,
  asObject,
  asText,
  type Step,
  type ToolName,
  type UntrustedObject,
  type UsageUnit,
} from '@tollgate/provider';
import { addQuantities, fromGoogleUsage, type Quantities } from './from-google-usage.ts';

const detailsOf = (value: unknown): readonly object[] =>
  asArray(value).map((entry) => {
    const { modality, tokens } = asObject(entry) ?? {};
    return { modality: asText(modality)?.toUpperCase(), tokenCount: tokens };
  });

/** The same counts in the words of a generation. */
const asMetadata = (usage: UntrustedObject): UntrustedObject => ({
  promptTokenCount: usage['total_input_tokens'],
  candidatesTokenCount: usage['total_output_tokens'],
  thoughtsTokenCount: usage['total_thought_tokens'],
  toolUsePromptTokenCount: usage['total_tool_use_tokens'],
  cachedContentTokenCount: usage['total_cached_tokens'],
  totalTokenCount: usage['total_tokens'],
  promptTokensDetails: detailsOf(usage['input_tokens_by_modality']),
  candidatesTokensDetails: detailsOf(usage['output_tokens_by_modality']),
  cacheTokensDetails: detailsOf(usage['cached_tokens_by_modality']),
});

const groundingUnits: Readonly<Record<string, UsageUnit>> = {
  google_search: 'web_search_queries',
  google_maps: 'maps_queries',
  retrieval: 'retrieval_queries',
};

const searchUnits: Readonly<Partial<Record<ToolName, UsageUnit>>> = {
  web_search: 'web_search_queries',
  maps: 'maps_queries',
};

const groundingOf = (usage: UntrustedObject): Quantities => {
  const counts = new Map<UsageUnit, number>();
  for (const value of asArray(usage['grounding_tool_count'])) {
    const { type, count } = asObject(value) ?? {};
    const unit = groundingUnits[asText(type) ?? ''];
    const quantity = asCount(count);
    if (unit !== undefined && quantity !== undefined) counts.set(unit, (counts.get(unit) ?? 0) + quantity);
  }
  return counts;
};

const isFetched = (page: unknown): boolean => /^success$/i.test(asText(asObject(page)?.['status']) ?? '');

/** What the steps show of tools that the counts leave out. */
const toolsOf = (steps: readonly Step[]): Quantities => {
  const counts = new Map<UsageUnit, number>();
  const add = (unit: UsageUnit, count: number): void => {
    if (count > 0) counts.set(unit, (counts.get(unit) ?? 0) + count);
  };
  for (const step of steps) {
    if (step.kind === 'tool_call' && step.tool === 'code_execution') add('code_execution_runs', 1);
    if (step.kind === 'tool_call' && step.tool === 'mcp_server') add('mcp_calls', 1);
    if (step.kind === 'tool_result' && step.tool === 'url_context')
      add('url_fetches', asArray(step.result).filter(isFetched).length);
  }
  return counts;
};

/** Searches by the steps, for usage that leaves out what they came to. */
const searchesOf = (steps: readonly Step[], told: Quantities): Quantities => {
  const counts = new Map<UsageUnit, number>();
  for (const step of steps) {
    const unit = step.kind === 'tool_call' ? searchUnits[step.tool] : undefined;
    if (unit === undefined || told.has(unit) || step.kind !== 'tool_call') continue;
    counts.set(unit, (counts.get(unit) ?? 0) + Math.max(1, asArray(step.arguments['queries']).length));
  }
  return counts;
};

/** What one interaction used; undefined where the upstream does not say. */
export const fromInteractionUsage = (value: unknown, steps: readonly Step[]): Quantities | undefined => {
  const usage = asObject(value);
  const tokens = usage === undefined ? undefined : fromGoogleUsage(asMetadata(usage));
  if (usage === undefined || tokens === undefined) return undefined;
  const told = groundingOf(usage);
  const tools = addQuantities(toolsOf(steps), searchesOf(steps, told));
  return addQuantities(addQuantities(tokens, told), tools);
};
