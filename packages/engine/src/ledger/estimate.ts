import type { Content, GenerationCall, Modality, Part, UsageUnit } from '@tollgate/provider';
import type { Estimate } from './hold.ts';
import { mediaTokens, textTokens } from './media-bounds.ts';
import type { Quantities } from './price-usage.ts';
import { estimatePieces, estimateUpstreamTools, makesImages, type BoundRow } from './unit-bounds.ts';

/** Tokens that a message costs beside its text. */
export const tokensPerMessage = 8;

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

/** How much a model takes in at the most; null where its row does not say. */
export const contextOf = ({ contextTokens }: Pick<BoundRow, 'contextTokens'>): number | null =>
  contextTokens > 0 ? contextTokens : null;

const tokensOfDeclared = ({ tools, responseFormat }: Pick<Call, 'tools' | 'responseFormat'>): number =>
  textTokens(JSON.stringify([tools, responseFormat]));

/** What most calls declare: no tools, and text as the form of the answer. */
const plainDeclaredTokens = tokensOfDeclared({ tools: [], responseFormat: { kind: 'text' } });

const declaredTokens = (call: Call): number =>
  call.tools.length === 0 && call.responseFormat.kind === 'text' ? plainDeclaredTokens : tokensOfDeclared(call);

/**
 * The input of a call by modality: an approximation from above for ordinary text and ordinary files (`media-bounds.ts`), and
 * never more than the model's context where it is known.
 */
export const estimateInput = (call: Call, contextTokens: number | null = null): Quantities => {
  const text =
    call.contents.length * tokensPerMessage + textTokens(call.systemInstruction ?? '') + declaredTokens(call);
  const tokens = new Map<UsageUnit, number>([['input_text_tokens', text]]);
  for (const content of call.contents) addContent(tokens, content);
  return within(tokens, contextTokens);
};

/** The kinds of output that a model may make, and by which each is metered; what is made of text is always among them. */
const outputUnits = (modalities: readonly Modality[], row: BoundRow | null): readonly UsageUnit[] => [
  ...(modalities.includes('image') || (row !== null && makesImages(row)) ? (['output_image_tokens'] as const) : []),
  ...(modalities.includes('audio') || row?.family === 'speech' ? (['output_audio_tokens'] as const) : []),
  ...(row?.family === 'video' ? (['output_video_tokens'] as const) : []),
];

/** The whole output that a call allows, as the most expensive kind that may come: the limit counts all kinds together. */
export const estimateOutput = ({ modalities = [], outputTokensMax }: Call, row: BoundRow | null = null): Estimate => {
  const [unit = 'output_text_tokens', ...or] = outputUnits(modalities, row);
  return [{ unit, quantity: outputTokensMax, or: or.length === 0 ? undefined : or }];
};

/** What a call may use beside its input and its output tokens: pieces, seconds and the tools that its upstream runs. */
export const estimateBeside = (call: Call, row: BoundRow, input: Quantities): Estimate => [
  ...estimatePieces(call, row, input),
  ...estimateUpstreamTools(row, call.tools),
];

/** What a generation may use at the most, computed from the request alone. */
export const estimateGeneration = (call: Call, row: BoundRow): Estimate => {
  const input = estimateInput(call, contextOf(row));
  return [...input, ...estimateOutput(call, row), ...estimateBeside(call, row, input)];
};
