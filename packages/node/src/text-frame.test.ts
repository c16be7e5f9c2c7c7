import { expect, test } from 'vitest';
import { shortFrameBytesMax, textFrame } from './text-frame.ts';

const headOf = (length: number): Buffer =>
  length > 125 ? Buffer.from([0x81, 126, length >> 8, length & 0xff]) : Buffer.from([0x81, length]);

/** A payload as it lies in what was read from a socket, behind such bytes. */
const behind = (before: Buffer, payload: Buffer): Buffer => {
  const memory = Buffer.allocUnsafeSlow(before.length + payload.length + 3);
  before.copy(memory);
  payload.copy(memory, before.length);
  return memory.subarray(before.length, before.length + payload.length);
};

const lengths = [0, 1, 125, 126, 127, 255, 256, 1_000, shortFrameBytesMax];

test.each(lengths)('writes a final text frame around %i bytes', (length) => {
  const payload = Buffer.alloc(length, 'abcdefg');
  expect(textFrame(payload)).toEqual(Buffer.concat([headOf(length), payload]));
});

test.each(lengths)('passes a frame of %i bytes on that came as one', (length) => {
  const payload = behind(Buffer.concat([Buffer.from('xyz'), headOf(length)]), Buffer.alloc(length, 'abcdefg'));
  const frame = textFrame(payload);
  expect(frame).toEqual(Buffer.concat([headOf(length), payload]));
  expect([frame.buffer, frame.byteOffset + frame.length]).toEqual([
    payload.buffer,
    payload.byteOffset + payload.length,
  ]);
});

test.each([
  ['bytes of another kind', Buffer.from([0x82, 126, 0, 200])],
  ['a part of a message', Buffer.from([0x01, 126, 0, 200])],
  ['a shorter frame', Buffer.from([0x81, 126, 0, 199])],
  ['a longer frame', Buffer.from([0x81, 126, 1, 200])],
  ['a longer length', Buffer.from([0x81, 127, 0, 200])],
  ['a mask', Buffer.from([0x81, 0xfe, 0, 200])],
  ['the end of a head', Buffer.from([0, 200])],
  ['nothing', Buffer.alloc(0)],
])('writes a head of its own behind %s', (_name, before) => {
  const payload = Buffer.alloc(200, 'abcdefg');
  expect(textFrame(behind(before, payload))).toEqual(Buffer.concat([headOf(200), payload]));
});
