import { GatewayError, type CatalogModel, type ErrorCode } from '@tollgate/contract';
import type { GenerationCall, Part } from '@tollgate/provider';

const refuse = (code: ErrorCode, capability: string): GatewayError =>
  new GatewayError(code, { detail: `The model does not offer ${capability}.` });

const mediaCapability = (mimeType: string): string | null => {
  if (mimeType.startsWith('image/')) return 'image_input';
  if (mimeType.startsWith('audio/')) return 'audio_input';
  if (mimeType.startsWith('video/')) return 'video_input';
  return mimeType === 'application/pdf' ? 'pdf_input' : null;
};

const partCapability = (part: Part): string | null => (part.kind === 'media' ? mediaCapability(part.mimeType) : null);

/** Asking a model for what it does not offer is refused before anything is reserved (catalog:release:tools-per-model). */
export const checkCapabilities = (model: CatalogModel, call: Omit<GenerationCall, 'operationId'>): void => {
  const offers = (capability: string): boolean => model.capabilities.includes(capability);
  for (const content of call.contents)
    for (const part of content.parts) {
      const capability = partCapability(part);
      if (capability !== null && !offers(capability)) throw refuse('unsupported_content', capability);
    }
  for (const tool of call.tools) {
    const capability = tool.kind === 'function' ? 'functions' : tool.kind;
    if (!offers(capability)) throw refuse('model_incompatible', capability);
  }
  if (call.responseFormat.kind === 'json_schema' && !offers('structured_output'))
    throw refuse('model_incompatible', 'structured_output');
};
