import { expect, test } from 'vitest';
import { crc32, inflateSync } from 'node:zlib';
import { pngImage } from './png-image.ts';

interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly colourAt: (x: number, y: number) => string;
}

/** Reads a PNG of four bits a pixel as the standard says, and fails on anything that is not as the standard says. */
const decodePng = (file: Buffer): Decoded => {
  expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  let at = 8;
  while (at < file.length) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    expect(crc32(body)).toBe(file.readUInt32BE(at + 8 + length));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  const [header, palette, data] = ['IHDR', 'PLTE', 'IDAT'].map((type) => chunks.get(type) ?? Buffer.alloc(0));
  if (header === undefined || palette === undefined || data === undefined) throw new Error('a chunk is missing');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  expect([...header.subarray(8)]).toEqual([4, 3, 0, 0, 0]);
  expect(palette).toHaveLength(16 * 3);
  const pixels = inflateSync(data);
  const rowBytes = 1 + Math.ceil(width / 2);
  expect(pixels).toHaveLength(rowBytes * height);
  for (let y = 0; y < height; y += 1) expect(pixels[y * rowBytes]).toBe(0);
  return {
    width,
    height,
    colourAt: (x, y) => {
      const number = ((pixels[y * rowBytes + 1 + (x >> 1)] ?? 0) >> (x % 2 === 0 ? 4 : 0)) & 15;
      return palette.toString('hex', number * 3, number * 3 + 3);
    },
  };
};

test.each([
  [1, 1],
  [7, 5],
  [64, 48],
  [333, 200],
])('writes a PNG of %i by %i pixels that decodes', (width, height) => {
  const decoded = decodePng(pngImage({ width, height, text: 'A fox' }));
  expect([decoded.width, decoded.height]).toEqual([width, height]);
});

test('fills an image with eight by eight blocks of even colour', () => {
  const { colourAt } = decodePng(pngImage({ width: 160, height: 160, text: 'A fox in the snow' }));
  const colours = new Set<string>();
  for (let block = 0; block < 48; block += 1) {
    const [left, top] = [(block % 8) * 20, Math.floor(block / 8) * 20];
    const corners = [
      colourAt(left, top),
      colourAt(left + 19, top),
      colourAt(left, top + 19),
      colourAt(left + 19, top + 19),
    ];
    expect(new Set(corners).size).toBe(1);
    colours.add(corners[0] ?? '');
  }
  expect(colours.size).toBeGreaterThan(5);
});

test('writes the beginning of its text where one can read it', () => {
  const { colourAt } = decodePng(pngImage({ width: 36, height: 28, text: ' há\n2!' }));
  // Five letters of four dots and a dot before them; a dot is one pixel here, and the label is seven dots high.
  const rows = Array.from({ length: 7 }, (_, y) =>
    Array.from({ length: 21 }, (__, x) => (colourAt(x, 21 + y) === '000000' ? '#' : '.')).join(''),
  );
  expect(rows).toEqual([
    '.....................',
    '.#.#..#......##...#..',
    '.#.#.#.#.......#..#..',
    '.###.###......#...#..',
    '.#.#.#.#.....#.......',
    '.#.#.#.#.....###..#..',
    '.....................',
  ]);
});

const bytes = (text: string): string => pngImage({ width: 80, height: 80, text }).toString('base64');

test('gives the same text the same bytes, and another text another image', () => {
  expect(bytes('A fox')).toBe(bytes('A fox'));
  expect(bytes('A fox')).not.toBe(bytes('A cat'));
  // The label shows the beginning only; the blocks tell the rest.
  expect(bytes(`${'a'.repeat(100)}1`)).not.toBe(bytes(`${'a'.repeat(100)}2`));
});

test('stays small in its largest size', () => {
  expect(pngImage({ width: 4_096, height: 4_096, text: 'large' }).length).toBeLessThan(500_000);
});

test.each([0, -1, 1.5, 20_000])('draws no image %s pixels wide', (width) => {
  expect(() => pngImage({ width, height: 10, text: '' })).toThrow(RangeError);
});
