import type { Content, GenerationCall, Part } from '@tollgate/provider';
import { mediaTokens, textTokens } from './media-bounds.ts';
import type { Quantities } from './tariff.ts';

/** Tokens that a message costs beside its text. */
const tokensPerMessage = 8;

const partTokens = (part: Part): number => {
  switch (part.kind) {
    case 'text':
      return textTokens(part.text);
    case 'media':
      return mediaTokens(part.mimeType, (part.data.length * 3) / 4);
    case 'blob':
      return mediaTokens(part.mimeType, part.sizeBytes);
    case 'executable_code':
      return textTokens(part.code);
    case 'code_execution_result':
      return textTokens(part.output);
    case 'function_call':
      return textTokens(part.name) + textTokens(part.arguments) + textTokens(part.context ?? '');
    case 'function_response':
      return textTokens(part.name) + textTokens(part.response);
  }
};

const contentTokens = (content: Content): number =>
  content.parts.reduce((tokens, part) => tokens + partTokens(part), tokensPerMessage);

/** An approximation of the input from above for ordinary text, and the whole output that the call allows. */
export const estimateGeneration = (call: GenerationCall): Quantities => {
  const declared = JSON.stringify([call.tools, call.responseFormat]);
  const input =
    call.contents.reduce((tokens, content) => tokens + contentTokens(content), 0) +
    textTokens(call.systemInstruction ?? '') +
    textTokens(declared);
  return [
    { unit: 'input_text_tokens', quantity: input },
    { unit: 'output_text_tokens', quantity: call.outputTokensMax },
  ];
};
