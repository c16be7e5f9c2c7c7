import { bareMediaType } from './media-type.ts';
import { mp3Seconds } from './mp3-seconds.ts';

/** The end of the data chunk where a header was written before the sound was known. */
const unknownSizes = new Set([0, 0xff_ff_ff_ff]);
const chunkHeaderBytes = 8;

const wavSeconds = (bytes: Buffer): number | undefined => {
  let bytesPerSecond = 0;
  let offset = 12;
  while (offset + chunkHeaderBytes <= bytes.length) {
    const id = bytes.toString('latin1', offset, offset + 4);
    const size = bytes.readUInt32LE(offset + 4);
    const start = offset + chunkHeaderBytes;
    if (id === 'fmt ' && start + 12 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(start + 8);
    if (id === 'data') {
      const left = bytes.length - start;
      return bytesPerSecond === 0 ? undefined : (unknownSizes.has(size) ? left : Math.min(size, left)) / bytesPerSecond;
    }
    // Chunks begin at even places.
    offset = start + size + (size % 2);
  }
  return undefined;
};

const parameter = (mimeType: string, name: string): number | undefined => {
  const found = new RegExp(`;\\s*${name}=(\\d{1,7})`, 'i').exec(mimeType)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** PCM of 16 bits, whose rate and channels only its type tells. */
const pcmSeconds = (bytes: Buffer, mimeType: string): number | undefined => {
  const rate = parameter(mimeType, 'rate') ?? 0;
  const channels = parameter(mimeType, 'channels') ?? 1;
  return rate === 0 || channels === 0 ? undefined : bytes.length / (2 * channels * rate);
};

/** How long a sound lasts, from its bytes: WAV and PCM exactly, MP3 by its frames. Undefined where they do not tell. */
export const audioSeconds = (bytes: Buffer, mimeType: string): number | undefined => {
  switch (bareMediaType(mimeType)) {
    case 'audio/wav':
    case 'audio/wave':
    case 'audio/x-wav':
    case 'audio/vnd.wave':
      return wavSeconds(bytes);
    case 'audio/l16':
    case 'audio/pcm':
      return pcmSeconds(bytes, mimeType);
    case 'audio/mpeg':
    case 'audio/mp3':
      return mp3Seconds(bytes);
    default:
      return undefined;
  }
};

/** Whole seconds, begun ones included; what floating point adds to a whole second does not begin another. */
export const begunSeconds = (seconds: number): number => Math.ceil(Math.round(seconds * 1_000) / 1_000);
