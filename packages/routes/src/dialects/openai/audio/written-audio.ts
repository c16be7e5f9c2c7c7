import type { AudioFormat, MediaPart } from '@tollgate/provider';
import type { WrittenBody } from '../../generation/generation-dialect.ts';
import { readWave, writeWave, type Samples } from './wave.ts';

/** Samples a second where bare samples come without a rate. */
const rateDefault = 24_000;

/** Bytes that a model made. */
type Piece = Pick<MediaPart, 'mimeType' | 'data'>;

const isAudio = ({ mimeType }: Piece): boolean => mimeType.startsWith('audio/');

/** Bare samples of 16 bits and one channel, by the type that models give them; null for a file. */
const bareSamples = (mimeType: string, data: Buffer): Samples | null =>
  /^audio\/(?:l16|pcm)\b/i.test(mimeType)
    ? { rate: Number(/rate=(\d{4,6})/.exec(mimeType)?.[1] ?? rateDefault), channels: 1, bits: 16, data }
    : null;

/** The samples of all pieces as one; null where one of them holds none, or of another form. */
const joinSamples = (pieces: readonly (Samples | null)[]): Samples | null => {
  const [first] = pieces;
  if (first === undefined || first === null) return null;
  const alike = pieces.flatMap((each) =>
    each !== null && each.rate === first.rate && each.channels === first.channels && each.bits === first.bits
      ? [each.data]
      : [],
  );
  return alike.length === pieces.length ? { ...first, data: Buffer.concat(alike) } : null;
};

/**
 * The audio of an answer in the form that was asked for, and its type; null where there is none. Samples are put into a WAV file or
 * taken out of one; without a wish they come in a file. Any other audio is what the model gave.
 */
export const writeAudio = (
  media: readonly Piece[],
  format: AudioFormat | null,
): (WrittenBody & { readonly body: Buffer }) | null => {
  const pieces = media.filter(isAudio).map(({ mimeType, data }) => ({ mimeType, data: Buffer.from(data, 'base64') }));
  const [first] = pieces;
  if (first === undefined) return null;
  const samples = joinSamples(pieces.map(({ mimeType, data }) => bareSamples(mimeType, data) ?? readWave(data)));
  if (samples === null) return { contentType: first.mimeType, body: Buffer.concat(pieces.map(({ data }) => data)) };
  return format === 'pcm'
    ? { contentType: `audio/pcm;rate=${samples.rate}`, body: samples.data }
    : { contentType: 'audio/wav', body: writeWave(samples) };
};
