import { z } from 'zod';
import { LegacyChoice, LegacyFunctions, compatTools, ToolChoice } from './chat-tool.ts';
import { chatBounds, limits } from '../limits.ts';
import { optionalUnion } from '../fields/optional-union.ts';
import { CompatResponseFormat } from './response-format.ts';

const { textFieldCharsMax, stopSequencesMax, metadataEntriesMax, penaltyMin, penaltyMax } = chatBounds;
const { temperatureMin, temperatureMax } = limits.chat;
const textField = z.string().min(1).max(textFieldCharsMax);
const anyText = z.string().max(textFieldCharsMax);
const penalty = z.number().min(penaltyMin).max(penaltyMax);

/** Counted before its values are checked, so that a very long one costs one fault and not one per entry. */
const isMetadata = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries: readonly unknown[] = Object.values(value);
  return (
    entries.length <= metadataEntriesMax &&
    entries.every((entry) => typeof entry === 'string' && entry.length <= textFieldCharsMax)
  );
};

const isEmptyRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** A search of the web by the upstream. How much of a page a model reads, and where it searches from, is the upstream's own choice. */
const WebSearchOptions = z.strictObject({
  search_context_size: z.literal('medium').nullable().exactOptional(),
  user_location: z.null().exactOptional(),
});

/** How much a model may reason. `none` switches it off where the model lets it. */
const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high'] as const;

/**
 * Taken and dropped, as none of them changes the answer: hints for an upstream's own caches, for its abuse reports and for its
 * style, and values that say what happens anyway. Other values of these fields are refused.
 */
export const ignoredFields = {
  metadata: z
    .custom<Readonly<Record<string, string>>>(isMetadata)
    .meta({
      description: `an object of at most ${metadataEntriesMax} texts of at most ${textFieldCharsMax} characters each`,
    })
    .exactOptional(),
  prompt_cache_key: anyText.exactOptional(),
  prompt_cache_retention: anyText.exactOptional(),
  safety_identifier: anyText.exactOptional(),
  verbosity: z.enum(['low', 'medium', 'high']).exactOptional(),
  store: z.literal(false).exactOptional(),
  n: z.literal(1).exactOptional(),
  logprobs: z.literal(false).exactOptional(),
  top_logprobs: z.literal(0).exactOptional(),
  logit_bias: z.custom<object>(isEmptyRecord).meta({ description: 'an empty object' }).exactOptional(),
  modalities: z.array(z.literal('text')).length(1).exactOptional(),
} as const;

/** The fields beside the messages with what the compatibility option adds: honoured, or taken because they say nothing. */
export const CompatFields = z.strictObject({
  model: textField.exactOptional(),
  temperature: z.number().min(temperatureMin).max(temperatureMax).exactOptional(),
  stream: z.boolean().default(false),
  stream_options: z
    .strictObject({ include_usage: z.boolean().exactOptional(), include_obfuscation: z.boolean().exactOptional() })
    .exactOptional(),
  tool_choice: optionalUnion(ToolChoice),
  response_format: CompatResponseFormat.exactOptional(),
  tools: compatTools.exactOptional(),
  functions: LegacyFunctions.exactOptional(),
  function_call: optionalUnion(LegacyChoice),
  max_tokens: z.int().min(1).exactOptional(),
  max_completion_tokens: z.int().min(1).exactOptional(),
  top_p: z.number().min(0).max(1).exactOptional(),
  frequency_penalty: penalty.exactOptional(),
  presence_penalty: penalty.exactOptional(),
  reasoning_effort: z.enum(reasoningEfforts).exactOptional(),
  stop: optionalUnion(z.union([textField, z.array(textField).min(1).max(stopSequencesMax)])),
  seed: z.int().exactOptional(),
  user: anyText.exactOptional(),
  service_tier: z.enum(['auto', 'default', 'flex', 'priority']).exactOptional(),
  parallel_tool_calls: z.boolean().exactOptional(),
  web_search_options: WebSearchOptions.exactOptional(),
  ...ignoredFields,
});
export type WireFields = z.infer<typeof CompatFields>;
