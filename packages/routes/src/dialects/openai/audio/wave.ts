/** Samples as they lie in a file or on the wire: 16 bits and one channel where nothing else is said. */
export interface Samples {
  readonly rate: number;
  readonly channels: number;
  readonly bits: number;
  readonly data: Buffer;
}

const headerBytes = 44;
const plainSamples = 1;

/** What the head of a WAV file says of samples that lie in it as they are, and where they lie. */
interface WaveHead extends Omit<Samples, 'data'> {
  readonly from: number;
  readonly sizeBytes: number;
}

const readHead = (file: Buffer): WaveHead | null => {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    return null;
  let format: Omit<Samples, 'data'> | null = null;
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const sizeBytes = file.readUInt32LE(at + 4);
    const from = at + 8;
    if (name === 'fmt ' && from + 16 <= file.length && file.readUInt16LE(from) === plainSamples)
      format = {
        channels: file.readUInt16LE(from + 2),
        rate: file.readUInt32LE(from + 4),
        bits: file.readUInt16LE(from + 14),
      };
    if (name === 'data') return format === null ? null : { ...format, from, sizeBytes };
    at = from + sizeBytes + (sizeBytes % 2);
  }
  return null;
};

/** The samples of a WAV file that holds them as they are; null for any other file. */
export const readWave = (file: Buffer): Samples | null => {
  const head = readHead(file);
  if (head === null) return null;
  const { from, sizeBytes, ...format } = head;
  return { ...format, data: file.subarray(from, from + sizeBytes) };
};

/**
 * Seconds of a WAV file of `fileBytes`, by its first bytes; null where they do not tell. A recorder that did not know the length
 * wrote the largest number in its place.
 */
export const waveSeconds = (first: Buffer, fileBytes: number): number | null => {
  const head = readHead(first);
  if (head === null) return null;
  const bytesPerSecond = (head.rate * head.channels * head.bits) / 8;
  const sizeBytes = Math.max(0, Math.min(head.sizeBytes, fileBytes - head.from));
  return bytesPerSecond === 0 ? null : sizeBytes / bytesPerSecond;
};

/** Samples as a WAV file. */
export const writeWave = ({ rate, channels, bits, data }: Samples): Buffer => {
  const header = Buffer.alloc(headerBytes);
  const frameBytes = (channels * bits) / 8;
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes - 8 + data.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(plainSamples, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(bits, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
};
