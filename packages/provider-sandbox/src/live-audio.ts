import { speak } from './speech-audio.ts';
import { rawSamples } from './wav-container.ts';

/** Speech goes out in pieces of so much: a tenth of a second at 24 kHz. */
const samplesPerPiece = 2_400;
/** A second of music: 48,000 samples of 16 bits on two channels. */
const musicRate = 48_000;
const musicMs = 100;

/** The speech of a text in a voice, in pieces of base64. */
export const speechPieces = (text: string, voice: string): readonly string[] => {
  const samples = speak([{ text, voice }], 120_000);
  const pieces: string[] = [];
  for (let from = 0; from < samples.length; from += samplesPerPiece)
    pieces.push(rawSamples(samples.subarray(from, from + samplesPerPiece)).toString('base64'));
  return pieces;
};

/** How long a piece of music is. */
export const musicPieceMs = musicMs;

/** The pitch of a text, the same for the same text. */
const pitchOf = (text: string): number =>
  220 + (Array.from(text).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 440);

/** A tenth of a second of music: the prompts' pitches by their weights, on two channels. */
export const musicPiece = (
  prompts: readonly { readonly text: string; readonly weight: number }[],
  index: number,
): string => {
  const frames = (musicRate * musicMs) / 1_000;
  const samples = new Int16Array(frames * 2);
  const total = prompts.reduce((sum, { weight }) => sum + Math.abs(weight), 0) || 1;
  for (let at = 0; at < frames; at += 1) {
    const seconds = (index * frames + at) / musicRate;
    const level = prompts.reduce(
      (sum, { text, weight }) => sum + (weight / total) * Math.sin(2 * Math.PI * pitchOf(text) * seconds),
      0,
    );
    samples[at * 2] = Math.round(level * 8_000);
    samples[at * 2 + 1] = Math.round(level * 6_000);
  }
  return rawSamples(samples).toString('base64');
};
