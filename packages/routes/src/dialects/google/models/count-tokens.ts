import { GatewayError, limits } from '@tollgate/contract';
import { countInput, estimateInput, type Access, type Quantities } from '@tollgate/engine';
import type { UsageUnit } from '@tollgate/provider';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { toCall } from '../../../generate/prepare-content.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { readMediaJson } from '../../../media-json/read-media-json.ts';
import { checkFamily, requireProvider, resolveModel } from '../../../resolve-model.ts';
import type { Service } from '../../../service.ts';

const places = ['contents.*.parts.*.inlineData.data', 'generateContentRequest.contents.*.parts.*.inlineData.data'];

/** Clients send the contents, or the whole request that they would send to generate. */
const requestOf = (body: unknown, model: string): unknown => {
  if (typeof body !== 'object' || body === null || !('generateContentRequest' in body)) return body;
  const { generateContentRequest: inner, ...unknown } = body;
  if (typeof inner !== 'object' || inner === null || Object.keys(unknown).length > 0)
    throw new GatewayError('invalid_request', {
      detail: 'The field generateContentRequest is no object, or stands beside contents; accepted is one of the two.',
    });
  if (!('model' in inner)) return inner;
  const { model: named, ...request } = inner;
  if (named !== `models/${model}` && named !== model)
    throw new GatewayError('model_key_mismatch', {
      detail: `The field model names another model than the path; accepted is models/${model}, or none.`,
    });
  return request;
};

/** The units of a prompt, by the modality that these clients know them as. */
const modalities: ReadonlyMap<UsageUnit, string> = new Map([
  ['input_text_tokens', 'TEXT'],
  ['input_image_tokens', 'IMAGE'],
  ['input_audio_tokens', 'AUDIO'],
  ['input_video_tokens', 'VIDEO'],
  ['input_document_tokens', 'DOCUMENT'],
]);

const encode = (counted: Quantities): string => {
  const details = counted.flatMap(({ unit, quantity }) => {
    const modality = modalities.get(unit);
    return modality === undefined ? [] : [{ modality, tokenCount: quantity }];
  });
  const total = details.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return JSON.stringify({ totalTokens: total, promptTokensDetails: details });
};

/**
 * `:countTokens`: the input of a call as the provider counts it, else the bound that a reservation would go by. No operation, and
 * free of charge.
 */
export const countTokens = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  asked: string,
): Promise<GatewayResponse> => {
  const model = resolveModel(service, access, asked, 'generate');
  checkFamily(model, 'generate');
  const path = `/models/${asked}:countTokens`;
  const body = await readMediaJson(service, request, { path, bytesMax: limits.bodyBytesMax.generate, places });
  try {
    const { call } = await toCall(service, access, model, requestOf(body.value, asked));
    const counted = await countInput(service.engine, requireProvider(service, model), call, access);
    return jsonAnswer(encode(counted ?? estimateInput(call)));
  } finally {
    await body.release();
  }
};
