import { NotExecuted, type GenerationCall, type Speech } from '@tollgate/provider';
import type { AnswerOffer } from './answer-offer.ts';
import { imageSize } from './image-size.ts';
import { pngImage } from './png-image.ts';
import { isSpokenWhole, speak, speechRate, type Utterance } from './speech-audio.ts';
import { givesRawAudio } from './upstream-model.ts';
import { rawSamples, wavFile } from './wav-container.ts';

/** One output token for each started 40 ms of audio. */
const msPerAudioToken = 40;

const defaultVoice = 'Kore';

/** An image of a text, in the size that the call asks for. */
export const imageOffer = (call: GenerationCall, text: string): AnswerOffer => {
  const size = imageSize(call.image ?? {});
  if (size === undefined) throw new NotExecuted({ reason: 'invalid_request', cause: 'no such image size' });
  const data = pngImage({ width: size.width, height: size.height, text }).toString('base64');
  return { parts: [{ kind: 'media', mimeType: 'image/png', data }], unit: 'output_image_tokens', tokens: size.tokens };
};

/** A text read aloud, in as many voices as the call names. */
export const speechOffer = (call: GenerationCall, text: string): AnswerOffer =>
  audioOffer(utterancesOf(text, call.speech), givesRawAudio(call), Infinity);

const audioOffer = (utterances: readonly Utterance[], raw: boolean, limitMs: number): AnswerOffer => {
  const samples = speak(utterances, limitMs);
  const [mimeType, bytes] = raw
    ? [`audio/L16;rate=${speechRate}`, rawSamples(samples)]
    : ['audio/wav', wavFile(samples, speechRate)];
  const tokens = Math.ceil((samples.length * 1_000) / speechRate / msPerAudioToken);
  return {
    parts: samples.length === 0 ? [] : [{ kind: 'media', mimeType, data: bytes.toString('base64') }],
    unit: 'output_audio_tokens',
    // A speech that goes on behind the longest one never fits, and is cut there.
    tokens: isSpokenWhole(utterances, limitMs) ? tokens : Infinity,
    cut: (tokensMax) => ({
      ...audioOffer(utterances, raw, tokensMax * msPerAudioToken),
      tokens: Math.min(tokens, tokensMax),
    }),
  };
};

/** Who says what: a line that begins with the name of a speaker, and what follows it, is said in that speaker's voice. */
const utterancesOf = (text: string, speech: Speech | undefined): readonly Utterance[] => {
  if (speech?.kind !== 'several_voices') return [{ text, voice: speech?.voice ?? defaultVoice }];
  let voice = speech.speakers[0]?.voice ?? defaultVoice;
  return text.split('\n').map((line) => {
    const named = speech.speakers.find(({ speaker }) => line.trimStart().startsWith(`${speaker}:`));
    if (named === undefined) return { text: line, voice };
    voice = named.voice;
    return {
      text: line
        .trimStart()
        .slice(named.speaker.length + 1)
        .trimStart(),
      voice,
    };
  });
};
