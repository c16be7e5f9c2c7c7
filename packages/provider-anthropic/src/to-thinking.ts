import type { GenerationCall, JsonObject, Thinking } from '@tollgate/provider';
import type { ModelTraits } from './model-traits.ts';

/** How a model is asked to think. */
export interface WireThinking {
  readonly thinking?: JsonObject | undefined;
  readonly effort?: 'low' | 'medium' | 'high' | undefined;
}

/** The least budget that this upstream takes; it must be below the output limit too. */
export const budgetTokensMin = 1_024;

type Level = NonNullable<Thinking['level']>;

const levelBudgets: Readonly<Record<Level, number>> = { minimal: 1_024, low: 2_048, medium: 8_192, high: 16_384 };
const levelEfforts: Readonly<Record<Level, WireThinking['effort']>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
};

/** Up to these budgets an effort is asked for of a model that takes no budget; the effort above the last is `high`. */
const effortBudgets = [
  { budgetTokensMax: 2_048, effort: 'low' },
  { budgetTokensMax: 8_192, effort: 'medium' },
] as const;

const effortOf = (budgetTokens: number | undefined): WireThinking['effort'] => {
  // A budget below zero leaves it to the model.
  if (budgetTokens === undefined || budgetTokens < 0) return undefined;
  return effortBudgets.find(({ budgetTokensMax }) => budgetTokens <= budgetTokensMax)?.effort ?? 'high';
};

/** Whether a call asks for thoughts; one that says nothing of it leaves it to the model. */
export const asksToThink = ({ thinking }: Pick<GenerationCall, 'thinking'>): boolean => {
  if (thinking === undefined) return false;
  if (thinking.level !== undefined) return true;
  return thinking.budgetTokens === undefined ? thinking.includeThoughts === true : thinking.budgetTokens !== 0;
};

/** Writes what a call says of thinking in the way that its model takes. */
export const toThinking = (
  call: Pick<GenerationCall, 'thinking' | 'outputTokensMax'>,
  traits: ModelTraits,
): WireThinking => {
  const { thinking, outputTokensMax } = call;
  if (thinking === undefined) return {};
  if (!asksToThink(call)) return thinking.budgetTokens === 0 ? { thinking: { type: 'disabled' } } : {};
  if (traits.thinking === 'budget')
    return { thinking: { type: 'enabled', budget_tokens: Math.min(budgetOf(thinking), outputTokensMax - 1) } };
  return {
    thinking: { type: 'adaptive', display: thinking.includeThoughts === true ? 'summarized' : 'omitted' },
    effort: thinking.level === undefined ? effortOf(thinking.budgetTokens) : levelEfforts[thinking.level],
  };
};

const budgetOf = ({ level, budgetTokens }: Thinking): number => {
  if (level !== undefined) return levelBudgets[level];
  if (budgetTokens === undefined || budgetTokens < 0) return levelBudgets.medium;
  return Math.max(budgetTokens, budgetTokensMin);
};
