import { createHash } from 'node:crypto';
import { speechRate } from './speech-audio.ts';

/** Samples a second of everything that the sandbox plays: 16 bits, one channel. */
export const tuneRate = speechRate;

const noteMs = 250;
const amplitude = 0.25 * 32_767;
/** Notes begin and end softly, so that they do not click. */
const fadeSamples = 200;
const lowestHz = 220;
/** A scale of five tones, in which everything sounds well together. */
const scale = [0, 2, 4, 7, 9, 12] as const;

const toneHz = (hash: Buffer, reference: number): number => {
  const step = scale[(hash[reference % hash.length] ?? 0) % scale.length] ?? 0;
  return lowestHz * 2 ** (step / 12);
};

/** A tune: the same text always gives the same samples. */
export const playTune = (text: string, seconds: number): Int16Array => {
  const hash = createHash('sha256').update(text).digest();
  const samples = new Int16Array(seconds * tuneRate);
  const noteSamples = Math.round((noteMs * tuneRate) / 1_000);
  for (let start = 0, reference = 0; start < samples.length; start += noteSamples, reference += 1) {
    const hz = toneHz(hash, reference);
    const length = Math.min(noteSamples, samples.length - start);
    for (let at = 0; at < length; at += 1) {
      const fade = Math.min(1, at / fadeSamples, (length - at) / fadeSamples);
      samples[start + at] = Math.round(amplitude * fade * Math.sin((2 * Math.PI * hz * at) / tuneRate));
    }
  }
  return samples;
};
