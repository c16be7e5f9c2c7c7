import { expect, test } from 'vitest';
import { readWave, waveSeconds, writeWave } from './wave.ts';
import { writeAudio } from './written-audio.ts';

const bare = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const raw = (data: Buffer, mimeType = 'audio/L16;rate=24000') => ({ mimeType, data: data.toString('base64') });
const wave = writeWave({ rate: 24_000, channels: 1, bits: 16, data: bare });

test('reads what it wrote, and the samples of a file with further chunks', () => {
  expect(readWave(wave)).toEqual({ rate: 24_000, channels: 1, bits: 16, data: bare });
  const more = Buffer.concat([wave.subarray(0, 36), Buffer.from('LIST\u0003\0\0\0abc\0'), wave.subarray(36)]);
  expect(readWave(more)?.data).toEqual(bare);
});

test('reads no samples of another file, of a cut one or of packed samples', () => {
  const packed = Buffer.from(wave);
  packed.writeUInt16LE(85, 20);
  for (const file of [
    Buffer.alloc(0),
    Buffer.from('RIFF'),
    Buffer.from('ID3 and more bytes'),
    wave.subarray(0, 30),
    packed,
  ])
    expect(readWave(file)).toBeNull();
});

test('tells the seconds of a file by its first bytes, and of one whose length was not known when it was begun', () => {
  const second = writeWave({ rate: 24_000, channels: 1, bits: 16, data: Buffer.alloc(48_000) });
  expect(waveSeconds(second.subarray(0, 64), second.length)).toBe(1);
  second.writeUInt32LE(0xffffffff, 40);
  expect(waveSeconds(second.subarray(0, 64), second.length)).toBe(1);
  expect(waveSeconds(second.subarray(0, 40), second.length)).toBeNull();
  second.writeUInt32LE(0, 24);
  expect(waveSeconds(second, second.length)).toBeNull();
});

test('puts samples into a file unless they are asked for bare, and joins their pieces', () => {
  const pieces = [raw(bare.subarray(0, 10)), raw(bare.subarray(10))];
  expect(writeAudio(pieces, null)).toEqual({ contentType: 'audio/wav', body: wave });
  expect(writeAudio(pieces, 'wav')?.body).toEqual(wave);
  expect(writeAudio(pieces, 'pcm')).toEqual({ contentType: 'audio/pcm;rate=24000', body: bare });
  expect(writeAudio([{ mimeType: 'audio/wav', data: wave.toString('base64') }], 'pcm')?.body).toEqual(bare);
});

test('leaves any other audio as the model gave it, and pieces of different rates apart from each other', () => {
  const mp3 = { mimeType: 'audio/mpeg', data: Buffer.from('ID3').toString('base64') };
  expect(writeAudio([mp3, mp3], 'mp3')).toEqual({ contentType: 'audio/mpeg', body: Buffer.from('ID3ID3') });
  const other = raw(bare, 'audio/L16;rate=8000');
  expect(writeAudio([raw(bare), other], 'pcm')?.contentType).toBe('audio/L16;rate=24000');
});

test('finds no audio where only images came, or nothing', () => {
  expect(writeAudio([], 'wav')).toBeNull();
  expect(writeAudio([{ mimeType: 'image/png', data: 'AAAA' }], 'wav')).toBeNull();
});
