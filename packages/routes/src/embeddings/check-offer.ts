import { GatewayError, type CatalogModel, type EmbeddingRequest } from '@tollgate/contract';

const mediaCapability = (mimeType: string): string => {
  if (mimeType.startsWith('image/')) return 'image_input';
  if (mimeType.startsWith('audio/')) return 'audio_input';
  return mimeType.startsWith('video/') ? 'video_input' : 'pdf_input';
};

const incompatible = (what: string): GatewayError =>
  new GatewayError('model_incompatible', { detail: `The model does not offer ${what}.` });

const checkDimensions = (model: CatalogModel, dimensions: number): void => {
  const offered = model.embedding?.dimensions;
  switch (offered?.kind) {
    case undefined:
      return;
    case 'range':
      if (dimensions < offered.min || dimensions > offered.max)
        throw incompatible(`dimensions of ${dimensions}: it makes ${offered.min} to ${offered.max}`);
      return;
    case 'list':
      if (!offered.values.includes(dimensions))
        throw incompatible(`dimensions of ${dimensions}: it makes ${offered.values.join(', ')}`);
  }
};

/** Refuses media that the model does not read. */
export const checkMedia = (model: CatalogModel, mimeType: string): void => {
  const capability = mediaCapability(mimeType);
  if (!model.capabilities.includes(capability))
    throw new GatewayError('unsupported_content', { detail: `The model does not offer ${capability}.` });
};

// embeddings:body:model-dimensions
/** Asking a model for what it does not offer is refused before anything is reserved. */
export const checkOffer = (model: CatalogModel, { input, dimensions }: EmbeddingRequest): void => {
  if (dimensions !== undefined) checkDimensions(model, dimensions);
  if (input.kind === 'texts') return;
  const refused = input.flags.find((flag) => model.embedding?.flags.includes(flag) !== true);
  if (refused !== undefined) throw incompatible(refused);
};
