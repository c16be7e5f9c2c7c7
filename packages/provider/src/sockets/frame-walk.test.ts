import { expect, test } from 'vitest';
import { createFrameWalk } from './frame-walk.ts';

const frame = (first: number, length: number, masked = true): Buffer => {
  const bit = masked ? 0x80 : 0;
  const head = Buffer.alloc(length > 65_535 ? 10 : length > 125 ? 4 : 2);
  head[0] = first;
  head[1] = bit | (length > 65_535 ? 127 : length > 125 ? 126 : length);
  if (length > 65_535) head.writeBigUInt64BE(BigInt(length), 2);
  else if (length > 125) head.writeUInt16BE(length, 2);
  // A payload that looks like a close.
  return Buffer.concat([head, Buffer.alloc((masked ? 4 : 0) + length, 0x88)]);
};

test.each([
  [true, 1],
  [true, 2],
  [true, 7],
  [false, 1],
  [false, 1_000],
])('finds the end of every frame (masked: %s) in reads of %i bytes', (masked, readBytes) => {
  for (const length of [0, 1, 125, 126, 300, 70_000]) {
    const walk = createFrameWalk();
    const bytes = frame(0x81, length, masked);
    for (let at = 0; at < bytes.length; at += readBytes) {
      expect(walk.isBetweenMessages()).toBe(at === 0);
      walk.pass(bytes.subarray(at, at + readBytes));
    }
    expect([walk.isBetweenMessages(), walk.isClosed()]).toEqual([true, false]);
  }
});

test('stays within a parted message until its last part, whatever stands between its parts', () => {
  const walk = createFrameWalk();
  const between = (bytes: Buffer): boolean => {
    walk.pass(bytes);
    return walk.isBetweenMessages();
  };
  expect([frame(0x01, 9), frame(0x89, 3), frame(0x00, 9), frame(0x8a, 0), frame(0x80, 9)].map(between)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
});

test('sees a close when its payload is there too', () => {
  const walk = createFrameWalk();
  const bytes = Buffer.concat([frame(0x8a, 5), frame(0x88, 2)]);
  walk.pass(bytes.subarray(0, -1));
  expect(walk.isClosed()).toBe(false);
  walk.pass(Buffer.concat([bytes.subarray(-1), frame(0x81, 5).subarray(0, 8)]));
  expect(walk.isClosed()).toBe(true);
});
