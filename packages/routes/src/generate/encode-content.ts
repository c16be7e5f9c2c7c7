import { creditsFromMicros } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';

type Meters = readonly { readonly unit: string; readonly quantity: number }[];

const sumOf = (meters: Meters, counts: (unit: string) => boolean): number =>
  meters.reduce((sum, { unit, quantity }) => (counts(unit) ? sum + quantity : sum), 0);

const isCached = (unit: string): boolean => unit.startsWith('cached_');
const isPrompt = (unit: string): boolean => unit.startsWith('input_') || isCached(unit);

const isOutput = (unit: string): boolean => unit.startsWith('output_');

const modalities = ['text', 'image', 'audio', 'video', 'document'] as const;

const modalityOf = (unit: string): string => (unit === 'cached_input_tokens' ? 'text' : (unit.split('_')[1] ?? ''));

/** Tokens by modality, those that have any. */
const detailsOf = (meters: Meters, counts: (unit: string) => boolean) =>
  modalities.flatMap((modality) => {
    const tokenCount = sumOf(meters, (unit) => counts(unit) && modalityOf(unit) === modality);
    return tokenCount === 0 ? [] : [{ modality: modality.toUpperCase(), tokenCount }];
  });

/** Token counts in the form client libraries know: what was cached is inside the prompt (generate:response:usage-withheld). */
const usageOf = (operation: OperationRecord) => {
  const meters = (operation.usage ?? []).filter(({ unit }) => unit.endsWith('_tokens'));
  const optional = {
    cachedContentTokenCount: sumOf(meters, isCached),
    thoughtsTokenCount: sumOf(meters, (unit) => unit === 'thought_tokens'),
    toolUsePromptTokenCount: sumOf(meters, (unit) => unit === 'tool_use_input_tokens'),
  };
  return {
    promptTokenCount: sumOf(meters, isPrompt),
    candidatesTokenCount: sumOf(meters, isOutput),
    ...Object.fromEntries(Object.entries(optional).filter(([, count]) => count > 0)),
    totalTokenCount: sumOf(meters, () => true),
    promptTokensDetails: detailsOf(meters, isPrompt),
    candidatesTokensDetails: detailsOf(meters, isOutput),
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
