import type { CallField, Content, GenerationCall, Part } from '@tollgate/provider';
import { lacksTier, offeredFunctions, type ToOpenaiOptions } from './to-openai.ts';

/** Why a call cannot be carried, for the log, and the setting that is in the way. */
export interface Obstacle {
  readonly why: string;
  readonly field: CallField;
}

/** Why a call cannot be carried by chat completions; undefined where it can. No setting is dropped in silence. */
export const cannotSend = (call: GenerationCall, options: ToOpenaiOptions): Obstacle | undefined =>
  obstacleOfSettings(call, options) ?? obstacleOfContents(call);

const at = (field: CallField, why: string): Obstacle => ({ why, field });

const obstacleOfSettings = (call: GenerationCall, options: ToOpenaiOptions): Obstacle | undefined => {
  const tools = obstacleOfTools(call, options);
  if (tools !== undefined) return at('tools', tools);
  if (call.toolChoice.kind === 'required' && offeredFunctions(call).length === 0)
    return at('toolChoice', 'no function may be called');
  if (call.sampling.topK !== undefined && options.topK !== 'sent')
    return at('topK', 'topK is no setting of chat completions');
  if (call.modalities?.some((modality) => modality !== 'text') ?? false)
    return at('modalities', 'chat completions answer text');
  if (call.image !== undefined) return at('image', 'chat completions make no images');
  if (call.audioFormat !== undefined) return at('audioFormat', 'chat completions do not speak');
  if (call.speech !== undefined) return at('speech', 'chat completions do not speak');
  if (call.mediaResolution !== undefined)
    return at('mediaResolution', 'chat completions take the detail of an image, and no resolution of media');
  if ((call.safety ?? []).length > 0) return at('safety', 'safety is no setting of chat completions');
  if (call.cached !== undefined) return at('cached', 'chat completions keep no context');
  if (call.thinking !== undefined && options.reasoning === 'refused')
    return at('thinking', 'the upstream takes no reasoning effort');
  if (lacksTier(call, options)) return at('serviceTier', 'the upstream has no service tiers');
  return undefined;
};

const obstacleOfTools = ({ tools }: GenerationCall, { webSearch }: ToOpenaiOptions): string | undefined => {
  for (const tool of tools) {
    if (tool.kind === 'function') continue;
    if (tool.kind !== 'web_search' || webSearch === 'refused')
      return 'built-in tools are not offered by chat completions';
    if (tool.allowedDomains !== undefined || tool.blockedDomains !== undefined || tool.usesMax !== undefined)
      return 'the search of chat completions takes no domains and no limit';
  }
  return undefined;
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
      return role === 'model' ? 'media of the model cannot be sent back to chat completions' : undefined;
    case 'executable_code':
    case 'code_execution_result':
      return 'code that another upstream ran cannot be sent to chat completions';
    case 'text':
    case 'function_call':
    case 'function_response':
      return undefined;
  }
};
