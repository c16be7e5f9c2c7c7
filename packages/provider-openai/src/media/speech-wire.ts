import { jsonBody, type WireHeaders } from '@tollgate/provider-http';
import {
  asObject,
  asText,
  UnknownOutcome,
  type AudioFormat,
  type Generation,
  type GenerationCall,
  type JsonObject,
} from '@tollgate/provider';
import { ask, refuse } from '../ask.ts';
import type { Obstacle } from '../carried-settings.ts';
import { fromErrorInAnswer } from '../from-openai-error.ts';
import type { GenerationWire } from '../generation-wire.ts';
import { createByteAnswer } from './byte-answer.ts';
import { unplacedSetting } from './unplaced-setting.ts';
import { readUserParts } from './user-parts.ts';

const mimeTypes: { readonly [Format in AudioFormat]: string } = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/L16;rate=24000',
};

const formatOf = ({ audioFormat }: GenerationCall): AudioFormat => audioFormat ?? 'wav';

const placed = ['systemInstruction', 'speech', 'audioFormat'] as const;

/** Why a call cannot be carried by `/audio/speech`; undefined where it can. */
const cannotSpeak = (call: GenerationCall): Obstacle | undefined => {
  const unplaced = unplacedSetting(call, placed);
  if (unplaced !== undefined) return unplaced;
  if (call.modalities !== undefined && !call.modalities.includes('audio'))
    return { field: 'modalities', why: 'this wire speaks' };
  const parts = readUserParts(call);
  if (parts === undefined || parts.media.length > 0) return { field: 'contents', why: 'this wire speaks one text' };
  const isOneVoice = call.speech?.kind === 'one_voice' && call.speech.language === undefined;
  return isOneVoice ? undefined : { field: 'speech', why: 'this wire has one voice, which must be named' };
};

/** Writes a call as the body of `POST /audio/speech`. */
const toSpeech = (call: GenerationCall): JsonObject => ({
  model: call.upstreamModel,
  input: readUserParts(call)?.text ?? '',
  instructions: call.systemInstruction ?? undefined,
  voice: call.speech?.kind === 'one_voice' ? call.speech.voice : undefined,
  response_format: formatOf(call),
});

/** An error may come as JSON with a good status. */
const isAudio = (headers: WireHeaders): boolean => {
  const type = headers['content-type'];
  return typeof type !== 'string' || !type.toLowerCase().includes('json');
};

const fromSpeech = (call: GenerationCall, body: unknown, apiKey: string | undefined): Generation => {
  const data = asText(asObject(body)?.['base64']) ?? '';
  if (data === '') throw fromErrorInAnswer(body, apiKey) ?? new UnknownOutcome('unreadable_answer');
  // The upstream counts nothing in its answer. What it bills by is the text, which is known.
  const characters = Array.from(readUserParts(call)?.text ?? '').length;
  return {
    text: '',
    functionCalls: [],
    parts: [{ kind: 'media', mimeType: mimeTypes[formatOf(call)], data }],
    finish: 'stop',
    usage: [{ unit: 'speech_characters', quantity: characters, confirmed: true }],
  };
};

/** `POST /audio/speech`, measured by the characters that are spoken. */
export const speechWire: GenerationWire = {
  generate: async (upstream, call, context) => {
    refuse(cannotSpeak(call));
    const body = await ask(upstream, context, {
      path: 'audio/speech',
      operationId: call.operationId,
      body: jsonBody(toSpeech(call)),
      stream: createByteAnswer(),
      streams: isAudio,
    });
    return fromSpeech(call, body, upstream.apiKey);
  },
};
