import type { InteractionCall, JsonObject, Step } from '@tollgate/provider';
import { given, toResponseFormat, toTools } from './interaction-tools.ts';
import type { UriOf } from './to-google-contents.ts';
import { toGoogleSteps } from './to-google-steps.ts';

const toTranscription = ({ transcription }: InteractionCall): JsonObject => {
  if (transcription === undefined) return {};
  const { languageCodes, customVocabulary, mode } = transcription;
  const toMode = (): JsonObject => {
    if (mode === undefined) return {};
    if (mode.kind === 'smart') return { mode: { type: 'smart' } };
    const { diarization, timestampGranularities } = mode;
    const set = {
      ...given('diarization_mode', diarization),
      ...given('timestamp_granularities', timestampGranularities),
    };
    return { mode: { type: 'verbatim', ...set } };
  };
  return {
    transcription_config: {
      ...given('language_codes', languageCodes),
      ...given('custom_vocabulary', customVocabulary),
      ...toMode(),
    },
  };
};

const toSpeech = ({ speech }: InteractionCall): JsonObject =>
  speech === undefined
    ? {}
    : { speech_config: [{ ...given('voice', speech.voice), ...given('language', speech.language) }] };

/** What writes text has a limit in tokens; images, audio and videos have none. */
const toLimit = ({ format, outputTokensMax, transcription }: InteractionCall): JsonObject => {
  const isText = format.kind === 'text' || format.kind === 'json';
  return isText && transcription === undefined && outputTokensMax > 0 ? { max_output_tokens: outputTokensMax } : {};
};

const toConfig = (call: InteractionCall): JsonObject => {
  const { sampling, thinking, videoTask } = call;
  const config = {
    ...toLimit(call),
    ...given('temperature', sampling.temperature),
    ...given('top_p', sampling.topP),
    ...given('seed', sampling.seed),
    ...given('stop_sequences', sampling.stopSequences),
    ...given('thinking_level', thinking?.level),
    ...toSpeech(call),
    ...toTranscription(call),
    ...(videoTask === undefined ? {} : { video_config: { task: videoTask } }),
  };
  return Object.keys(config).length === 0 ? {} : { generation_config: config };
};

type AgentType = 'deep-research' | 'antigravity';

const agentTypeOf = ({ upstreamModel }: InteractionCall): AgentType | null => {
  if (upstreamModel.startsWith('deep-research')) return 'deep-research';
  return upstreamModel.startsWith('antigravity') ? 'antigravity' : null;
};

const toAgent = (call: InteractionCall): JsonObject => {
  const type = agentTypeOf(call);
  const { agent = {}, outputTokensMax } = call;
  if (type === null) return {};
  if (type === 'antigravity')
    return { agent_config: { type, max_total_tokens: outputTokensMax > 0 ? outputTokensMax : undefined } };
  return {
    agent_config: {
      type,
      ...given('collaborative_planning', agent.collaborativePlanning),
      ...given('visualization', agent.visualization),
      ...given('thinking_summaries', agent.thinkingSummaries),
    },
  };
};

/** An agent that works in an environment gets one of its own where none is named. */
const toEnvironment = (call: InteractionCall): JsonObject =>
  given('environment', call.environmentReference ?? (agentTypeOf(call) === 'antigravity' ? 'remote' : undefined));

/** What goes in: the steps since what the upstream remembers, or all of them. */
export const stepsToSend = ({ previousReference, history, input }: InteractionCall): readonly Step[] =>
  previousReference === null ? [...history, ...input] : input;

/** The body of an interaction, always carried out in the background and kept, so that any process can ask for it. */
export const toGoogleInteraction = (call: InteractionCall, uriOf: UriOf): JsonObject => {
  const { upstreamKind, upstreamModel, previousReference, systemInstruction } = call;
  return {
    ...(upstreamKind === 'agent' ? { agent: upstreamModel } : { model: upstreamModel }),
    input: toGoogleSteps(stepsToSend(call), uriOf),
    previous_interaction_id: previousReference ?? undefined,
    system_instruction: systemInstruction ?? undefined,
    ...toTools(call.tools),
    ...toResponseFormat(call),
    ...(upstreamKind === 'agent' ? toAgent(call) : toConfig(call)),
    ...toEnvironment(call),
    background: true,
    store: true,
  };
};

/** Why an interaction cannot be carried out here; undefined where it can. */
export const cannotInteract = ({ tools }: InteractionCall): string | undefined =>
  tools.some((tool) => tool.kind === 'file_search' && tool.stores.some(({ reference }) => reference === null))
    ? 'a store that the upstream does not keep'
    : undefined;
