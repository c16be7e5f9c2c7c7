import { createHash } from 'node:crypto';

/** Samples a second of everything that the sandbox says: 16 bits, one channel. */
export const speechRate = 24_000;

const letterMs = 60;
const stopMs = 180;
/** The longest speech: two minutes. What is longer is cut there. */
const speechMsMax = 120_000;

const amplitude = 0.3 * 32_767;
/** Letters begin and end softly, so that they do not click. */
const fadeSamples = 120;
const toneSteps = 5;

export interface Utterance {
  readonly text: string;
  readonly voice: string;
}

/** The pitch of a voice: between 110 and 330 hertz, told by its name alone. */
export const voicePitchHz = (voice: string): number => {
  const share = createHash('sha256').update(voice.toLowerCase()).digest().readUInt16BE(0) / 0xffff;
  return 110 * 3 ** share;
};

const letterLength = (character: string): number => ('.!?\n'.includes(character) ? stopMs : letterMs);

/** How long a text takes, in milliseconds, without any limit. */
export const speechMs = (utterances: readonly Utterance[]): number =>
  utterances.reduce((sum, { text }) => Array.from(text).reduce((ms, letter) => ms + letterLength(letter), sum), 0);

/** Writes one letter: a tone, a little higher for some than for others, or silence for what is not spoken. */
const speakLetter = (samples: Int16Array, start: number, letter: string, pitchHz: number): number => {
  const length = Math.min(Math.round((letterLength(letter) * speechRate) / 1_000), samples.length - start);
  if (!/[\p{L}\p{N}]/u.test(letter)) return length;
  const toneHz = pitchHz * 2 ** (((letter.codePointAt(0) ?? 0) % toneSteps) / 24);
  for (let at = 0; at < length; at += 1) {
    const angle = (2 * Math.PI * toneHz * at) / speechRate;
    const fade = Math.min(1, at / fadeSamples, (length - at) / fadeSamples);
    samples[start + at] = Math.round(amplitude * fade * (Math.sin(angle) + 0.2 * Math.sin(2 * angle)));
  }
  return length;
};

/** Speaks: samples of 16 bits, no longer than the limit. The same words in the same voices always give the same samples. */
export const speak = (utterances: readonly Utterance[], limitMs: number): Int16Array => {
  const ms = Math.min(speechMs(utterances), limitMs, speechMsMax);
  const samples = new Int16Array(Math.round((ms * speechRate) / 1_000));
  let at = 0;
  for (const { text, voice } of utterances) {
    const pitchHz = voicePitchHz(voice);
    for (const letter of text) {
      if (at >= samples.length) return samples;
      at += speakLetter(samples, at, letter, pitchHz);
    }
  }
  return samples;
};

/** Whether the whole of it can be spoken within a limit. */
export const isSpokenWhole = (utterances: readonly Utterance[], limitMs: number): boolean =>
  speechMs(utterances) <= Math.min(limitMs, speechMsMax);
