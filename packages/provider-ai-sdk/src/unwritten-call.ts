import type { LanguageModelV4Content, LanguageModelV4FinishReason } from '@ai-sdk/provider';

/** Whether an answer ended where there was no room for more of it. */
export const isCutAtLimit = ({ unified }: LanguageModelV4FinishReason): boolean => unified === 'length';

/** Whether nothing of the arguments of a call was written; some models write an empty object in their place. */
export const isUnwritten = (content: LanguageModelV4Content): boolean =>
  content.type === 'tool-call' && content.providerExecuted !== true && ['', '{}'].includes(content.input.trim());

/** The content of an answer, without a last call that was cut before its arguments: it was never made. */
export const withoutCutCall = (
  content: readonly LanguageModelV4Content[],
  finish: LanguageModelV4FinishReason,
): readonly LanguageModelV4Content[] => {
  const last = content.at(-1);
  return last !== undefined && isUnwritten(last) && isCutAtLimit(finish) ? content.slice(0, -1) : content;
};
