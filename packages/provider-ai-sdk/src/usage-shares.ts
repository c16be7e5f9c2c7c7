import {
  asArray,
  asCount,
  asObject,
  asText,
  type UntrustedObject,
  type UsageShare,
  type UsageUnit,
} from '@tollgate/provider';

/** What of input and output is no plain text; shares of one side do not overlap. */
export interface UsageShares {
  readonly cached: readonly UsageShare[];
  readonly input: readonly UsageShare[];
  readonly output: readonly UsageShare[];
}

const modalities = ['image', 'audio', 'video', 'document'] as const;
type Modality = (typeof modalities)[number];

const inputUnits = {
  image: ['input_image_tokens', 'cached_image_tokens'],
  audio: ['input_audio_tokens', 'cached_audio_tokens'],
  video: ['input_video_tokens', 'cached_video_tokens'],
  document: ['input_document_tokens', 'cached_document_tokens'],
} as const satisfies { readonly [M in Modality]: readonly [UsageUnit, UsageUnit] };

const outputUnits: { readonly [M in Modality]?: UsageUnit } = {
  image: 'output_image_tokens',
  audio: 'output_audio_tokens',
  video: 'output_video_tokens',
};

/** Gemini's details: `[{ modality: 'IMAGE', tokenCount: 258 }]`. */
const countsOf = (details: unknown): ReadonlyMap<string, number> =>
  new Map(
    asArray(details).flatMap((value) => {
      const detail = asObject(value);
      const modality = asText(detail?.['modality'])?.toLowerCase();
      return modality === undefined ? [] : [[modality, asCount(detail?.['tokenCount']) ?? 0] as const];
    }),
  );

const fromGemini = (raw: UntrustedObject): UsageShares => {
  const prompt = countsOf(raw['promptTokensDetails']);
  const cache = countsOf(raw['cacheTokensDetails']);
  const output = countsOf(raw['candidatesTokensDetails']);
  return {
    cached: modalities.map((modality) => [inputUnits[modality][1], cache.get(modality) ?? 0]),
    input: [
      ['tool_use_input_tokens', asCount(raw['toolUsePromptTokenCount']) ?? 0],
      ...modalities.map((modality): UsageShare => {
        const fresh = (prompt.get(modality) ?? 0) - (cache.get(modality) ?? 0);
        return [inputUnits[modality][0], Math.max(0, fresh)];
      }),
    ],
    output: modalities.flatMap((modality) => {
      const unit = outputUnits[modality];
      return unit === undefined ? [] : [[unit, output.get(modality) ?? 0] as const];
    }),
  };
};

const fromChatCompletions = (raw: UntrustedObject): UsageShares => {
  const input = asObject(raw['prompt_tokens_details']) ?? {};
  const output = asObject(raw['completion_tokens_details']) ?? {};
  return {
    cached: [],
    input: [
      ['tool_use_input_tokens', asCount(raw['total_tool_use_tokens']) ?? 0],
      ['input_audio_tokens', asCount(input['audio_tokens']) ?? 0],
      ['input_image_tokens', asCount(input['image_tokens']) ?? 0],
    ],
    output: [
      ['output_audio_tokens', asCount(output['audio_tokens']) ?? 0],
      ['output_image_tokens', asCount(output['image_tokens']) ?? 0],
    ],
  };
};

/** Reads the shares out of what the upstream itself reported, in the two shapes that tell any. */
export const readShares = (raw: UntrustedObject): UsageShares =>
  'promptTokenCount' in raw || 'promptTokensDetails' in raw ? fromGemini(raw) : fromChatCompletions(raw);
