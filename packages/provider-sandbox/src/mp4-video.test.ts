import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOf, mp4Video } from './mp4-video.ts';
import { videoSize } from './video-size.ts';

interface Box {
  readonly type: string;
  /** Where its content begins in the file. */
  readonly at: number;
  readonly content: Buffer;
}

/** The boxes of one level, as every reader of the format takes them apart. */
const boxesOf = (bytes: Buffer, base = 0): readonly Box[] => {
  const boxes: Box[] = [];
  let at = 0;
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at);
    expect(size).toBeGreaterThanOrEqual(8);
    expect(at + size).toBeLessThanOrEqual(bytes.length);
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      at: base + at + 8,
      content: bytes.subarray(at + 8, at + size),
    });
    at += size;
  }
  return boxes;
};

const find = (bytes: Buffer, ...path: readonly string[]): Buffer =>
  path.reduce((content, type) => {
    const found = boxesOf(content).find((box) => box.type === type);
    if (found === undefined) throw new Error(`no box ${type}`);
    return found.content;
  }, bytes);

const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'] as const;

/** Reads numbers of no fixed length from a parameter set without escapes. */
const createBits = (bytes: Buffer) => {
  let at = 0;
  const bit = (): number => ((bytes[at >> 3] ?? 0) >> (7 - (at++ & 7))) & 1;
  const bits = (count: number): number => Array.from({ length: count }, bit).reduce((value, one) => value * 2 + one, 0);
  const unsigned = (): number => {
    let zeros = 0;
    while (bit() === 0) zeros += 1;
    return 2 ** zeros - 1 + bits(zeros);
  };
  return { bits, unsigned };
};

/** The size that a sequence parameter set states, what is cut off left out. */
const sizeOf = (set: Buffer) => {
  const { bits, unsigned } = createBits(set.subarray(4));
  for (let skipped = 0; skipped < 4; skipped += 1) unsigned();
  bits(1);
  const width = (unsigned() + 1) * 16;
  const height = (unsigned() + 1) * 16;
  bits(2);
  const [, right = 0, , bottom = 0] = bits(1) === 1 ? [unsigned(), unsigned(), unsigned(), unsigned()] : [];
  return { width: width - 2 * right, height: height - 2 * bottom };
};

const video = (seconds: number, resolution = '720p', aspectRatio = '16:9'): Buffer =>
  mp4Video(videoSize({ resolution, aspectRatio }) ?? { width: 0, height: 0 }, [
    { digest: digestOf('A harbour'), seconds },
  ]);

test('is an MP4 file whose index comes before its frames', () => {
  const bytes = video(3);
  expect(boxesOf(bytes).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat']);
  expect(find(bytes, 'ftyp').toString('latin1', 0, 4)).toBe('isom');
  const header = find(bytes, 'moov', 'mvhd');
  expect([header.readUInt32BE(12), header.readUInt32BE(16)]).toEqual([1_000, 3_000]);
  expect(boxesOf(find(bytes, ...table)).map(({ type }) => type)).toEqual(['stsd', 'stts', 'stsc', 'stsz', 'stco']);
});

test('finds every frame where the index says, one whole unit each', () => {
  const bytes = video(3);
  const sizes = find(bytes, ...table, 'stsz');
  const count = sizes.readUInt32BE(8);
  expect(count).toBe(6);
  let at = find(bytes, ...table, 'stco').readUInt32BE(8);
  expect(at).toBe(boxesOf(bytes).at(-1)?.at);
  for (let number = 0; number < count; number += 1) {
    const size = sizes.readUInt32BE(12 + 4 * number);
    expect(bytes.readUInt32BE(at)).toBe(size - 4);
    // A frame that needs no other one.
    expect(bytes[at + 4]).toBe(0x65);
    at += size;
  }
  expect(at).toBe(bytes.length);
});

test.each([
  ['720p', '16:9', 1280, 720],
  ['1080p', '16:9', 1920, 1080],
  ['4k', '16:9', 3840, 2160],
  ['720p', '9:16', 720, 1280],
  ['1080p', '4:3', 1440, 1080],
] as const)('is as large as %s at %s asks for, in container and stream', (resolution, ratio, width, height) => {
  const bytes = video(1, resolution, ratio);
  const entry = find(bytes, ...table, 'stsd').subarray(8);
  expect([entry.toString('latin1', 4, 8), entry.readUInt16BE(32), entry.readUInt16BE(34)]).toEqual([
    'avc1',
    width,
    height,
  ]);
  const decoder = find(entry.subarray(86), 'avcC');
  expect([...decoder.subarray(0, 3)]).toEqual([1, 66, 0xc0]);
  expect(sizeOf(decoder.subarray(8, 8 + decoder.readUInt16BE(6)))).toEqual({ width, height });
});

test('holds no sequence of bytes in a frame that looks like the beginning of another', () => {
  const bytes = video(8, '4k');
  const [, , images] = boxesOf(bytes);
  const sizes = find(bytes, ...table, 'stsz');
  let at = 0;
  for (let number = 0; number < sizes.readUInt32BE(8); number += 1) {
    const size = sizes.readUInt32BE(12 + 4 * number);
    const unit = images?.content.subarray(at + 4, at + size) ?? Buffer.alloc(0);
    for (const start of ['000000', '000001', '000002']) expect(unit.includes(Buffer.from(start, 'hex'))).toBe(false);
    at += size;
  }
});

test('is the same for the same parts, and goes on where another part follows', () => {
  const one = { digest: digestOf('one'), seconds: 2 };
  const two = { digest: digestOf('two'), seconds: 1 };
  const side = { width: 640, height: 360 };
  expect(mp4Video(side, [one]).equals(mp4Video(side, [one]))).toBe(true);
  expect(mp4Video(side, [one]).equals(mp4Video(side, [{ ...one, digest: two.digest }]))).toBe(false);
  expect(find(mp4Video(side, [one, two]), 'moov', 'mvhd').readUInt32BE(16)).toBe(3_000);
});

test('keeps the bytes that players were seen to play', () => {
  // Decoded without an error by FFmpeg 7.0.2 as 16 frames of 1280 by 720 in constrained baseline.
  expect(createHash('sha256').update(video(8)).digest('hex')).toBe(
    'be173b5b5ccf53616f51676f14528254ab567e3fdd8f908c4684e654ad230b1b',
  );
});

test('knows no size that no video has', () => {
  for (const given of [
    { resolution: '721p' },
    { aspectRatio: '16-9' },
    { aspectRatio: '9:0' },
    { aspectRatio: '1:99' },
  ])
    expect(videoSize(given)).toBeUndefined();
});
