import type { CatalogModel, EmbeddingRequest } from '@tollgate/contract';
import type { EmbeddingCall, EmbeddingInput, Part } from '@tollgate/provider';

/** An embedding request as the canonical call; its parts have been resolved before. */
export const toEmbeddingCall = (
  request: EmbeddingRequest,
  model: CatalogModel,
  parts: readonly Part[],
): Omit<EmbeddingCall, 'operationId'> => ({
  upstreamModel: model.upstreamId,
  input: toInput(request, parts),
  ...(request.dimensions === undefined ? {} : { dimensions: request.dimensions }),
  ...(request.task_type === undefined ? {} : { task: request.task_type }),
  ...(request.title === undefined ? {} : { title: request.title }),
  ...(request.user === undefined ? {} : { endUser: request.user }),
});

const toInput = ({ input }: EmbeddingRequest, parts: readonly Part[]): EmbeddingInput => {
  switch (input.kind) {
    case 'texts':
      return input;
    case 'content':
      return {
        kind: 'content',
        parts,
        ...(input.flags.includes('document_ocr') ? { documentOcr: true } : {}),
        ...(input.flags.includes('audio_track_extraction') ? { audioTrackExtraction: true } : {}),
      };
  }
};
