import type { Content, FunctionCallPart, GenerationCall, Part, Usage, UsageUnit } from '@tollgate/provider';
import type { Directive } from './directives.ts';

/** One text token for each started four bytes of UTF-8. */
export const bytesPerTextToken = 4;

/** How the sandbox counts media: a base and one token for each started number of bytes. */
export const mediaTokenTable = {
  image: { unit: 'input_image_tokens', base: 258, bytesPerToken: Infinity },
  audio: { unit: 'input_audio_tokens', base: 1, bytesPerToken: 1_000 },
  video: { unit: 'input_video_tokens', base: 258, bytesPerToken: 1_000 },
  document: { unit: 'input_document_tokens', base: 258, bytesPerToken: 100 },
} as const satisfies {
  readonly [kind: string]: { readonly unit: UsageUnit; readonly base: number; readonly bytesPerToken: number };
};

export type MediaKind = keyof typeof mediaTokenTable;

/** Which kind of media a MIME type is; everything that is neither picture, sound nor film is a document. */
const mediaKind = (mimeType: string): MediaKind => {
  if (mimeType.startsWith('image/')) return 'image';
  if (mimeType.startsWith('audio/')) return 'audio';
  return mimeType.startsWith('video/') ? 'video' : 'document';
};

/** Bytes of base64 without decoding it. */
export const base64Bytes = (data: string): number => {
  const padding = data.endsWith('==') ? 2 : Number(data.endsWith('='));
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
};

const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerTextToken);

export const outputTokens = (text: string, calls: readonly FunctionCallPart[]): number =>
  calls.reduce((sum, call) => sum + textTokens(call.name + call.arguments), textTokens(text));

/** What was consumed, as the sandbox counts it; a `tokens` directive replaces the count. */
export const measure = (
  call: GenerationCall,
  output: number,
  told: Extract<Directive, { kind: 'tokens' }> | undefined,
): readonly Usage[] => {
  const counts = told === undefined ? count(call, output) : toldCounts(told.counts);
  return [...counts].map(([unit, quantity]) => ({ unit, quantity, confirmed: true }));
};

const toldCounts = (counts: { readonly [name: string]: number }): ReadonlyMap<UsageUnit, number> =>
  new Map([
    ['input_text_tokens', counts['in'] ?? 0],
    ['output_text_tokens', counts['out'] ?? 0],
    ...(counts['cached'] === undefined ? [] : [['cached_input_tokens', counts['cached']] as const]),
    ...(counts['thoughts'] === undefined ? [] : [['thought_tokens', counts['thoughts']] as const]),
  ]);

const count = (call: GenerationCall, output: number): ReadonlyMap<UsageUnit, number> => {
  const declared = call.tools.length === 0 ? 0 : textTokens(JSON.stringify(call.tools));
  const units = new Map<UsageUnit, number>([
    ['input_text_tokens', textTokens(call.systemInstruction ?? '') + declared],
    ['output_text_tokens', output],
  ]);
  for (const part of call.contents.flatMap((content: Content) => content.parts)) {
    const [unit, quantity] = countPart(part);
    units.set(unit, (units.get(unit) ?? 0) + quantity);
  }
  return units;
};

const countMedia = (mimeType: string, bytes: number): readonly [UsageUnit, number] => {
  const { unit, base, bytesPerToken } = mediaTokenTable[mediaKind(mimeType)];
  return [unit, base + Math.ceil(bytes / bytesPerToken)];
};

const countPart = (part: Part): readonly [UsageUnit, number] => {
  switch (part.kind) {
    case 'text':
      return ['input_text_tokens', textTokens(part.text)];
    case 'media':
      return countMedia(part.mimeType, base64Bytes(part.data));
    case 'blob':
      return countMedia(part.mimeType, part.sizeBytes);
    case 'function_call':
      return ['input_text_tokens', textTokens(part.name + part.arguments)];
    case 'function_response':
      return ['input_text_tokens', textTokens(part.name + part.response)];
    case 'executable_code':
      return ['input_text_tokens', textTokens(part.code)];
    case 'code_execution_result':
      return ['input_text_tokens', textTokens(part.output)];
  }
};
