import { expect, test } from 'vitest';
import { readWave } from './wave.ts';

const chunk = (name: string, bytes: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), size, bytes, Buffer.alloc(bytes.length % 2)]);
};

const format = (kind = 1): Buffer => {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(kind, 0);
  bytes.writeUInt16LE(2, 2);
  bytes.writeUInt32LE(24_000, 4);
  bytes.writeUInt16LE(16, 14);
  return chunk('fmt ', bytes);
};

const wave = (...chunks: readonly Buffer[]): Buffer => {
  const head = Buffer.alloc(12);
  head.write('RIFF', 0, 'latin1');
  head.write('WAVE', 8, 'latin1');
  return Buffer.concat([head, ...chunks]);
};

const data = Buffer.from([1, 2, 3, 4]);

test('finds the samples of a file, whatever stands before them', () => {
  const samples = { channels: 2, rate: 24_000, bits: 16, data };
  expect(readWave(wave(format(), chunk('data', data)))).toEqual(samples);
  const other = Buffer.from([1, 0, ...Buffer.alloc(15, 9)]);
  expect(readWave(wave(chunk('LIST', other), format(), chunk('fact', other), chunk('data', data)))).toEqual(samples);
});

test('reads nothing of a file that has no plain samples, or no head', () => {
  expect(readWave(wave(format(3), chunk('data', data)))).toBeNull();
  expect(readWave(wave(chunk('data', data)))).toBeNull();
  expect(readWave(wave(format()))).toBeNull();
  expect(readWave(wave(chunk('fmt ', Buffer.from([1, 0, 2, 0]))))).toBeNull();
  expect(readWave(Buffer.alloc(64))).toBeNull();
  expect(readWave(Buffer.from('RIFF'))).toBeNull();
});
