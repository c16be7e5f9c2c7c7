import type { OperationRecord } from '@tollgate/storage';
import { sumTokens, tokenCounts } from '../../token-counts.ts';

/** Tokens of an operation as the routes of media tell them. */
export const mediaTokens = (operation: OperationRecord) => {
  const counts = tokenCounts(operation);
  const output = sumTokens(counts, ({ part }) => part === 'response' || part === 'thoughts');
  const outputImages = sumTokens(counts, ({ part, modality }) => part === 'response' && modality === 'image');
  const inputOf = (modality: 'image' | 'audio'): number =>
    sumTokens(counts, (facts) => facts.part === 'prompt' && facts.modality === modality);
  const total = sumTokens(counts);
  return { total, input: total - output, output, outputImages, inputOf };
};
