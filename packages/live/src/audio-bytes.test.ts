import { expect, test } from 'vitest';
import { audioBytesOf } from './audio-bytes.ts';

const messageOf = (...sizes: readonly number[]) => ({
  serverContent: { audioChunks: sizes.map((size) => ({ data: Buffer.alloc(size).toString('base64') })) },
});

test.each([0, 1, 2, 3, 4, 5, 6, 1_000])('counts %i bytes of audio without decoding them', (size) => {
  expect(audioBytesOf(messageOf(size))).toBe(size);
});

test('adds the chunks of a message, and counts nothing in what holds no audio', () => {
  expect(audioBytesOf(messageOf(4, 5, 6))).toBe(15);
  for (const body of [{}, { serverContent: null }, { serverContent: { audioChunks: 'x' } }])
    expect(audioBytesOf(body)).toBe(0);
  expect(audioBytesOf({ serverContent: { audioChunks: [null, {}, { data: 5 }] } })).toBe(0);
});
