import { expect, test } from 'vitest';
import { speak, speechMs, speechRate, voicePitchHz } from './speech-audio.ts';
import { rawSamples, wavFile } from './wav-container.ts';

/** Cycles a second, counted where the audio rises through zero. */
const pitchOf = (samples: Int16Array): number => {
  let cycles = 0;
  for (let at = 1; at < samples.length; at += 1) {
    if ((samples[at - 1] ?? 0) < 0 && (samples[at] ?? 0) >= 0) cycles += 1;
  }
  return (cycles * speechRate) / samples.length;
};

const say = (text: string, voice: string): Int16Array => speak([{ text, voice }], Infinity);

test('speaks as long as its text takes, to a limit', () => {
  expect(say('abcdefghij', 'Kore')).toHaveLength(0.6 * speechRate);
  expect(say('abcdefghij'.repeat(2), 'Kore')).toHaveLength(1.2 * speechRate);
  expect(speak([{ text: 'abcdefghij', voice: 'Kore' }], 200)).toHaveLength(0.2 * speechRate);
  expect(say('a'.repeat(10_000), 'Kore')).toHaveLength(120 * speechRate);
  expect(speechMs([{ text: 'a'.repeat(10_000), voice: 'Kore' }])).toBe(600_000);
});

test('speaks in the pitch of the voice', () => {
  const text = 'themanywordsofaspeech';
  for (const voice of ['Kore', 'Puck', 'Zephyr']) {
    const ratio = pitchOf(say(text, voice)) / voicePitchHz(voice);
    // Letters are spoken up to a sixth above the voice's own tone.
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.2);
  }
  expect(pitchOf(say(text, 'Puck')) / pitchOf(say(text, 'Kore'))).toBeCloseTo(
    voicePitchHz('Puck') / voicePitchHz('Kore'),
    1,
  );
});

test('speaks one after the other', () => {
  const [kore, puck] = [say('hello', 'Kore'), say('world', 'Puck')];
  const both = speak(
    [
      { text: 'hello', voice: 'Kore' },
      { text: 'world', voice: 'Puck' },
    ],
    Infinity,
  );
  expect([...both]).toEqual([...kore, ...puck]);
});

test('is silent where nothing is spoken, and loud where something is', () => {
  expect(say(' ,-', 'Kore').every((sample) => sample === 0)).toBe(true);
  expect(say('a', 'Kore').reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeGreaterThan(5_000);
});

test('puts samples into a WAV file that says what they are', () => {
  const samples = Int16Array.from([0, 1, -1, 32_767, -32_768]);
  const file = wavFile(samples, 24_000);
  expect([file.toString('latin1', 0, 4), file.readUInt32LE(4)]).toEqual(['RIFF', file.length - 8]);
  expect([file.toString('latin1', 8, 16), file.readUInt32LE(16)]).toEqual(['WAVEfmt ', 16]);
  // Plain samples, one channel, 24,000 a second, 48,000 bytes a second, two bytes and 16 bits each.
  expect([20, 22, 32, 34].map((at) => file.readUInt16LE(at))).toEqual([1, 1, 2, 16]);
  expect([24, 28].map((at) => file.readUInt32LE(at))).toEqual([24_000, 48_000]);
  expect([file.toString('latin1', 36, 40), file.readUInt32LE(40)]).toEqual(['data', 10]);
  const data = file.subarray(44);
  expect(Array.from({ length: 5 }, (_, index) => data.readInt16LE(index * 2))).toEqual([...samples]);
  expect(rawSamples(samples).equals(data)).toBe(true);
});
