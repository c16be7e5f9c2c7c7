import { expect, test } from 'vitest';
import { readTextFrames } from './text-frames.ts';

/** A frame as it stands on the wire; the mask, of a client alone, is not zero. */
const frameOf = (payload: Buffer, masked: boolean, first = 0x81): Buffer => {
  const head =
    payload.length > 125 ? [first, 126, payload.length >> 8, payload.length & 0xff] : [first, payload.length];
  if (!masked) return Buffer.concat([Buffer.from(head), payload]);
  const mask = Buffer.from([0xa1, 0x02, 0xf3, 0x44]);
  head[1] = (head[1] ?? 0) | 0x80;
  return Buffer.concat([Buffer.from(head), mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
};

/** At another place of its memory, as a read of several frames puts it. */
const moved = (bytes: Buffer, by: number): Buffer => Buffer.concat([Buffer.alloc(by), bytes]).subarray(by);

const read = (bytes: Buffer, masked = true, payloadBytesMax = 60_000) => {
  const texts: string[] = [];
  const taken = readTextFrames(bytes, { masked, payloadBytesMax }, (utf8) => void texts.push(utf8.toString('utf8')));
  return { taken, texts };
};

const lengths = [0, 1, 2, 3, 5, 125, 126, 127, 1_000, 60_000];
const textOf = (length: number): Buffer => Buffer.alloc(length, 'abcdefg');

test.each(lengths)('reads texts of %i bytes wherever they lie', (length) => {
  for (const masked of [true, false])
    for (const by of [0, 1, 2, 3]) {
      const bytes = moved(Buffer.concat([frameOf(textOf(length), masked), frameOf(Buffer.from('é'), masked)]), by);
      expect(read(bytes, masked)).toEqual({ taken: bytes.length, texts: [textOf(length).toString(), 'é'] });
    }
});

test.each([
  ['bytes', frameOf(textOf(9), true, 0x82)],
  ['a ping', frameOf(textOf(9), true, 0x89)],
  ['a close', frameOf(Buffer.alloc(0), true, 0x88)],
  ['the beginning of a parted text', frameOf(textOf(9), true, 0x01)],
  ['the end of a parted text', frameOf(textOf(9), true, 0x80)],
  ['a reserved bit', frameOf(textOf(9), true, 0xc1)],
  ['no mask', frameOf(textOf(9), false)],
  ['a length of eight bytes', Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4])],
  ['more than is allowed', frameOf(textOf(60_001), true)],
  ['half of a frame', frameOf(textOf(200), true).subarray(0, 100)],
  ['half of a head', frameOf(textOf(200), true).subarray(0, 3)],
  ['one byte', frameOf(textOf(200), true).subarray(0, 1)],
])('stops at %s', (_name, next) => {
  const first = frameOf(Buffer.from('first'), true);
  const bytes = Buffer.concat([first, next]);
  expect(read(bytes)).toEqual({ taken: first.length, texts: ['first'] });
});

test('takes no mask of a server', () => {
  expect(read(frameOf(textOf(9), true), false)).toEqual({ taken: 0, texts: [] });
});

test.each([true, false])('stops at what is no UTF-8, and leaves its bytes as they came (masked: %s)', (masked) => {
  const bytes = frameOf(Buffer.from([0x61, 0xc3, 0x28, 0x61, 0x62]), masked);
  const before = Buffer.from(bytes);
  expect(read(bytes, masked)).toEqual({ taken: 0, texts: [] });
  expect(bytes).toEqual(before);
});
