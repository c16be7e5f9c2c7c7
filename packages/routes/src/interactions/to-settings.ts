import type {
  AgentConfig as WireAgentConfig,
  CatalogModel,
  InteractionConfig,
  InteractionFormat as WireFormat,
  InteractionItem,
  InteractionTool as WireTool,
} from '@tollgate/contract';
import type { AskedTool, InteractionSettings, StoredContent, StoredStep } from '@tollgate/engine';
import type { AgentConfig, InteractionFormat, Sampling, Thinking, TranscriptionConfig } from '@tollgate/provider';
import { storedMediaOf } from '../stored-media-of.ts';

const given = <K extends string, V>(key: K, value: V | undefined): { readonly [name in K]?: V } =>
  // Sound: the object has the one member, or none where the value is missing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  (value === undefined ? {} : { [key]: value }) as { readonly [name in K]?: V };

/** The input as steps: contents that follow each other are one. */
export const toInputSteps = (items: readonly InteractionItem[]): readonly StoredStep[] => {
  const steps: StoredStep[] = [];
  let contents: StoredContent[] = [];
  const flush = (): void => {
    if (contents.length > 0) steps.push({ kind: 'user_input', content: contents });
    contents = [];
  };
  for (const item of items) {
    switch (item.kind) {
      case 'text':
        contents.push({ kind: 'text', text: item.text });
        break;
      case 'media':
        contents.push({ kind: 'given', media: storedMediaOf(item.value) });
        break;
      case 'function_result': {
        flush();
        const { callId, name, result, isError } = item;
        steps.push({ kind: 'function_result', callId, result, ...given('name', name), ...given('isError', isError) });
      }
    }
  }
  flush();
  return steps;
};

/** Where a client says nothing, a model gives what it is for. */
const usualFormat = ({ family, upstreamKind }: CatalogModel): InteractionFormat => {
  if (upstreamKind === 'agent') return { kind: 'text' };
  switch (family) {
    case 'image':
      return { kind: 'image' };
    case 'speech':
    case 'music':
      return { kind: 'audio' };
    case 'video':
      return { kind: 'video' };
    case 'text':
    case 'transcription':
    case 'embedding':
    case 'realtime':
      return { kind: 'text' };
  }
};

const toFormat = (format: WireFormat | null, model: CatalogModel): InteractionFormat => {
  if (format === null) return usualFormat(model);
  const { type, schema, aspect_ratio, resolution } = format;
  switch (type) {
    case 'text':
    case 'audio':
      return { kind: type };
    case 'json':
      return { kind: type, ...given('schema', schema) };
    case 'image':
    case 'video':
      return { kind: type, ...given('aspectRatio', aspect_ratio), ...given('resolution', resolution) };
  }
};

const toSampling = ({ temperature, top_p, seed, stop_sequences = [] }: InteractionConfig): Sampling => ({
  ...given('temperature', temperature),
  ...given('topP', top_p),
  ...given('seed', seed),
  ...given('stopSequences', stop_sequences.length === 0 ? undefined : stop_sequences),
});

const toTranscription = (config: InteractionConfig['transcription_config']): TranscriptionConfig | undefined => {
  if (config === undefined) return undefined;
  const { language_codes, custom_vocabulary, mode } = config;
  return {
    ...given('languageCodes', language_codes),
    ...given('customVocabulary', custom_vocabulary),
    ...given('mode', mode === undefined ? undefined : toMode(mode)),
  };
};

type WireMode = NonNullable<NonNullable<InteractionConfig['transcription_config']>['mode']>;

const toMode = (mode: WireMode): NonNullable<TranscriptionConfig['mode']> =>
  mode.type === 'smart'
    ? { kind: 'smart' }
    : {
        kind: 'verbatim',
        ...given('diarization', mode.diarization_mode),
        ...given('timestampGranularities', mode.timestamp_granularities),
      };

const toThinking = ({ thinking_level }: InteractionConfig): Thinking | undefined =>
  thinking_level === undefined ? undefined : { level: thinking_level };

const toAgent = (config: WireAgentConfig | null): AgentConfig | undefined =>
  config === null
    ? undefined
    : {
        ...given('collaborativePlanning', config.collaborative_planning),
        ...given('visualization', config.visualization),
        ...given('thinkingSummaries', config.thinking_summaries),
      };

const speechOf = ({ speech_config: speech }: InteractionConfig): InteractionSettings['speech'] =>
  speech === undefined ? undefined : { ...given('voice', speech.voice), ...given('language', speech.language) };

/** What an interaction is asked for beside its input and its tools, in the words of providers. */
export const toSettings = (
  model: CatalogModel,
  systemInstruction: string | null,
  asked: {
    readonly format: WireFormat | null;
    readonly config: InteractionConfig;
    readonly agentConfig: WireAgentConfig | null;
  },
): Omit<InteractionSettings, 'tools'> => {
  const { format, config, agentConfig } = asked;
  return {
    systemInstruction: systemInstruction === '' ? null : systemInstruction,
    format: toFormat(format, model),
    sampling: toSampling(config),
    ...given('thinking', toThinking(config)),
    ...given('speech', speechOf(config)),
    ...given('transcription', toTranscription(config.transcription_config)),
    ...given('videoTask', config.video_config?.task),
    ...given('agent', toAgent(agentConfig)),
  };
};

/** A tool in the words of providers. */
export const toTool = (tool: WireTool): AskedTool => {
  switch (tool.type) {
    case 'function': {
      const { name, description, parameters } = tool;
      return { kind: 'function', name, ...given('description', description), ...given('parameters', parameters) };
    }
    case 'web_search':
    case 'code_execution':
    case 'url_context':
      return { kind: tool.type };
    case 'maps':
      return { kind: 'maps', ...given('latitude', tool.latitude), ...given('longitude', tool.longitude) };
    case 'file_search':
      return { kind: 'file_search', stores: [...new Set(tool.stores)].map((id) => ({ id, reference: null })) };
    case 'host_tool':
      return { kind: 'host_tool', name: tool.name };
    case 'computer_use':
      return { kind: 'computer_use', environment: tool.environment };
    case 'mcp_server': {
      const { url, name, allowed_tools, headers } = tool;
      return {
        kind: 'mcp_server',
        url,
        ...given('name', name),
        ...given('allowedTools', allowed_tools),
        ...given('headers', headers),
      };
    }
  }
};
