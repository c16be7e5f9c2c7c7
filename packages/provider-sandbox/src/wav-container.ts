const headerBytes = 44;

/** Samples of 16 bits as they lie on the wire: the low byte first. */
export const rawSamples = (samples: Int16Array): Buffer => {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, index * 2));
  return bytes;
};

/** Samples of 16 bits and one channel as a WAV file. */
export const wavFile = (samples: Int16Array, rate: number): Buffer => {
  const data = rawSamples(samples);
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes - 8 + data.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  // Plain samples, one channel.
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
};
