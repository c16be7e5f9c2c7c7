import type { CatalogModel } from '@tollgate/contract';
import type { Content, GenerationCall } from '@tollgate/provider';

/** A call without tools and settings, whose output is as long as the model lets it be. */
export const mediaCall = (
  { upstreamId, maxOutputTokens }: CatalogModel,
  contents: readonly Content[],
): Omit<GenerationCall, 'operationId'> => ({
  upstreamModel: upstreamId,
  systemInstruction: null,
  contents,
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: maxOutputTokens,
});
