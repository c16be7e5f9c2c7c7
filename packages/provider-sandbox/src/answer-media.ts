import { NotExecuted, unplacedImageField, type GenerationCall, type Speech } from '@tollgate/provider';
import type { AnswerOffer } from './answer-offer.ts';
import { imageSize } from './image-size.ts';
import { base64Bytes } from './sandbox-usage.ts';
import { pngImage } from './png-image.ts';
import { isSpokenWhole, speak, speechRate, type Utterance } from './speech-audio.ts';
import { givesRawAudio, modalitiesOf } from './upstream-model.ts';
import { rawSamples, wavFile } from './wav-container.ts';

/** One output token for each started 40 ms of audio. */
const msPerAudioToken = 40;

const defaultVoice = 'Kore';

/** Bytes of the images that a call brings: another image gives another edit. */
const imageBytesOf = (call: GenerationCall): readonly number[] =>
  (call.contents.at(-1)?.parts ?? []).flatMap((part) => {
    if (part.kind === 'media') return part.mimeType.startsWith('image/') ? [base64Bytes(part.data)] : [];
    return part.kind === 'blob' && part.mimeType.startsWith('image/') ? [part.sizeBytes] : [];
  });

/** What the image of a call shows. */
const subjectOf = (call: GenerationCall, text: string, index: number): string => {
  const edited = imageBytesOf(call);
  const source = edited.length === 0 ? '' : ` (edit of ${edited.join(' and ')} bytes)`;
  return index === 0 ? `${text}${source}` : `${text}${source} ${index + 1}`;
};

/** Images of a text, as many and in the size that the call asks for. */
export const imageOffers = (call: GenerationCall, text: string): readonly AnswerOffer[] => {
  const { image = {} } = call;
  const field = unplacedImageField(image, image.format === 'png' ? ['count', 'format'] : ['count']);
  if (field !== undefined) throw new NotExecuted({ reason: 'unsupported', field, cause: 'no such setting' });
  const size = imageSize(image);
  if (size === undefined)
    throw new NotExecuted({ reason: 'invalid_request', field: 'image', cause: 'no such image size' });
  return Array.from({ length: image.count ?? 1 }, (_, index) => {
    const drawing = { width: size.width, height: size.height, text: subjectOf(call, text, index) };
    const data = pngImage(drawing).toString('base64');
    return {
      parts: [{ kind: 'media', mimeType: 'image/png', data }],
      unit: 'output_image_tokens',
      tokens: size.tokens,
    };
  });
};

/** Refuses a form of audio that there is none of here, before anything runs. */
export const refuseAudioFormat = (call: GenerationCall): void => {
  const { audioFormat = 'wav' } = call;
  if (audioFormat === 'wav' || audioFormat === 'pcm' || !modalitiesOf(call).has('audio')) return;
  throw new NotExecuted({ reason: 'unsupported', field: 'audioFormat', cause: 'no such form of audio' });
};

/** Whether audio comes without a container: as the call says, else as the model does. */
const isRaw = (call: GenerationCall): boolean =>
  call.audioFormat === undefined ? givesRawAudio(call) : call.audioFormat === 'pcm';

/** A text read aloud, in as many voices as the call names. */
export const speechOffer = (call: GenerationCall, text: string): AnswerOffer =>
  audioOffer(utterancesOf(text, call.speech), isRaw(call), Infinity);

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
