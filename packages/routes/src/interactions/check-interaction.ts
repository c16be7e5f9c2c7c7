import { GatewayError, isOfMediaKind, type CatalogModel, type InteractionRequest } from '@tollgate/contract';
import { holdsApiKey, type AskedTool, type InteractionPreparing, type ToolRunners } from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';
import { checkCapabilities } from '../check-capabilities.ts';
import type { ResolvedFiles } from '../files/resolve-files.ts';
import type { Service } from '../service.ts';

type Check = InteractionPreparing['check'];

/** Refuses a model that does not offer something. */
export const demand = (model: CatalogModel, capability: string): void => {
  if (!model.capabilities.includes(capability))
    throw new GatewayError('model_incompatible', { detail: `The model does not offer ${capability}.` });
};

/** What comes out of a family that its provider serves as jobs. */
const outputCapability = (format: string, { family }: CatalogModel): string | null => {
  switch (format) {
    case 'image':
      return 'image_generation';
    case 'audio':
      return family === 'music' ? 'music_generation' : 'speech_generation';
    case 'video':
      return 'video_generation';
    case 'json':
      return 'structured_output';
    default:
      return null;
  }
};

/** A model that calls functions can be given any tool; any other one only those that it names. */
export const checkJobTools = (model: CatalogModel, tools: readonly AskedTool[]): void => {
  if (model.capabilities.includes('functions')) return;
  for (const { kind } of tools) demand(model, kind === 'function' ? 'functions' : kind);
};

/** A call as far as it says what goes in: its provider's capabilities decide the rest. */
export const inputOnly = (call: Parameters<Check>[0]): Parameters<Check>[0] => {
  const { modalities: _modalities, image: _image, speech: _speech, ...rest } = call;
  return { ...rest, tools: [], responseFormat: { kind: 'text' } };
};

const checkConfig = (model: CatalogModel, { config, agentConfig }: InteractionRequest): void => {
  if (agentConfig !== null && model.upstreamKind !== 'agent')
    throw new GatewayError('model_incompatible', { detail: 'The field agent_config needs the model of an agent.' });
  if (config.transcription_config !== undefined) demand(model, 'transcription');
  if (config.video_config !== undefined) demand(model, 'video_generation');
  if (config.speech_config !== undefined) demand(model, 'speech_generation');
};

// interactions:agent-config:needs-agent-model
/** Asking a model for what it does not offer is refused before anything is reserved. */
export const checkOffered =
  (model: CatalogModel, provider: Provider, asked: InteractionRequest, tools: readonly AskedTool[]): Check =>
  (call, way) => {
    checkConfig(model, asked);
    const capability = outputCapability(asked.format?.type ?? 'text', model);
    if (capability !== null && (capability !== 'structured_output' || asked.format?.schema !== undefined))
      demand(model, capability);
    if (way === 'rounds' && asked.config.speech_config !== undefined && asked.config.speech_config.voice === undefined)
      throw new GatewayError('invalid_request', {
        detail: 'The field generation_config.speech_config.voice is missing: this model does not choose one.',
      });
    if (way === 'job') checkJobTools(model, tools);
    checkCapabilities(model, way === 'job' ? inputOnly(call) : call, provider);
  };

// interactions:input:uri-project-file
/** What a file is, is known of the file; what the client believes of it must agree. */
export const checkInputFiles = ({ input }: InteractionRequest, files: ResolvedFiles): void => {
  for (const item of input) {
    if (item.kind !== 'media' || item.value.kind !== 'file') continue;
    const mimeType = files.parts.get(item.value.fileId)?.mimeType ?? '';
    const declared = item.value.mimeType ?? mimeType;
    if (!isOfMediaKind(item.media, mimeType) || declared !== mimeType)
      throw new GatewayError('unsupported_content', {
        detail: `A file that is named as ${item.media} must be one, and what its mime_type says.`,
      });
  }
};

/** Names of tools that a refusal lists. */
const shownNamesMax = 20;

/** A tool of the host's own must be one that it has. */
const checkHostTools = ({ own = {} }: ToolRunners, tools: InteractionRequest['tools']): void => {
  const unknown = tools.find((tool) => tool.type === 'host_tool' && !Object.hasOwn(own, tool.name));
  if (unknown?.type !== 'host_tool') return;
  const names = Object.keys(own);
  throw new GatewayError('invalid_request', {
    detail: `The field tools names the tool ${unknown.name} of the host, which this service does not have; accepted ${
      names.length === 0 ? 'are tools of the other types' : `is ${names.slice(0, shownNamesMax).join(', ')}`
    }.`,
  });
};

// interactions:tools:mcp-headers
/** A third party's server never gets a key of this service. */
const checkToolHeaders = (tools: InteractionRequest['tools']): void => {
  for (const tool of tools) {
    if (tool.type !== 'mcp_server') continue;
    const { url, headers = {} } = tool;
    if ([url, ...Object.entries(headers).flat()].some(holdsApiKey))
      throw new GatewayError('invalid_request', {
        detail: 'A header or the address of an MCP server holds a key of this service.',
      });
  }
};

/** What the tools that a client names are checked for, whatever they are for. */
export const checkTools = (
  { interactions }: Pick<Service, 'interactions'>,
  tools: InteractionRequest['tools'],
): void => {
  checkToolHeaders(tools);
  checkHostTools(interactions.runners, tools);
};
