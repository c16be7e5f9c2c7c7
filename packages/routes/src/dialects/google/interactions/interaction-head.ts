import { resourceState } from '@tollgate/contract';
import { shownFieldsOf, type FoundResource } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { sumTokens, tokenCounts } from '../../../token-counts.ts';
import { interactionState } from './interaction-state.ts';

/** Token counts, once they are measured. */
const usageOf = (operation: OperationRecord): object => {
  if (operation.usage === null) return {};
  const counts = tokenCounts(operation);
  return {
    usage: {
      total_input_tokens: sumTokens(counts, ({ part }) => part === 'prompt'),
      total_output_tokens: sumTokens(counts, ({ part }) => part === 'response'),
      total_thought_tokens: sumTokens(counts, ({ part }) => part === 'thoughts'),
      total_tokens: sumTokens(counts),
    },
  };
};

/** An interaction as these clients read it, without its steps and its receipt. */
export const interactionHead = ({ operation, resource }: FoundResource) => ({
  id: resource.id,
  object: 'interaction',
  status: interactionState(resourceState(resource.availability, operation.state), operation.errorCode),
  model: resource.model,
  created: new Date(resource.createdAtMs).toISOString(),
  updated: new Date(Math.max(resource.updatedAtMs, operation.updatedAtMs)).toISOString(),
  ...shownFieldsOf(resource),
  errors: operation.errorCode === null ? undefined : [{ code: operation.errorCode }],
  ...usageOf(operation),
});
