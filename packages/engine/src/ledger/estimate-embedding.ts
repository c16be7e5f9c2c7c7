import type { EmbeddingCall, Part } from '@tollgate/provider';
import { mediaTokens, textTokens } from './media-bounds.ts';
import type { ModelTariff } from './model-prices.ts';
import type { Quantities } from './price-usage.ts';

const partTokens = (part: Part): number => {
  switch (part.kind) {
    case 'text':
      return textTokens(part.text);
    case 'media':
      return mediaTokens(part.mimeType, (part.data.length * 3) / 4);
    case 'blob':
      return mediaTokens(part.mimeType, part.sizeBytes);
    case 'function_call':
    case 'function_response':
    case 'executable_code':
    case 'code_execution_result':
      // No embedding route takes these.
      return 0;
  }
};

/** Tokens that a vector costs beside its text. */
const tokensPerInput = 8;

const inputTokens = ({ input, title }: Omit<EmbeddingCall, 'operationId'>): number => {
  const beside = tokensPerInput + textTokens(title ?? '');
  switch (input.kind) {
    case 'texts':
      return input.texts.reduce((tokens, text) => tokens + beside + textTokens(text), 0);
    case 'content':
      return input.parts.reduce((tokens, part) => tokens + partTokens(part), beside);
  }
};

/**
 * An approximation of an embedding from above. Inputs are counted beside tokens where the price list has a price for them, so
 * that a list may go by either.
 */
export const estimateEmbedding = (call: Omit<EmbeddingCall, 'operationId'>, tariff: ModelTariff | null): Quantities => {
  const tokens = { unit: 'embedding_tokens', quantity: inputTokens(call) } as const;
  if (tariff?.picosPerUnit.has('embedding_inputs') !== true) return [tokens];
  const inputs = {
    unit: 'embedding_inputs',
    quantity: call.input.kind === 'texts' ? call.input.texts.length : 1,
  } as const;
  const pricesTokens = tariff.picosPerUnit.has('embedding_tokens') || tariff.picosPerUnit.has('input_text_tokens');
  return pricesTokens ? [tokens, inputs] : [inputs];
};
