import {
  NotExecuted,
  type BlobPart,
  type InteractionCall,
  type JsonObject,
  type MediaPart,
  type Step,
  type UsageUnit,
} from '@tollgate/provider';
import type { Directive } from './directives.ts';
import { withoutDirectives } from './directives.ts';
import { exampleOfSchema } from './example-of-schema.ts';
import { inputText, jobFamily, type JobFamily, type MadeByJob } from './interaction-job.ts';
import { digestOf } from './mp4-video.ts';
import { callContext, callId } from './sandbox-context.ts';
import { addCounts, base64Bytes, textTokens, type Counts } from './sandbox-usage.ts';
import { runSmallPython } from './small-python.ts';
import { videoSize } from './video-size.ts';

/** What an interaction comes to, before anything is made of it. */
export interface InteractionAnswer {
  readonly steps: readonly Step[];
  readonly made: MadeByJob | null;
  readonly waits: boolean;
  readonly counts: Counts;
}

const clipSeconds = 10;
const pieceSeconds = 30;
const videoSeconds = 8;

const invalid = (why: string): NotExecuted => new NotExecuted({ reason: 'invalid_request', cause: new Error(why) });

const counted = (...counts: readonly (readonly [UsageUnit, number])[]): Counts => addCounts(new Map(), counts);

const said = (text: string, annotations: readonly JsonObject[] = []): Step => ({
  kind: 'model_output',
  content: [{ kind: 'text', text, ...(annotations.length === 0 ? {} : { annotations }) }],
});

type Medium = MediaPart | BlobPart;

const mediaOf = ({ input }: InteractionCall): readonly Medium[] =>
  input.flatMap((step) =>
    step.kind === 'user_input' ? step.content.filter((content): content is Medium => content.kind !== 'text') : [],
  );

/** Reads a medium to its end, as an upstream does. */
const bytesOf = async (medium: Medium): Promise<Buffer> => {
  if (medium.kind === 'media') return Buffer.from(medium.data, 'base64');
  const chunks: Uint8Array[] = [];
  for await (const chunk of medium.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const sizeOf = (medium: Medium): number => (medium.kind === 'media' ? base64Bytes(medium.data) : medium.sizeBytes);

const composeMusic = (call: InteractionCall, prompt: string): InteractionAnswer => {
  if (prompt === '') throw invalid('music needs a description');
  const isClip = call.upstreamModel.includes('-clip');
  const seconds = isClip ? clipSeconds : pieceSeconds;
  return {
    steps: [],
    made: { kind: 'tune', text: prompt, seconds },
    waits: false,
    counts: counted(
      ['input_text_tokens', textTokens(prompt)],
      isClip ? ['music_clips', 1] : ['music_seconds', seconds],
    ),
  };
};

const composeVideo = async (call: InteractionCall, prompt: string): Promise<InteractionAnswer> => {
  const format = call.format.kind === 'video' ? call.format : {};
  const size = videoSize({ ...format });
  if (size === undefined) throw invalid('there is no such size');
  const media = await Promise.all(mediaOf(call).map(bytesOf));
  const task = call.videoTask ?? '';
  if ((task === 'edit' || task === 'extend') && media.length === 0 && call.history.length === 0)
    throw invalid('there is no video to go on from');
  const digest = digestOf([prompt, task, ...media.map((bytes) => bytes.toString('base64'))].join('\n'));
  return {
    steps: [],
    made: { kind: 'film', side: size, parts: [{ digest, seconds: videoSeconds }] },
    waits: false,
    counts: counted(['input_text_tokens', textTokens(prompt)], ['video_seconds', videoSeconds]),
  };
};

/** Of a WAV file what its header says; of anything else what speech usually takes. */
const secondsOf = (bytes: Buffer): number => {
  const isWav = bytes.length > 44 && bytes.toString('latin1', 0, 4) === 'RIFF';
  const bytesPerSecond = isWav ? bytes.readUInt32LE(28) : 16_000;
  return Math.max(1, Math.ceil(bytes.length / Math.max(1, bytesPerSecond)));
};

/** What is said at which second, where the client wants to know. */
const wordTimes = ({ transcription }: InteractionCall, text: string): readonly JsonObject[] => {
  const mode = transcription?.mode;
  if (mode?.kind !== 'verbatim' || mode.timestampGranularities === undefined) return [];
  return text.split(' ').map((word, index) => ({
    type: 'word_info',
    word,
    start_time: index,
    end_time: index + 1,
    ...(mode.diarization === undefined ? {} : { speaker: 'speaker_1' }),
  }));
};

const composeTranscript = async (call: InteractionCall, told: string | undefined): Promise<InteractionAnswer> => {
  const audios = mediaOf(call).filter(({ mimeType }) => mimeType.startsWith('audio/'));
  if (audios.length === 0) throw invalid('there is nothing to hear');
  const bytes = await Promise.all(audios.map(bytesOf));
  const seconds = bytes.reduce((sum, each) => sum + secondsOf(each), 0);
  const language = call.transcription?.languageCodes?.[0] ?? 'en-US';
  const text =
    told ?? `Sandbox transcript of ${audios.reduce((sum, each) => sum + sizeOf(each), 0)} bytes in ${language}.`;
  return {
    steps: [said(text, wordTimes(call, text))],
    made: null,
    waits: false,
    counts: counted(['input_audio_seconds', seconds], ['output_text_tokens', textTokens(text)]),
  };
};

const offers = ({ tools }: InteractionCall, kind: string): boolean => tools.some((tool) => tool.kind === kind);

/** An agent that may search does so once, for what it was asked. */
const searchSteps = (call: InteractionCall, prompt: string): readonly Step[] => {
  if (!offers(call, 'web_search')) return [];
  const id = callId(`${call.operationId} search`, 0);
  return [
    { kind: 'tool_call', tool: 'web_search', id, arguments: { queries: [prompt] } },
    { kind: 'tool_result', tool: 'web_search', callId: id, result: [{ search_suggestions: '' }] },
  ];
};

const codeSteps = (call: InteractionCall, directives: readonly Directive[]): readonly Step[] =>
  directives.flatMap((directive, index): readonly Step[] => {
    if (directive.kind !== 'code') return [];
    if (!offers(call, 'code_execution')) throw invalid('code execution is not offered');
    const run = runSmallPython(directive.code);
    if (run === undefined) throw invalid('the sandbox cannot run this program');
    const id = callId(`${call.operationId} code`, index);
    return [
      { kind: 'tool_call', tool: 'code_execution', id, arguments: { language: 'python', code: directive.code } },
      { kind: 'tool_result', tool: 'code_execution', callId: id, result: run.output, isError: run.outcome !== 'ok' },
    ];
  });

const functionCalls = (call: InteractionCall, directives: readonly Directive[]): readonly Step[] =>
  directives
    .filter((directive) => directive.kind === 'tool')
    .map(({ name, arguments: json }, index) => {
      const id = callId(call.operationId, index);
      return { kind: 'function_call', id, name, arguments: json, context: callContext(id, name) };
    });

const thoughtSteps = ({ agent }: InteractionCall): readonly Step[] =>
  agent?.thinkingSummaries === 'none' ? [] : [{ kind: 'thought', summary: 'The sandbox makes a plan.' }];

const cited: JsonObject = { type: 'url_citation', url: 'https://example.com/', title: 'Example', start_index: 0 };

const agentText = (call: InteractionCall, prompt: string, told: string | undefined): string => {
  if (told !== undefined) return told;
  if (call.format.kind === 'json') return JSON.stringify(exampleOfSchema(call.format.schema ?? {}));
  const instruction = call.systemInstruction === null ? '' : ' with a system instruction';
  const results = call.input.filter(({ kind }) => kind === 'function_result').length;
  return `Sandbox report after ${call.history.length} earlier steps and ${results} function results${instruction}: "${prompt.slice(0, 200)}".`;
};

const composeAgent = (
  call: InteractionCall,
  prompt: string,
  directives: readonly Directive[],
  told: string | undefined,
): InteractionAnswer => {
  const calls = functionCalls(call, directives);
  const tools = [...searchSteps(call, prompt), ...codeSteps(call, directives)];
  const text = agentText(call, prompt, told);
  const searched = tools.filter((step) => step.kind === 'tool_call' && step.tool === 'web_search').length;
  const ran = tools.filter((step) => step.kind === 'tool_call' && step.tool === 'code_execution').length;
  const annotations = searched > 0 ? [{ ...cited, end_index: text.length }] : [];
  return {
    steps: [...thoughtSteps(call), ...tools, ...(calls.length > 0 ? calls : [said(text, annotations)])],
    made: null,
    waits: calls.length > 0,
    counts: counted(
      ['input_text_tokens', textTokens(prompt) + textTokens(call.systemInstruction ?? '')],
      ['output_text_tokens', calls.length > 0 ? textTokens(JSON.stringify(calls)) : textTokens(text)],
      ...(searched > 0 ? [['web_search_queries', searched] as const] : []),
      ...(ran > 0 ? [['code_execution_runs', ran] as const] : []),
    ),
  };
};

const compose = (
  family: JobFamily,
  call: InteractionCall,
  directives: readonly Directive[],
): InteractionAnswer | Promise<InteractionAnswer> => {
  const prompt = withoutDirectives(inputText(call));
  const told = directives.find((directive) => directive.kind === 'echo' || directive.kind === 'json')?.text;
  switch (family) {
    case 'music':
      return composeMusic(call, prompt);
    case 'video':
      return composeVideo(call, prompt);
    case 'transcription':
      return composeTranscript(call, told);
    case 'agent':
      return composeAgent(call, prompt, directives, told);
  }
};

/** What the sandbox makes of an interaction that is carried out as a job. Throws `NotExecuted` for what it cannot do. */
export const answerInteraction = async (
  call: InteractionCall,
  directives: readonly Directive[],
): Promise<InteractionAnswer> => {
  const family = jobFamily(call.upstreamModel);
  if (family === undefined) throw invalid('the model has no jobs');
  return compose(family, call, directives);
};
