import type { CallField, Content, GenerationCall, Part } from '@tollgate/provider';
import { isOwnCode } from './code-blocks.ts';
import { isReadable } from './media-block.ts';
import type { ModelTraits, RefusableSetting } from './model-traits.ts';
import { readArguments } from './to-messages.ts';
import { asksToThink, budgetTokensMin } from './to-thinking.ts';
import { offeredFunctions } from './to-tools.ts';

/** Why a call cannot be carried, for the log, and the setting that is in the way. */
export interface Obstacle {
  readonly why: string;
  readonly field: CallField;
}

/** Why a call cannot be carried by the Messages API; undefined where it can. No setting is dropped in silence. */
export const cannotSend = (call: GenerationCall, traits: ModelTraits): Obstacle | undefined =>
  obstacleOfSettings(call) ??
  obstacleOfTier(call, traits) ??
  obstacleOfTools(call, traits) ??
  obstacleOfModel(call, traits) ??
  obstacleOfThinking(call, traits) ??
  obstacleOfContents(call);

const at = (field: CallField, why: string): Obstacle => ({ why, field });

const obstacleOfSettings = ({ sampling, ...call }: GenerationCall): Obstacle | undefined => {
  if (call.responseFormat.kind === 'json_object')
    return at('responseFormat', 'messages take JSON by a schema, and not any object');
  if (sampling.seed !== undefined) return at('seed', 'seed is no setting of messages');
  if (sampling.frequencyPenalty !== undefined) return at('frequencyPenalty', 'messages know no penalties');
  if (sampling.presencePenalty !== undefined) return at('presencePenalty', 'messages know no penalties');
  if ((sampling.temperature ?? 0) > 1) return at('temperature', 'messages take a temperature of 1 at the most');
  if (call.modalities?.some((modality) => modality !== 'text') ?? false)
    return at('modalities', 'messages answer text');
  if (call.image !== undefined) return at('image', 'messages make no images');
  if (call.speech !== undefined) return at('speech', 'messages do not speak');
  if (call.audioFormat !== undefined) return at('audioFormat', 'messages do not speak');
  if (call.mediaResolution !== undefined) return at('mediaResolution', 'messages take no resolution of media');
  if ((call.safety ?? []).length > 0) return at('safety', 'safety is no setting of messages');
  return call.cached === undefined ? undefined : at('cached', 'messages name no context that the upstream keeps');
};

const obstacleOfTier = (
  { serviceTier = 'standard' }: GenerationCall,
  { serviceTiers }: ModelTraits,
): Obstacle | undefined =>
  serviceTier === 'standard' || serviceTiers.includes(serviceTier)
    ? undefined
    : at('serviceTier', `the upstream has no service tier ${serviceTier}`);

const obstacleOfTools = (call: GenerationCall, traits: ModelTraits): Obstacle | undefined => {
  const missing = call.tools.find((tool) => tool.kind !== 'function' && !traits.tools.includes(tool.kind));
  if (missing !== undefined) return at('tools', `the upstream runs no ${missing.kind} beside the model`);
  const search = call.tools.find((tool) => tool.kind === 'web_search');
  if (search?.allowedDomains !== undefined && search.blockedDomains !== undefined)
    return at('tools', 'a search takes domains that are allowed or domains that are blocked, and not both');
  const mustCall = call.toolChoice.kind === 'required' || call.toolChoice.kind === 'function';
  return mustCall && offeredFunctions(call).length === 0 ? at('toolChoice', 'no function may be called') : undefined;
};

/** Whether a call sets what some models refuse. */
const isSet: Readonly<Record<RefusableSetting, (call: GenerationCall) => boolean>> = {
  temperature: ({ sampling }) => sampling.temperature !== undefined,
  topP: ({ sampling }) => sampling.topP !== undefined,
  topK: ({ sampling }) => sampling.topK !== undefined,
  stopSequences: ({ sampling }) => (sampling.stopSequences ?? []).length > 0,
  thinking: ({ thinking }) => thinking !== undefined,
  responseFormat: ({ responseFormat }) => responseFormat.kind !== 'text',
  parallelToolCalls: ({ sampling }) => sampling.parallelToolCalls === false,
  endUser: ({ endUser }) => endUser !== undefined,
};

const obstacleOfModel = (call: GenerationCall, { refuses }: ModelTraits): Obstacle | undefined => {
  const field = refuses.find((setting) => isSet[setting](call));
  return field === undefined ? undefined : at(field, `the model takes no ${field}`);
};

/** The least `top_p` of a model that thinks. */
const thinkingTopPMin = 0.95;

/** A model that is asked to think samples in its own way. */
const obstacleOfThinking = (call: GenerationCall, traits: ModelTraits): Obstacle | undefined => {
  if (!asksToThink(call)) return undefined;
  if (traits.thinking === 'budget' && call.outputTokensMax <= budgetTokensMin)
    return at('thinking', `thinking takes ${budgetTokensMin} tokens at the least, below the limit of output tokens`);
  const { temperature = 1, topP = 1, topK } = call.sampling;
  if (temperature !== 1) return at('temperature', 'a model that thinks takes no temperature but 1');
  if (topK !== undefined) return at('topK', 'a model that thinks takes no topK');
  return topP < thinkingTopPMin ? at('topP', `a model that thinks takes a topP from ${thinkingTopPMin}`) : undefined;
};

const obstacleOfContents = ({ contents }: GenerationCall): Obstacle | undefined => {
  const why = contents.map(obstacleOfContent).find((obstacle) => obstacle !== undefined);
  return why === undefined ? undefined : at('contents', why);
};

const obstacleOfContent = ({ role, parts }: Content): string | undefined =>
  parts.map((part) => obstacleOfPart(role, part)).find((obstacle) => obstacle !== undefined);

const obstacleOfPart = (role: Content['role'], part: Part): string | undefined => {
  switch (part.kind) {
    case 'media':
    case 'blob':
      if (role === 'model') return 'media of the model cannot be sent back in messages';
      return isReadable(part.mimeType) ? undefined : 'messages take images, PDF files and text, and no other media';
    case 'executable_code':
    case 'code_execution_result':
      return isOwnCode(part) ? undefined : 'code that another upstream ran cannot be sent in messages';
    case 'function_call':
      return readArguments(part.arguments) === undefined ? 'the arguments of a call are no JSON object' : undefined;
    case 'text':
    case 'function_response':
      return undefined;
  }
};
