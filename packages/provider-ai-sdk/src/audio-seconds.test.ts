import { describe, expect, test } from 'vitest';
import { audioSeconds, begunSeconds } from './audio-seconds.ts';

const chunk = (id: string, body: Buffer, size = body.length): Buffer => {
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
};

const format = (bytesPerSecond: number): Buffer => {
  const body = Buffer.alloc(16);
  body.writeUInt32LE(bytesPerSecond, 8);
  return chunk('fmt ', body);
};

const wav = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), ...chunks]);

/** MPEG 1, layer III, 128 kbit/s, 44.1 kHz: 417 bytes and 1,152 samples a frame. */
const frame = (mark = ''): Buffer => {
  const bytes = Buffer.alloc(417);
  bytes.set([0xff, 0xfb, 0x90, 0x00]);
  bytes.write(mark, 36, 'latin1');
  return bytes;
};
const frameSeconds = 1_152 / 44_100;

/** MPEG 2, layer III, 64 kbit/s, 24 kHz: 192 bytes and 576 samples. */
const secondVersion = (): Buffer => {
  const bytes = Buffer.alloc(192);
  bytes.set([0xff, 0xf3, 0x84, 0x00]);
  return bytes;
};

const tag = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, bytes >> 7, bytes & 0x7f]), Buffer.alloc(bytes, 0xff)]);

const audios: readonly (readonly [title: string, mimeType: string, bytes: Buffer, seconds: number | undefined])[] = [
  ['WAV', 'audio/wav', wav(format(8_000), chunk('data', Buffer.alloc(12_000))), 1.5],
  [
    'WAV with other chunks',
    'audio/x-wav',
    wav(chunk('LIST', Buffer.alloc(5)), format(8_000), chunk('data', Buffer.alloc(8_000))),
    1,
  ],
  ['WAV that was streamed', 'audio/wav', wav(format(8_000), chunk('data', Buffer.alloc(4_000), 0xff_ff_ff_ff)), 0.5],
  ['WAV that was cut', 'audio/wav', wav(format(8_000), chunk('data', Buffer.alloc(4_000), 80_000)), 0.5],
  ['WAV without a format', 'audio/wav', wav(chunk('data', Buffer.alloc(8))), undefined],
  ['WAV without sound', 'audio/wav', wav(format(8_000)), undefined],
  ['PCM', 'audio/L16;rate=24000', Buffer.alloc(96_000), 2],
  ['PCM of two channels', 'audio/pcm; rate=24000; channels=2', Buffer.alloc(96_000), 1],
  ['PCM of no rate', 'audio/L16', Buffer.alloc(96_000), undefined],
  ['MP3', 'audio/mpeg', Buffer.concat([frame(), frame()]), 2 * frameSeconds],
  ['MP3 with a tag and a table', 'audio/mp3', Buffer.concat([tag(300), frame('Xing'), frame()]), frameSeconds],
  ['MP3 with bytes in between', 'audio/mpeg', Buffer.concat([frame(), Buffer.alloc(7), frame()]), 2 * frameSeconds],
  ['MP3 of the second version', 'audio/mpeg', Buffer.concat([secondVersion(), secondVersion()]), 0.048],
  ['MP3 that is none', 'audio/mpeg', Buffer.alloc(100), undefined],
  ['another type', 'audio/ogg', Buffer.alloc(100), undefined],
];

describe('tells how long a sound lasts', () => {
  test.each(audios)('%s', (_title, mimeType, bytes, seconds) => {
    expect(audioSeconds(bytes, mimeType)?.toFixed(9)).toBe(seconds?.toFixed(9));
  });
});

test.each([
  [0, 0],
  [0.001, 1],
  [1, 1],
  [1.0000001, 1],
  [1.2, 2],
])('begins %d s as %d', (seconds, whole) => {
  expect(begunSeconds(seconds)).toBe(whole);
});
