import assert from 'node:assert/strict';

const headerBytes = 44;
const rate = 16_000;
const toneHz = 440;

/** A tone of 440 hertz: 16 bits, one channel. */
export const writeWav = (ms: number): Buffer => {
  const samples = Math.round((rate * ms) / 1_000);
  const bytes = Buffer.alloc(headerBytes + samples * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  // PCM in one channel.
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1)
    bytes.writeInt16LE(Math.round(10_000 * Math.sin((2 * Math.PI * toneHz * at) / rate)), headerBytes + at * 2);
  return bytes;
};

export interface Audio {
  readonly rate: number;
  readonly ms: number;
  /** The loudest sample. */
  readonly peak: number;
}

/** A sound of 16 bits and one channel, all of which is there. */
export const readWav = (bytes: Buffer): Audio => {
  assert.equal(bytes.toString('latin1', 0, 4), 'RIFF');
  assert.equal(bytes.readUInt32LE(4), bytes.length - 8);
  assert.equal(bytes.toString('latin1', 8, 16), 'WAVEfmt ');
  assert.deepEqual([bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt16LE(34)], [1, 1, 16]);
  assert.equal(bytes.toString('latin1', 36, 40), 'data');
  const count = bytes.readUInt32LE(40) / 2;
  assert.equal(headerBytes + count * 2, bytes.length);
  const samples = Array.from({ length: count }, (_, at) => bytes.readInt16LE(headerBytes + at * 2));
  const audioRate = bytes.readUInt32LE(24);
  return {
    rate: audioRate,
    ms: (count * 1_000) / audioRate,
    peak: samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  };
};
