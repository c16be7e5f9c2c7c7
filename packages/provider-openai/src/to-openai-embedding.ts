import type { EmbeddingCall, JsonObject } from '@tollgate/provider';
import type { Obstacle } from './carried-settings.ts';

/** Why an embedding cannot be carried; undefined where it can. No setting is dropped in silence. */
export const cannotEmbed = ({ input, task, title }: EmbeddingCall): Obstacle | undefined => {
  if (task !== undefined) return { field: 'task', why: 'embeddings of this family know no task' };
  if (title !== undefined) return { field: 'title', why: 'embeddings of this family know no title' };
  if (input.kind === 'texts') return undefined;
  if (input.documentOcr === true || input.audioTrackExtraction === true)
    return { field: 'contents', why: 'nothing is extracted from media' };
  return input.parts.every((part) => part.kind === 'text')
    ? undefined
    : { field: 'contents', why: 'embeddings of this family take texts' };
};

/** Writes a call as the body of `POST /embeddings`. Total and pure; what it cannot carry `cannotEmbed` tells. */
export const toOpenaiEmbedding = ({ upstreamModel, input, dimensions, endUser }: EmbeddingCall): JsonObject => ({
  model: upstreamModel,
  input:
    input.kind === 'texts'
      ? input.texts
      : [input.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n')],
  encoding_format: 'float',
  dimensions,
  user: endUser,
});
