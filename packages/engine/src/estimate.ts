import type { Content, GenerationCall, Part, UsageUnit } from '@tollgate/provider';
import { mediaTokens, textTokens } from './media-bounds.ts';
import type { Quantities } from './tariff.ts';

/** Tokens that a message costs beside its text. */
const tokensPerMessage = 8;

type Call = Omit<GenerationCall, 'operationId'>;

const mediaUnit = (mimeType: string): UsageUnit => {
  if (mimeType.startsWith('image/')) return 'input_image_tokens';
  if (mimeType.startsWith('audio/')) return 'input_audio_tokens';
  return mimeType.startsWith('video/') ? 'input_video_tokens' : 'input_document_tokens';
};

const partTokens = (part: Part): readonly [UsageUnit, number] => {
  switch (part.kind) {
    case 'text':
      return ['input_text_tokens', textTokens(part.text) + textTokens(part.context ?? '')];
    case 'media':
      return [mediaUnit(part.mimeType), mediaTokens(part.mimeType, (part.data.length * 3) / 4)];
    case 'blob':
      return [mediaUnit(part.mimeType), mediaTokens(part.mimeType, part.sizeBytes)];
    case 'executable_code':
      return ['input_text_tokens', textTokens(part.code)];
    case 'code_execution_result':
      return ['input_text_tokens', textTokens(part.output)];
    case 'function_call':
      return ['input_text_tokens', textTokens(part.name) + textTokens(part.arguments) + textTokens(part.context ?? '')];
    case 'function_response':
      return ['input_text_tokens', textTokens(part.name) + textTokens(part.response)];
  }
};

const addContent = (tokens: Map<UsageUnit, number>, content: Content): void => {
  for (const part of content.parts) {
    const [unit, quantity] = partTokens(part);
    tokens.set(unit, (tokens.get(unit) ?? 0) + quantity);
  }
};

/** No model takes in more than its context: what would be above is refused by its upstream. Media count first, as they cost more. */
const within = (tokens: ReadonlyMap<UsageUnit, number>, contextTokens: number | null): Quantities => {
  let left = contextTokens ?? Infinity;
  return [...tokens]
    .toSorted(([one], [other]) => Number(one === 'input_text_tokens') - Number(other === 'input_text_tokens'))
    .map(([unit, quantity]) => {
      const counted = Math.min(quantity, left);
      left -= counted;
      return { unit, quantity: counted };
    });
};

/**
 * The input of a call by modality: an approximation from above for ordinary text and ordinary files (`media-bounds.ts`), and
 * never more than the model's context where it is known.
 */
export const estimateInput = (call: Call, contextTokens: number | null = null): Quantities => {
  const declared = JSON.stringify([call.tools, call.responseFormat]);
  const text =
    call.contents.length * tokensPerMessage + textTokens(call.systemInstruction ?? '') + textTokens(declared);
  const tokens = new Map<UsageUnit, number>([['input_text_tokens', text]]);
  for (const content of call.contents) addContent(tokens, content);
  return within(tokens, contextTokens);
};

/** The whole output that a call allows, as the dearest kind that was asked for: the limit counts all kinds together. */
export const estimateOutput = ({ modalities = [], outputTokensMax }: Call): Quantities => {
  const unit = modalities.includes('image')
    ? 'output_image_tokens'
    : modalities.includes('audio')
      ? 'output_audio_tokens'
      : 'output_text_tokens';
  return [{ unit, quantity: outputTokensMax }];
};

/** What a generation may use at the most, as far as that can be told without asking anybody. */
export const estimateGeneration = (call: Call, contextTokens: number | null = null): Quantities => [
  ...estimateInput(call, contextTokens),
  ...estimateOutput(call),
];
