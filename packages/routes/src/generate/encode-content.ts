import type { UnitFacts } from '@tollgate/provider';
import { creditsFromMicros } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { tierOf } from '../service-tier.ts';
import { sumTokens, tokenCounts, type TokenCounts } from '../token-counts.ts';

const isCached = (facts: UnitFacts): boolean => facts.isCached;
const isPrompt = ({ part }: UnitFacts): boolean => part === 'prompt';
const isOutput = ({ part }: UnitFacts): boolean => part === 'response';

const modalities = ['text', 'image', 'audio', 'video', 'document'] as const;

/** Tokens by modality, those that have any. */
const detailsOf = (counts: TokenCounts, isCounted: (facts: UnitFacts) => boolean) =>
  modalities.flatMap((modality) => {
    const tokenCount = sumTokens(counts, (facts) => isCounted(facts) && facts.modality === modality);
    return tokenCount === 0 ? [] : [{ modality: modality.toUpperCase(), tokenCount }];
  });

// generate:response:usage-withheld
/** Token counts in the form client libraries know: what was cached is inside the prompt. */
const usageOf = (operation: OperationRecord) => {
  const counts = tokenCounts(operation);
  const optional = {
    cachedContentTokenCount: sumTokens(counts, isCached),
    thoughtsTokenCount: sumTokens(counts, ({ part }) => part === 'thoughts'),
    toolUsePromptTokenCount: sumTokens(counts, ({ part }) => part === 'tool_results'),
  };
  return {
    promptTokenCount: sumTokens(counts, isPrompt),
    candidatesTokenCount: sumTokens(counts, isOutput),
    ...Object.fromEntries(Object.entries(optional).filter(([, count]) => count > 0)),
    totalTokenCount: sumTokens(counts),
    promptTokensDetails: detailsOf(counts, isPrompt),
    candidatesTokensDetails: detailsOf(counts, isOutput),
    serviceTier: tierOf(operation),
  };
};

export const receiptOf = (operation: OperationRecord) => ({
  request_id: operation.id,
  project_id: operation.projectId,
  credits: creditsFromMicros(operation.chargedMicros),
});

/** Token counts, where the operation's first answer shows them. */
export const shownUsage = (operation: OperationRecord): object =>
  operation.answerForm === 'json_usage' || operation.answerForm === 'sse_usage'
    ? { usageMetadata: usageOf(operation) }
    : {};

/** The answer as JSON: the stored text with the credits put in, so that every copy of it is the same bytes. */
export const encodeContent = (brand: string, operation: OperationRecord, body: string): string =>
  `${body.slice(0, -1)},${JSON.stringify({ ...shownUsage(operation), [brand]: receiptOf(operation) }).slice(1)}`;
