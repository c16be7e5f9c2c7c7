import type { CallField, PricedTier, ToolName } from '@tollgate/provider';

/** Settings that some models of this upstream refuse. */
export const refusableSettings = [
  'temperature',
  'topP',
  'topK',
  'stopSequences',
  'thinking',
  'responseFormat',
  'parallelToolCalls',
  'endUser',
] as const satisfies readonly CallField[];
export type RefusableSetting = (typeof refusableSettings)[number];

export const serverToolNames = ['code_execution', 'url_context', 'web_search'] as const satisfies readonly ToolName[];
export type ServerToolName = (typeof serverToolNames)[number];

/** What is peculiar to a model. */
export interface ModelTraits {
  /** A call that sets one of these is refused by the setting's name before anything is sent. */
  readonly refuses: readonly RefusableSetting[];
  /** How thinking is asked for: by a budget of tokens, or `adaptive`, by an effort. */
  readonly thinking: 'budget' | 'adaptive';
  /** Tools that the upstream runs beside the model. */
  readonly tools: readonly ServerToolName[];
  /** Service tiers that the upstream has beside its standard one. */
  readonly serviceTiers: readonly PricedTier[];
}

/** Generations of models that take a budget of thinking, and know no effort. */
const byBudget = /claude-(?:2|3|instant|(?:opus|sonnet|haiku)-4(?!-[6-9]))/;
/** The generation that is adaptive and still takes every setting of sampling. */
const sampled = /claude-[a-z]+-4-6/;

const samplingSettings = ['temperature', 'topP', 'topK'] as const;

/** What the name of a model tells. A name that is none of this vendor's is taken for one that refuses nothing, and for which the
 * upstream runs no tools and has no service tiers. */
export const modelTraitsOf = (upstreamModel: string): ModelTraits => {
  const isOwn = upstreamModel.includes('claude-');
  const tools = isOwn ? serverToolNames : [];
  // What there is beside it is sooner and more expensive; later and cheaper are batches alone.
  const serviceTiers: readonly PricedTier[] = isOwn ? ['priority'] : [];
  const own = { tools, serviceTiers };
  if (byBudget.test(upstreamModel)) return { thinking: 'budget', refuses: [], ...own };
  return { thinking: 'adaptive', refuses: isOwn && !sampled.test(upstreamModel) ? samplingSettings : [], ...own };
};
