import type { GenerationCall, Part } from '@tollgate/provider';
import type { AnswerOffer } from './answer-offer.ts';
import { cutText } from './answer-offer.ts';
import { bytesPerTextToken, textTokens } from './sandbox-usage.ts';

/** How many sentences each level is worth. */
const sentencesOfLevel = { minimal: 1, low: 2, medium: 3, high: 4 } as const;

const thoughtText = (call: GenerationCall): string => {
  const parts = call.contents.at(-1)?.parts ?? [];
  return [
    `The last turn has ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}.`,
    `The history has ${call.contents.length} ${call.contents.length === 1 ? 'turn' : 'turns'}.`,
    `${call.tools.length} ${call.tools.length === 1 ? 'tool is' : 'tools are'} offered.`,
    'The answer follows from these alone.',
  ]
    .slice(0, sentencesOfLevel[call.thinking?.level ?? 'medium'])
    .join(' ');
};

/** What is thought before an answer, where thinking is asked for: measured always, shown only on request. */
export const thoughtOffers = (call: GenerationCall): readonly AnswerOffer[] => {
  const { thinking } = call;
  if (thinking === undefined || thinking.budgetTokens === 0) return [];
  const budgetTokens = thinking.budgetTokens ?? -1;
  const text = thoughtText(call);
  return [
    thoughtOffer(budgetTokens < 0 ? text : cutText(text, budgetTokens * bytesPerTextToken), thinking.includeThoughts),
  ];
};

const thoughtOffer = (text: string, shown = false): AnswerOffer => {
  const part: Part = { kind: 'text', text, thought: true };
  return {
    parts: shown && text !== '' ? [part] : [],
    unit: 'thought_tokens',
    tokens: textTokens(text),
    cut: (tokensMax) => thoughtOffer(cutText(text, tokensMax * bytesPerTextToken), shown),
  };
};
