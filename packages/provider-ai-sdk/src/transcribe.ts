import type { SharedV4ProviderOptions, TranscriptionModelV4, TranscriptionModelV4Result } from '@ai-sdk/provider';
import type { BlobPart, Generation, GenerationCall, MediaPart, Usage } from '@tollgate/provider';
import { audioSeconds, begunSeconds } from './audio-seconds.ts';
import { beforeSending } from './before-sending.ts';
import { loadMedia } from './media-bytes.ts';
import { bareMediaType, toMediaType } from './media-type.ts';
import { refuse } from './refuse.ts';
import { runSingleCall, type SingleCall } from './single-call.ts';
import { readSinglePrompt, type SinglePrompt } from './single-prompt.ts';
import type { Vendor } from './vendor.ts';

/** What the models of each vendor take beside the audio; a translation is none of it. */
const toOptions = ({ transcription = {} }: GenerationCall, vendor: Vendor): SharedV4ProviderOptions => {
  const { language, prompt, translate } = transcription;
  if (translate === true) refuse('a translation of what is said', 'transcription');
  const openai: { [name: string]: string } = {};
  if (language !== undefined) openai['language'] = language;
  if (prompt !== undefined) openai['prompt'] = prompt;
  if (Object.keys(openai).length === 0) return {};
  return vendor === 'openai' ? { openai } : refuse('the language or the context of audio', 'transcription');
};

/** The one audio file of the prompt; a text beside it is an instruction that no such model takes. */
const readAudio = ({ text, media }: SinglePrompt): MediaPart | BlobPart => {
  const [spoken, ...others] = media;
  if (spoken === undefined || others.length > 0 || !bareMediaType(spoken.mimeType).startsWith('audio/')) {
    return refuse('a transcription of anything but one audio file');
  }
  return text === '' ? spoken : refuse('a text beside the audio');
};

const toUsage = (answer: TranscriptionModelV4Result, audio: string, mimeType: string): readonly Usage[] => {
  const { durationInSeconds } = answer;
  const measured =
    durationInSeconds !== undefined && Number.isFinite(durationInSeconds) && durationInSeconds >= 0
      ? durationInSeconds
      : audioSeconds(Buffer.from(audio, 'base64'), mimeType);
  if (measured === undefined) return [];
  return [{ unit: 'input_audio_seconds', quantity: begunSeconds(measured), confirmed: true }];
};

/** Writes down what is said in audio. */
export const transcribe = async (single: SingleCall<TranscriptionModelV4>): Promise<Generation> => {
  const { model, call, settings } = single;
  // Of a transcription the instruction says what its settings say.
  const carried = call.transcription === undefined ? [] : (['systemInstruction', 'transcription'] as const);
  const spoken = readAudio(readSinglePrompt(call, { carried, output: 'text' }));
  const providerOptions = toOptions(call, settings.vendorOf(model));
  const loaded = await beforeSending(async () => loadMedia(call.contents, settings.mediaBytesMax));
  const audio = spoken.kind === 'media' ? spoken.data : (loaded.get(spoken) ?? '');
  const mediaType = toMediaType(spoken.mimeType);
  const answer = await runSingleCall(single, async (sending) =>
    model.doGenerate({ audio, mediaType, providerOptions, ...sending }),
  );
  return {
    text: answer.text,
    functionCalls: [],
    parts: [{ kind: 'text', text: answer.text }],
    finish: 'stop',
    usage: toUsage(answer, audio, mediaType),
  };
};
