import type { GenerationCall, JsonObject } from '@tollgate/provider';
import { markPrompt, type CachePrompts } from './cache-control.ts';
import type { ModelTraits } from './model-traits.ts';
import { toOutputSchema } from './output-schema.ts';
import { toMessages } from './to-messages.ts';
import { toThinking, type WireThinking } from './to-thinking.ts';
import { toTools, toToolChoice } from './to-tools.ts';

/** What the host says of the models and of what is kept. */
export interface WireRules {
  readonly traits: ModelTraits;
  readonly cachePrompts: CachePrompts;
  readonly standardTier: 'sent' | 'left_out';
}

/** Writes a call as the body of `POST /v1/messages`. Total and pure; what it cannot carry `cannotSend` tells.
 * Files of text are read before; the base64 of other blobs stands in it as what `encodeJson` reads. */
export const toAnthropic = (call: GenerationCall, rules: WireRules): JsonObject => ({
  ...toPrompt(call, rules),
  max_tokens: call.outputTokensMax,
  ...toSampling(call),
  metadata: call.endUser === undefined ? undefined : { user_id: call.endUser },
  service_tier: toServiceTier(call, rules),
});

/** Priority is what `auto` gets where there is capacity for it. A model without service tiers is not told of any. */
const toServiceTier = (
  { serviceTier }: GenerationCall,
  { traits, standardTier }: WireRules,
): 'auto' | 'standard_only' | undefined => {
  if (traits.serviceTiers.length === 0) return undefined;
  if (serviceTier === 'priority') return 'auto';
  return serviceTier === 'standard' || standardTier === 'sent' ? 'standard_only' : undefined;
};

/** What of a body is input, and so is counted. */
export const toPrompt = (call: GenerationCall, { traits, cachePrompts }: WireRules): JsonObject => {
  const thinking = toThinking(call, traits);
  const tools = toTools(call);
  const system = call.systemInstruction === null || call.systemInstruction === '' ? undefined : call.systemInstruction;
  const messages = toMessages(call.contents, cachePrompts !== 'off');
  const prompt = markPrompt(call, cachePrompts, { system, tools, messages });
  return {
    model: call.upstreamModel,
    ...prompt,
    tools: tools.length === 0 ? undefined : prompt['tools'],
    tool_choice: tools.length === 0 ? undefined : toToolChoice(call),
    thinking: thinking.thinking,
    output_config: toOutputConfig(call, thinking),
  };
};

const toOutputConfig = ({ responseFormat }: GenerationCall, { effort }: WireThinking): JsonObject | undefined => {
  const format =
    responseFormat.kind === 'json_schema'
      ? { type: 'json_schema', schema: toOutputSchema(responseFormat.schema) }
      : undefined;
  return effort === undefined && format === undefined ? undefined : { effort, format };
};

const toSampling = ({ sampling }: GenerationCall): JsonObject => ({
  temperature: sampling.temperature,
  top_p: sampling.topP,
  top_k: sampling.topK,
  stop_sequences:
    sampling.stopSequences === undefined || sampling.stopSequences.length === 0 ? undefined : sampling.stopSequences,
});
