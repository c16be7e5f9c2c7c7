import type { SpeechModelV4, SpeechModelV4CallOptions, SpeechModelV4Result } from '@ai-sdk/provider';
import { asObject, asText, UnknownOutcome, type Generation, type GenerationCall, type Usage } from '@tollgate/provider';
import { audioSeconds, begunSeconds } from './audio-seconds.ts';
import type { SpeechOptions } from './ai-sdk-provider-options.ts';
import { bareMediaType, sniffAudio } from './media-type.ts';
import { refuse } from './refuse.ts';
import { runSingleCall, type SingleCall } from './single-call.ts';
import { readSinglePrompt } from './single-prompt.ts';
import type { Vendor } from './vendor.ts';

type VoiceOptions = Pick<SpeechModelV4CallOptions, 'voice' | 'language' | 'providerOptions'>;

const toVoice = ({ speech }: GenerationCall, vendor: Vendor): VoiceOptions => {
  if (speech === undefined) return {};
  const language = speech.language === undefined ? {} : { language: speech.language };
  if (speech.kind === 'one_voice') return { voice: speech.voice, ...language };
  if (vendor !== 'google') return refuse('several voices, which only models of Google have', 'speech');
  const speakerVoiceConfigs = speech.speakers.map(({ speaker, voice }) => ({
    speaker,
    voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } },
  }));
  return { ...language, providerOptions: { google: { multiSpeakerVoiceConfig: { speakerVoiceConfigs } } } };
};

/** What the bytes are, or else what the model, its upstream or the host say that they are. */
const mimeTypeOf = (bytes: Buffer, answer: SpeechModelV4Result, options: SpeechOptions): string => {
  const sniffed = sniffAudio(bytes);
  if (sniffed !== undefined) return sniffed;
  const said = asText(asObject(answer.providerMetadata?.['google'])?.['mimeType']);
  const header = asText(answer.response.headers?.['content-type']);
  const named = header !== undefined && bareMediaType(header).startsWith('audio/') ? header : undefined;
  return said ?? named ?? options.mimeType ?? 'application/octet-stream';
};

const toUsage = (text: string, bytes: Buffer, mimeType: string, { meter }: SpeechOptions): readonly Usage[] => {
  if (meter === 'speech_characters') {
    return [{ unit: 'speech_characters', quantity: Array.from(text).length, confirmed: true }];
  }
  const seconds = audioSeconds(bytes, mimeType);
  if (seconds === undefined) return [];
  return [{ unit: 'output_audio_seconds', quantity: begunSeconds(seconds), confirmed: true }];
};

/** Speaks a text. */
export const generateSpeech = async (single: SingleCall<SpeechModelV4>): Promise<Generation> => {
  const { model, call, settings } = single;
  const { text, media } = readSinglePrompt(call, {
    carried: ['systemInstruction', 'speech', 'audioFormat'],
    output: 'audio',
  });
  if (media.length > 0) refuse('media for a model that speaks');
  const voice = toVoice(call, settings.vendorOf(model));
  const format = call.audioFormat ?? settings.speech.format;
  const answer = await runSingleCall(single, async (sending) =>
    model.doGenerate({
      text,
      ...voice,
      ...(call.systemInstruction === null ? {} : { instructions: call.systemInstruction }),
      ...(format === undefined ? {} : { outputFormat: format }),
      ...sending,
    }),
  );
  const bytes = typeof answer.audio === 'string' ? Buffer.from(answer.audio, 'base64') : Buffer.from(answer.audio);
  if (bytes.length === 0) throw new UnknownOutcome('unreadable_answer', 'no sound');
  const mimeType = mimeTypeOf(bytes, answer, settings.speech);
  return {
    text: '',
    functionCalls: [],
    parts: [{ kind: 'media', mimeType, data: bytes.toString('base64') }],
    finish: 'stop',
    usage: toUsage(text, bytes, mimeType, settings.speech),
  };
};
