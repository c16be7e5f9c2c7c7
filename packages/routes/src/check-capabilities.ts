import { GatewayError, type CatalogModel, type ErrorCode } from '@tollgate/contract';
import { runsUpstream } from '@tollgate/engine';
import type { GenerationCall, Modality, Part, Provider } from '@tollgate/provider';

type Call = Omit<GenerationCall, 'operationId'>;

const refuse = (model: CatalogModel, code: ErrorCode, capability: string): GatewayError =>
  new GatewayError(code, {
    detail: `The model ${model.id} does not offer ${capability}; it offers ${model.capabilities.join(', ')}.`,
  });

/** A setting that the model does not take, as both kinds of route spell it. */
const refuseSetting = (model: CatalogModel, setting: string): GatewayError =>
  new GatewayError('model_incompatible', {
    detail: `The model ${model.id} takes no ${setting}; accepted is a call without it.`,
  });

const mediaCapability = (mimeType: string): string | null => {
  if (mimeType.startsWith('image/')) return 'image_input';
  if (mimeType.startsWith('audio/')) return 'audio_input';
  if (mimeType.startsWith('video/')) return 'video_input';
  return mimeType === 'application/pdf' ? 'pdf_input' : null;
};

const partCapability = (part: Part): string | null =>
  part.kind === 'media' || part.kind === 'blob' ? mediaCapability(part.mimeType) : null;

const outputCapability = (modality: Modality): string | null => {
  switch (modality) {
    case 'text':
      return null;
    case 'image':
      return 'image_generation';
    case 'audio':
      return 'speech_generation';
  }
};

// catalog:release:tools-per-model
/**
 * Asking a model for what it does not offer, or its provider does not run, is refused before anything is reserved
 *. A model without a provider is refused for that later.
 */
export const checkCapabilities = (
  model: CatalogModel,
  call: Call,
  provider: Pick<Provider, 'runsTool'> | null,
): void => {
  const demand = (capability: string | null, code: ErrorCode): void => {
    if (capability !== null && !model.capabilities.includes(capability)) throw refuse(model, code, capability);
  };
  for (const content of call.contents)
    for (const part of content.parts) demand(partCapability(part), 'unsupported_content');
  for (const { kind } of call.tools)
    if (kind === 'function') demand('functions', 'model_incompatible');
    else if (!runsUpstream(model, provider, kind)) throw refuse(model, 'model_incompatible', kind);
  for (const modality of call.modalities ?? []) demand(outputCapability(modality), 'model_incompatible');
  if (call.image !== undefined) demand('image_generation', 'model_incompatible');
  if (call.speech !== undefined) demand('speech_generation', 'model_incompatible');
  if (call.responseFormat.kind === 'json_schema') demand('structured_output', 'model_incompatible');
  const refused = model.settingsRefused?.find((setting) => call.sampling[setting] !== undefined);
  if (refused !== undefined) throw refuseSetting(model, refused);
};
