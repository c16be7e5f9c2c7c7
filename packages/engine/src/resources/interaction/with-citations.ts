import type { JsonObject } from '@tollgate/provider';
import type { StoredContent, StoredStep } from './stored-step.ts';

/** Citations of what tools found belong to what the model says next. */
export const withCitations = (
  steps: readonly StoredStep[],
  citations: readonly JsonObject[],
): { readonly steps: readonly StoredStep[]; readonly placed: boolean } => {
  const place = steps.findLastIndex(
    (step) => step.kind === 'model_output' && step.content.some(({ kind }) => kind === 'text'),
  );
  const output = steps[place];
  if (citations.length === 0 || output?.kind !== 'model_output') return { steps, placed: false };
  const last = output.content.findLastIndex(({ kind }) => kind === 'text');
  const content = output.content.map((each, index): StoredContent =>
    index === last && each.kind === 'text'
      ? { ...each, annotations: [...(each.annotations ?? []), ...citations] }
      : each,
  );
  return { steps: steps.with(place, { kind: 'model_output', content }), placed: true };
};
