import { Writable } from 'node:stream';
import { assert, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { shortFrameBytesMax, writeMasked } from './masked-frame.ts';

/** Takes every frame over at once, as the system does. */
const takingSocket = () => {
  const frames: Buffer[] = [];
  const wire = new Writable({
    write: (frame: Buffer, _encoding, done) => {
      frames.push(Buffer.from(frame));
      done();
    },
  });
  return { wire, frames };
};

/** Keeps what is written, as where the peer does not read. */
const fullSocket = () => {
  const kept: Buffer[] = [];
  const wire = new Writable({ highWaterMark: 1, write: (frame: Buffer) => void kept.push(frame) });
  return { wire, kept };
};

const readFrame = (frame: Buffer) => {
  const short = (frame[1] ?? 0) & 0x7f;
  const maskAt = short === 126 ? 4 : 2;
  const mask = frame.subarray(maskAt, maskAt + 4);
  const payload = Buffer.from(frame.subarray(maskAt + 4).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  const length = short === 126 ? frame.readUInt16BE(2) : short;
  return { first: frame[0], isMasked: ((frame[1] ?? 0) & 0x80) !== 0, length, mask, payload };
};

test('writes a final text frame of every length, masked', () => {
  const { wire, frames } = takingSocket();
  const lengths = [0, 1, 2, 3, 4, 5, 125, 126, 127, 128, shortFrameBytesMax];
  const payloads = lengths.map((length) => Buffer.alloc(length, 'abcdefg'));
  for (const payload of payloads) writeMasked(wire, payload);
  for (const [index, payload] of payloads.entries()) {
    const frame = readFrame(frames[index] ?? Buffer.alloc(0));
    expect(frame).toMatchObject({ first: 0x81, isMasked: true, length: payload.length });
    expect(frame.payload).toEqual(payload);
  }
});

test('carries any bytes, and leaves those of the caller as they are', () => {
  assert(
    property(uint8Array({ maxLength: 300 }), (bytes) => {
      const { wire, frames } = takingSocket();
      const before = Buffer.from(bytes);
      writeMasked(wire, bytes);
      expect(Buffer.from(bytes)).toEqual(before);
      expect(readFrame(frames[0] ?? Buffer.alloc(0)).payload).toEqual(before);
    }),
    { seed: 20_261_126 },
  );
});

test('masks every frame with another mask', () => {
  const { wire, frames } = takingSocket();
  for (let count = 0; count < 5_000; count += 1) writeMasked(wire, Buffer.from('x'));
  expect(new Set(frames.map((frame) => readFrame(frame).mask.toString('hex'))).size).toBeGreaterThan(4_990);
});

test('leaves a frame alone that its socket has not taken over, whatever is written to it and to others', () => {
  const { wire, kept } = fullSocket();
  const other = takingSocket();
  writeMasked(wire, Buffer.from('first'));
  writeMasked(other.wire, Buffer.from('other'));
  writeMasked(wire, Buffer.from('second'));
  writeMasked(other.wire, Buffer.from('more'));
  expect(kept.map((frame) => readFrame(frame).payload.toString())).toEqual(['first']);
  expect(other.frames.map((frame) => readFrame(frame).payload.toString())).toEqual(['other', 'more']);
});
