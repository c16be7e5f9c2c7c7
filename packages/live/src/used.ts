import type { Usage } from '@tollgate/provider';
import type { Used } from './session-state.ts';

/** Music is 48,000 samples a second of 16 bits on two channels. */
const audioBytesPerSecond = 48_000 * 2 * 2;
/** Music is noted every ten seconds: often enough for a hold of a minute, and seldom enough for the storage. */
const recordEveryBytes = 10 * audioBytesPerSecond;

export const addUsage = (used: Used, usage: readonly Usage[]): Used => {
  const units = new Map(used.units);
  for (const { unit, quantity } of usage) units.set(unit, (units.get(unit) ?? 0) + quantity);
  return { ...used, units };
};

export const addAudio = (used: Used, bytes: number): Used => ({ ...used, audioBytes: used.audioBytes + bytes });

/** Whether so much music has come since the last note that another one is due. */
export const isAudioDue = ({ audioBytes, recordedBytes }: Used): boolean =>
  audioBytes - recordedBytes >= recordEveryBytes;

export const audioRecorded = (used: Used): Used => ({ ...used, recordedBytes: used.audioBytes });

/** The sum so far, in units that do not overlap; sound in started seconds. An explicit zero is a measure. */
export const toUsage = ({ units, audioBytes }: Used): readonly Usage[] => {
  const usage: Usage[] = [...units].map(([unit, quantity]) => ({ unit, quantity, confirmed: true }));
  if (audioBytes > 0)
    usage.push({ unit: 'music_seconds', quantity: Math.ceil(audioBytes / audioBytesPerSecond), confirmed: true });
  return usage;
};
