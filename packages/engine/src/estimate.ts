import type { Content, GenerationCall, Part } from '@tollgate/provider';
import type { Quantities } from './tariff.ts';

/** Bytes of UTF-8 that make one token at the least in an ordinary text; G42 of the decisions. */
const textBytesPerToken = 4;
/** Tokens that a message costs beside its text. */
const tokensPerMessage = 8;
/** What an image is counted as, whatever its size. */
const tokensPerImage = 2_600;
/** Encoded bytes of sound, video and documents that make one token at the least. */
const audioBytesPerToken = 60;
const videoBytesPerToken = 150;
const documentBytesPerToken = 4;

const mediaTokens = (mimeType: string, bytes: number): number => {
  if (mimeType.startsWith('image/')) return tokensPerImage;
  if (mimeType.startsWith('audio/')) return Math.ceil(bytes / audioBytesPerToken);
  if (mimeType.startsWith('video/')) return Math.ceil(bytes / videoBytesPerToken);
  return Math.ceil(bytes / documentBytesPerToken);
};

const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / textBytesPerToken);

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
