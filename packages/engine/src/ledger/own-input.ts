import type { GenerationCall, Part } from '@tollgate/provider';
import { mediaTokens } from './media-bounds.ts';
import type { Quantities } from './price-usage.ts';

/** Tokens by which an upstream frames a message at the most. */
const tokensPerMessageMax = 8;

type Call = Pick<GenerationCall, 'contents' | 'systemInstruction' | 'tools' | 'responseFormat'>;

/** No tokenizer makes more than one token of a byte of UTF-8. */
const textTokensMax = (...texts: readonly (string | undefined)[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);

const contextOf = (part: Part): string | undefined => ('context' in part ? part.context : undefined);

const textOf = (part: Part): number => {
  const context = contextOf(part);
  switch (part.kind) {
    case 'text':
      return textTokensMax(part.text, context);
    case 'executable_code':
      return textTokensMax(part.code, context);
    case 'code_execution_result':
      return textTokensMax(part.output, context);
    case 'function_call':
      return textTokensMax(part.name, part.arguments, context);
    case 'function_response':
      return textTokensMax(part.name, part.response);
    case 'media':
    case 'blob':
      return textTokensMax(context);
  }
};

/** An image has a bound. Audio, video and documents have none: a file of few bytes may have many seconds or pages. */
const imageOf = (part: Part): number => {
  if (part.kind !== 'media' && part.kind !== 'blob') return 0;
  return part.mimeType.startsWith('image/') ? mediaTokens(part.mimeType, 0) : 0;
};

const isUnbounded = (part: Part): boolean =>
  (part.kind === 'media' || part.kind === 'blob') && !part.mimeType.startsWith('image/');

const declaredMax = ({ tools, responseFormat }: Call): number =>
  (tools.length === 0 ? 0 : textTokensMax(JSON.stringify(tools))) +
  (responseFormat.kind === 'json_schema' ? textTokensMax(JSON.stringify(responseFormat)) : 0);

/** Input that nothing bounds. */
export const unboundedInput: Quantities = (
  ['input_text_tokens', 'input_audio_tokens', 'input_video_tokens', 'input_document_tokens'] as const
).map((unit) => ({ unit, quantity: Infinity }));

/**
 * The input of a call from above, for every text: one token a byte. `estimateInput` is the bound of an ordinary text, and digits,
 * rare scripts and encoded bytes exceed it. `Infinity` where the call has audio, video or documents.
 */
export const ownInputMax = (call: Call): Quantities => {
  const parts = call.contents.flatMap((content) => content.parts);
  if (parts.some(isUnbounded)) return unboundedInput;
  const framed = call.contents.length * tokensPerMessageMax + textTokensMax(call.systemInstruction ?? '');
  const text = parts.reduce((sum, part) => sum + textOf(part), framed + declaredMax(call));
  const image = parts.reduce((sum, part) => sum + imageOf(part), 0);
  return [
    { unit: 'input_text_tokens', quantity: text },
    { unit: 'input_image_tokens', quantity: image },
  ];
};

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

/** Letters and digits of the alphabets that put spaces between words. */
const isWordCharacter = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  (code >= 0xc0 && code < 0x2000);

const wordsIn = (text: string): number => {
  let words = 0;
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (isSpace(code)) isInside = false;
    else if (!isInside && isWordCharacter(code)) {
      isInside = true;
      words += 1;
    }
  }
  return words;
};

/**
 * The tokens of contents and of their instruction from below: a token never reaches over a space between two words. Media and function calls have no bound
 * from below, and a provider may leave out thoughts.
 */
export const contentTokensMin = ({
  contents,
  systemInstruction,
}: Pick<Call, 'contents' | 'systemInstruction'>): Quantities => {
  const texts = contents.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'text' && part.thought !== true ? [part.text] : [])),
  );
  return [
    {
      unit: 'input_text_tokens',
      quantity: texts.reduce((sum, text) => sum + wordsIn(text), wordsIn(systemInstruction ?? '')),
    },
  ];
};
