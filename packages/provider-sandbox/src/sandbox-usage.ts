import {
  unitFacts,
  type Content,
  type GenerationCall,
  type Part,
  type Usage,
  type UsageUnit,
} from '@tollgate/provider';
import { namedUnit, type Directive } from './directives.ts';

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
export const mediaKind = (mimeType: string): MediaKind => {
  if (mimeType.startsWith('image/')) return 'image';
  if (mimeType.startsWith('audio/')) return 'audio';
  return mimeType.startsWith('video/') ? 'video' : 'document';
};

/** Bytes of base64 without decoding it. */
export const base64Bytes = (data: string): number => {
  const padding = data.endsWith('==') ? 2 : Number(data.endsWith('='));
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
};

export const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerTextToken);

export type Counts = ReadonlyMap<UsageUnit, number>;

/** Adds up two counts. */
export const addCounts = (left: Counts, right: Iterable<readonly [UsageUnit, number]>): Counts => {
  const sum = new Map(left);
  for (const [unit, quantity] of right) sum.set(unit, (sum.get(unit) ?? 0) + quantity);
  return sum;
};

export const usageOf = (counts: Counts): readonly Usage[] =>
  [...counts].map(([unit, quantity]) => ({ unit, quantity, confirmed: true }));

/** What a `tokens` directive puts in place of a count; undefined where there is none. */
export const toldCounts = (directives: readonly Directive[], always: readonly UsageUnit[]): Counts | undefined => {
  const told = directives.find((directive) => directive.kind === 'tokens');
  if (told === undefined) return undefined;
  const counts = new Map(always.map((unit) => [unit, 0]));
  for (const [name, quantity] of Object.entries(told.counts)) {
    const unit = namedUnit(name);
    if (unit !== undefined) counts.set(unit, quantity);
  }
  return counts;
};

/** Units that measure what a call takes in. */
export const isInputUnit = (unit: UsageUnit): boolean => unitFacts[unit].part === 'prompt';

/** What a call takes in, as the sandbox counts it. */
export const countInput = (call: Pick<GenerationCall, 'systemInstruction' | 'tools' | 'contents'>): Counts => {
  const declared = call.tools.length === 0 ? 0 : textTokens(JSON.stringify(call.tools));
  const frame = new Map<UsageUnit, number>([
    ['input_text_tokens', textTokens(call.systemInstruction ?? '') + declared],
  ]);
  return addCounts(frame, call.contents.flatMap((content: Content) => content.parts).map(countPart));
};

const countMedia = (mimeType: string, bytes: number): readonly [UsageUnit, number] => {
  const { unit, base, bytesPerToken } = mediaTokenTable[mediaKind(mimeType)];
  return [unit, base + Math.ceil(bytes / bytesPerToken)];
};

/** What one part counts as input. */
export const countPart = (part: Part): readonly [UsageUnit, number] => {
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
