import type { JSONValue, LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { unplacedImageField, type GenerationCall, type Thinking } from '@tollgate/provider';
import { refuse } from './refuse.ts';
import type { ModelName, Vendor } from './vendor.ts';

/** Options of one namespace that the AI SDK has no name of its own for. */
type Options = { [name: string]: JSONValue };

/** The namespace that models of a vendor read. */
const namespaceOf = (vendor: Vendor): string => (vendor === 'openai_compatible' ? 'openaiCompatible' : vendor);

const toEndUser = ({ endUser }: GenerationCall, vendor: Vendor): Options => {
  if (endUser === undefined) return {};
  if (vendor === 'anthropic') return { metadata: { userId: endUser } };
  return vendor === 'openai' || vendor === 'openai_compatible'
    ? { user: endUser }
    : refuse('a name of the end user', 'endUser');
};

/** Parallel calls are every model's default. */
const toParallel = ({ sampling, tools }: GenerationCall, vendor: Vendor): Options => {
  if (sampling.parallelToolCalls !== false || tools.length === 0) return {};
  if (vendor === 'openai') return { parallelToolCalls: false };
  // Members that the model does not know go onto the wire as they are.
  if (vendor === 'openai_compatible') return { parallel_tool_calls: false };
  return vendor === 'anthropic' ? { disableParallelToolUse: true } : refuse('calls one at a time', 'parallelToolCalls');
};

const toStrictness = ({ responseFormat }: GenerationCall, vendor: Vendor): Options => {
  if (responseFormat.kind !== 'json_schema' || responseFormat.strict === undefined) return {};
  if (vendor === 'openai' || vendor === 'openai_compatible') return { strictJsonSchema: responseFormat.strict };
  // Elsewhere a schema is always kept to, so only its being optional cannot be said.
  return {};
};

const toGoogleThinking = ({ includeThoughts, budgetTokens, level }: Thinking): Options => ({
  thinkingConfig: {
    ...(includeThoughts === undefined ? {} : { includeThoughts }),
    ...(budgetTokens === undefined ? {} : { thinkingBudget: budgetTokens }),
    // A level alone goes into `reasoning`, which older models take as a budget.
    ...(level === undefined || budgetTokens === undefined ? {} : { thinkingLevel: level }),
  },
});

const toThinking = ({ thinking }: GenerationCall, vendor: Vendor, provider: string): Options => {
  if (thinking === undefined) return {};
  if (vendor === 'google') return toGoogleThinking(thinking);
  const { budgetTokens = -1, level, includeThoughts } = thinking;
  if (budgetTokens > 0 && vendor !== 'anthropic') return refuse('a budget of reasoning tokens', 'thinking');
  if (budgetTokens >= 0 && level !== undefined) return refuse('a budget and a level of reasoning', 'thinking');
  return {
    ...(budgetTokens > 0 ? { thinking: { type: 'enabled', budgetTokens } } : {}),
    // Only this interface of the vendor tells anything of its reasoning.
    ...(includeThoughts === true && vendor === 'openai' && provider.includes('responses')
      ? { reasoningSummary: 'auto' }
      : {}),
  };
};

/** How much to reason, in the AI SDK's own words; undefined leaves it to the model or to the vendor's options. */
export const toReasoning = ({ thinking }: GenerationCall, vendor: Vendor): LanguageModelV4CallOptions['reasoning'] => {
  if (thinking === undefined) return undefined;
  if (thinking.budgetTokens !== undefined && vendor === 'google') return undefined;
  return thinking.budgetTokens === 0 ? 'none' : thinking.level;
};

const resolutions = {
  low: 'MEDIA_RESOLUTION_LOW',
  medium: 'MEDIA_RESOLUTION_MEDIUM',
  high: 'MEDIA_RESOLUTION_HIGH',
} as const;

/** The fields of a call that only models of Google take, by their options. */
const googleOnly = {
  responseModalities: 'modalities',
  imageConfig: 'image',
  mediaResolution: 'mediaResolution',
  safetySettings: 'safety',
} as const;

/** What only models of Google take. */
const toGoogleOnly = (call: GenerationCall, vendor: Vendor): Options => {
  const { modalities = ['text'], image, mediaResolution, safety = [] } = call;
  const imageConfig = {
    ...(image?.aspectRatio === undefined ? {} : { aspectRatio: image.aspectRatio }),
    ...(image?.size === undefined ? {} : { imageSize: image.size }),
  };
  const options = {
    ...(modalities.length === 1 && modalities[0] === 'text'
      ? {}
      : { responseModalities: modalities.map((modality) => modality.toUpperCase()) }),
    ...(Object.keys(imageConfig).length === 0 ? {} : { imageConfig }),
    ...(mediaResolution === undefined ? {} : { mediaResolution: resolutions[mediaResolution] }),
    ...(safety.length === 0
      ? {}
      : { safetySettings: safety.map(({ category, threshold }) => ({ category, threshold })) }),
  };
  if (vendor === 'google') return options;
  const fields = ['responseModalities', 'imageConfig', 'mediaResolution', 'safetySettings'] as const;
  const first = fields.find((name) => Object.hasOwn(options, name));
  return first === undefined ? options : refuse(`${first}, which only models of Google take`, googleOnly[first]);
};

/** Writes what the AI SDK has no name for. Throws `NotExecuted` for what the vendor's models do not take. */
export const toVendorOptions = (call: GenerationCall, vendor: Vendor, model: ModelName): SharedV4ProviderOptions => {
  if (call.speech !== undefined) refuse('voices, which only speech models take', 'speech');
  if (call.audioFormat !== undefined) refuse('a form of audio, which only speech models take', 'audioFormat');
  if ((call.serviceTier ?? 'standard') !== 'standard') refuse('a service tier', 'serviceTier');
  const unplaced = unplacedImageField(call.image);
  if (unplaced !== undefined) refuse('a setting of images, which only models of images take', unplaced);
  if (call.image !== undefined && vendor !== 'google') refuse('images, which only models of images make', 'image');
  const options: Options = {
    ...toEndUser(call, vendor),
    ...toStrictness(call, vendor),
    ...toThinking(call, vendor, model.provider),
    ...toGoogleOnly(call, vendor),
  };
  const parallel = toParallel(call, vendor);
  const spread = vendor === 'openai_compatible' ? (model.provider.split('.')[0] ?? '').trim() : namespaceOf(vendor);
  const namespaces: { [namespace: string]: Options } = {};
  if (Object.keys(options).length > 0) namespaces[namespaceOf(vendor)] = options;
  if (Object.keys(parallel).length > 0) namespaces[spread] = { ...namespaces[spread], ...parallel };
  return namespaces;
};
