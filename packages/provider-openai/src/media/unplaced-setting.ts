import { unplacedImageField, type CallField, type GenerationCall } from '@tollgate/provider';
import type { Obstacle } from '../carried-settings.ts';

/** Whether a call has a setting, by the name under which a refusal names it. */
const isSet: { readonly [Field in CallField]?: (call: GenerationCall) => boolean } = {
  systemInstruction: ({ systemInstruction }) => systemInstruction !== null,
  tools: ({ tools }) => tools.length > 0,
  toolChoice: ({ toolChoice: { kind } }) => kind !== 'auto' && kind !== 'none',
  responseFormat: ({ responseFormat }) => responseFormat.kind !== 'text',
  temperature: ({ sampling }) => sampling.temperature !== undefined,
  topP: ({ sampling }) => sampling.topP !== undefined,
  topK: ({ sampling }) => sampling.topK !== undefined,
  seed: ({ sampling }) => sampling.seed !== undefined,
  stopSequences: ({ sampling }) => (sampling.stopSequences ?? []).length > 0,
  frequencyPenalty: ({ sampling }) => sampling.frequencyPenalty !== undefined,
  presencePenalty: ({ sampling }) => sampling.presencePenalty !== undefined,
  parallelToolCalls: ({ sampling }) => sampling.parallelToolCalls !== undefined,
  thinking: ({ thinking }) => thinking !== undefined,
  speech: ({ speech }) => speech !== undefined,
  image: ({ image }) => image?.aspectRatio !== undefined || image?.size !== undefined,
  imageCount: ({ image }) => unplacedImageField(image) !== undefined,
  audioFormat: ({ audioFormat }) => audioFormat !== undefined,
  transcription: ({ transcription }) => transcription !== undefined,
  mediaResolution: ({ mediaResolution }) => mediaResolution !== undefined,
  safety: ({ safety }) => (safety ?? []).length > 0,
  cached: ({ cached }) => cached !== undefined,
  endUser: ({ endUser }) => endUser !== undefined,
};

const fields = Object.keys(isSet).filter((name): name is keyof typeof isSet => Object.hasOwn(isSet, name));

/** The first setting of a call that is none of those that a wire has a place for. No setting is dropped in silence. */
export const unplacedSetting = (call: GenerationCall, placed: readonly CallField[]): Obstacle | undefined => {
  const field = fields.find((name) => !placed.includes(name) && isSet[name]?.(call) === true);
  if (field === undefined) return undefined;
  const named = field === 'imageCount' ? (unplacedImageField(call.image) ?? field) : field;
  return { field: named, why: `${named} has no place on this wire` };
};
