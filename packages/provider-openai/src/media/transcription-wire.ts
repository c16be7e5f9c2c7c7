import { formBody, type FormField } from '@tollgate/provider-http';
import {
  asCount,
  asObject,
  asText,
  splitTotal,
  UnknownOutcome,
  withUsageAtLeast,
  type Generation,
  type GenerationCall,
  type Usage,
} from '@tollgate/provider';
import { ask, refuse } from '../ask.ts';
import type { Obstacle } from '../carried-settings.ts';
import { fromErrorInAnswer } from '../from-openai-error.ts';
import type { GenerationWire } from '../generation-wire.ts';
import { checkBlobs } from '../inline-blobs.ts';
import { unplacedSetting } from './unplaced-setting.ts';
import { fileNameOf, isOfType, readUserParts } from './user-parts.ts';

/** With `transcription`, the instruction says in words what its settings say. */
const placed = ['systemInstruction', 'temperature', 'transcription'] as const;

/** Why a call cannot be carried by `/audio/transcriptions`; undefined where it can. */
const cannotTranscribe = (call: GenerationCall): Obstacle | undefined => {
  const unplaced = unplacedSetting(call, placed);
  if (unplaced !== undefined) return unplaced;
  if (call.transcription === undefined) return { field: 'contents', why: 'this wire writes audio down, and no more' };
  if (call.modalities?.some((modality) => modality !== 'text') ?? false)
    return { field: 'modalities', why: 'this wire writes text' };
  const media = readUserParts(call)?.media ?? [];
  const [only] = media;
  return media.length === 1 && only !== undefined && (isOfType(only, 'audio') || isOfType(only, 'video'))
    ? undefined
    : { field: 'contents', why: 'this wire takes one audio' };
};

const text = (name: string, value: string | number | undefined): readonly FormField[] =>
  value === undefined ? [] : [{ name, text: String(value) }];

/** The form of a request. A translation takes no language: what is spoken is found by the model. */
const toTranscriptionForm = (call: GenerationCall): readonly FormField[] => {
  const { language, prompt, translate } = call.transcription ?? {};
  const media = readUserParts(call)?.media ?? [];
  return [
    ...text('model', call.upstreamModel),
    ...text('language', translate === true ? undefined : language),
    ...text('prompt', prompt),
    ...text('temperature', call.sampling.temperature),
    ...text('response_format', 'json'),
    ...media.map((part) => ({ name: 'file', filename: fileNameOf(part), media: part })),
  ];
};

const tokensOf = (input: number, output: number, audio: number): readonly Usage[] => {
  const units = [
    ...splitTotal(input, 'input_text_tokens', [['input_audio_tokens', audio]]),
    ...splitTotal(output, 'output_text_tokens', []),
  ];
  return units.map(([unit, quantity]) => ({ unit, quantity, confirmed: true }));
};

/** Tokens or the seconds of the audio, as the upstream bills; an empty list where it says neither. */
const fromTranscriptionUsage = (value: unknown): readonly Usage[] => {
  const usage = asObject(value);
  const seconds = usage?.['seconds'];
  if (typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0)
    return [{ unit: 'input_audio_seconds', quantity: Math.ceil(seconds), confirmed: true }];
  const input = asCount(usage?.['input_tokens']);
  const output = asCount(usage?.['output_tokens']);
  if (usage === undefined || input === undefined || output === undefined) return [];
  return tokensOf(input, output, asCount(asObject(usage['input_token_details'])?.['audio_tokens']) ?? 0);
};

/** Reads the body of a 2xx answer. Throws where there is no transcript in it. */
const fromTranscription = (body: unknown, apiKey: string | undefined): Generation => {
  const answer = asObject(body);
  const transcript = asText(answer?.['text']);
  const usage = fromTranscriptionUsage(answer?.['usage']);
  if (answer === undefined || (transcript === undefined && answer['text'] !== ''))
    throw withUsageAtLeast(fromErrorInAnswer(body, apiKey) ?? new UnknownOutcome('unreadable_answer'), usage);
  return { text: transcript ?? '', functionCalls: [], finish: 'stop', usage };
};

/** `POST /audio/transcriptions`, and `/audio/translations` where English is asked for. */
export const transcriptionWire: GenerationWire = {
  generate: async (upstream, call, context) => {
    refuse(cannotTranscribe(call));
    checkBlobs(call, upstream.limits.inlineBytesMax);
    const { operationId } = call;
    const answer = await ask(upstream, context, {
      path: call.transcription?.translate === true ? 'audio/translations' : 'audio/transcriptions',
      operationId,
      ...formBody(toTranscriptionForm(call), `tollgate-${operationId}`),
    });
    const generation = fromTranscription(answer, upstream.apiKey);
    const { missingUsage } = upstream;
    if (generation.usage.length > 0 || missingUsage === 'uncertain') return generation;
    return { ...generation, usage: missingUsage(call, generation) };
  },
};
