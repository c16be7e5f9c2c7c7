import type { CallField, Content, GenerationCall, GenerationTool, Part } from '@tollgate/provider';
import type { Obstacle } from '../carried-settings.ts';
import { lacksTier, type ToOpenaiOptions } from '../to-openai.ts';
import { mediaTypeOf } from './to-input-media.ts';

const at = (field: CallField, why: string): Obstacle => ({ field, why });

const obstacleOfTool = (tool: GenerationTool): string | undefined => {
  if (tool.kind === 'url_context') return 'Responses read no addresses';
  if (tool.kind !== 'web_search') return undefined;
  return tool.usesMax === undefined ? undefined : 'the search of Responses takes no limit of its own';
};

const obstacleOfTools = ({ tools, toolChoice }: GenerationCall): Obstacle | undefined => {
  const why = tools.map(obstacleOfTool).find((obstacle) => obstacle !== undefined);
  if (why !== undefined) return at('tools', why);
  const names = toolChoice.kind === 'required' || toolChoice.kind === 'validated' ? toolChoice.names : undefined;
  const isEmpty = names !== undefined && !tools.some((tool) => tool.kind === 'function' && names.includes(tool.name));
  return isEmpty ? at('toolChoice', 'no function may be called') : undefined;
};

const obstacleOfSampling = ({ sampling }: GenerationCall): Obstacle | undefined => {
  if (sampling.topK !== undefined) return at('topK', 'topK is no setting of Responses');
  if (sampling.seed !== undefined) return at('seed', 'seed is no setting of Responses');
  if ((sampling.stopSequences ?? []).length > 0) return at('stopSequences', 'Responses take no stop sequences');
  if (sampling.frequencyPenalty !== undefined) return at('frequencyPenalty', 'Responses take no penalties');
  if (sampling.presencePenalty !== undefined) return at('presencePenalty', 'Responses take no penalties');
  return undefined;
};

const obstacleOfSettings = (call: GenerationCall): Obstacle | undefined => {
  if (call.modalities?.some((modality) => modality !== 'text') ?? false)
    return at('modalities', 'this wire answers text');
  if (call.image !== undefined) return at('image', 'this wire makes no images');
  if (call.audioFormat !== undefined) return at('audioFormat', 'this wire does not speak');
  if (call.speech !== undefined) return at('speech', 'this wire does not speak');
  if (call.mediaResolution !== undefined)
    return at('mediaResolution', 'Responses take the detail of an image, and no resolution of media');
  if ((call.safety ?? []).length > 0) return at('safety', 'safety is no setting of Responses');
  return call.cached === undefined ? undefined : at('cached', 'this wire names no kept context');
};

const obstacleOfPart = (role: Content['role'], part: Part): string | undefined => {
  switch (part.kind) {
    case 'media':
    case 'blob':
      if (role === 'model') return 'media of the model cannot be sent back to Responses';
      return mediaTypeOf(part) === undefined ? 'Responses take images and documents' : undefined;
    case 'executable_code':
    case 'code_execution_result':
    case 'text':
    case 'function_call':
    case 'function_response':
      return undefined;
  }
};

const obstacleOfContents = ({ contents }: GenerationCall): Obstacle | undefined => {
  const whys = contents.flatMap(({ role, parts }) => parts.map((part) => obstacleOfPart(role, part)));
  const why = whys.find((obstacle) => obstacle !== undefined);
  return why === undefined ? undefined : at('contents', why);
};

const obstacleOfTier = (call: GenerationCall, options: Pick<ToOpenaiOptions, 'serviceTier'>): Obstacle | undefined =>
  lacksTier(call, options) ? at('serviceTier', 'the upstream has no service tiers') : undefined;

/** Why a call cannot be carried by Responses; undefined where it can. No setting is dropped in silence. */
export const cannotRespond = (
  call: GenerationCall,
  options: Pick<ToOpenaiOptions, 'serviceTier'>,
): Obstacle | undefined =>
  obstacleOfTools(call) ??
  obstacleOfSampling(call) ??
  obstacleOfSettings(call) ??
  obstacleOfTier(call, options) ??
  obstacleOfContents(call);
