const rate = 16_000;
const headerBytes = 44;

/** A second of sound as a microphone would give it, in a WAV file: two tones, the second softer. */
export const microphoneFile = (): Buffer => {
  const file = Buffer.alloc(headerBytes + rate * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(headerBytes - 8 + rate * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(rate * 2, 40);
  for (let at = 0; at < rate; at += 1) {
    const level = at < rate / 2 ? 8_000 : 3_000;
    file.writeInt16LE(Math.round(level * Math.sin((2 * Math.PI * 220 * at) / rate)), headerBytes + at * 2);
  }
  return file;
};
