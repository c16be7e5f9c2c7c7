import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { glyphHeight, glyphWidth, isInked, writable } from './label-glyphs.ts';

const blocksAcross = 8;
const blocksDown = 8;
const labelCharactersMax = 24;
/** Of one side of an image, so that a mistake cannot take all memory. */
const sideMax = 16_384;

const white = 0;
const black = 1;
/** The palette has sixteen colours, as four bits hold one; the first two are for the label. */
const paletteSize = 16;

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** What the image is of: its hash chooses the colours, its beginning is written on it. */
  readonly text: string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};

const header = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  // Four bits a pixel, each the number of a colour of the palette.
  data.set([4, 3, 0, 0, 0], 8);
  return chunk('IHDR', data);
};

const palette = (text: string): Buffer => {
  const hash = Buffer.concat([digest(`${text} colours`), digest(`${text} more colours`)]);
  return chunk('PLTE', Buffer.concat([Buffer.from([255, 255, 255, 0, 0, 0]), hash.subarray(0, (paletteSize - 2) * 3)]));
};

/** Where the label stands, in pixels: a white band at the lower edge, its dots as large as fit. */
const labelOf = ({ width, height, text }: Picture) => {
  const line = writable(text, labelCharactersMax);
  const dots = line.length * (glyphWidth + 1) + 1;
  const dotSide = Math.max(1, Math.min(Math.floor(width / dots), Math.floor(height / (glyphHeight + 2) / 4)));
  return { line, dotSide, top: line === '' ? height : height - (glyphHeight + 2) * dotSide };
};

/** One row of pixels with its filter byte, which says that there is none. */
const packRow = (width: number, colourAt: (x: number) => number): Buffer => {
  const row = Buffer.alloc(1 + Math.ceil(width / 2));
  for (let x = 0; x < width; x += 1)
    row[1 + (x >> 1)] = (row[1 + (x >> 1)] ?? 0) | (colourAt(x) << (x % 2 === 0 ? 4 : 0));
  return row;
};

const pixels = (image: Picture): Buffer => {
  const { width, height, text } = image;
  const { line, dotSide, top } = labelOf(image);
  const hash = digest(text);
  const blockColour = (column: number, row: number): number => {
    const at = row * blocksAcross + column;
    const nibble = ((hash[at >> 1] ?? 0) >> (at % 2 === 0 ? 4 : 0)) & 15;
    return 2 + (nibble % (paletteSize - 2));
  };
  const blockRow = (row: number): Buffer =>
    packRow(width, (x) => blockColour(Math.floor((x * blocksAcross) / width), row));
  const labelRow = (row: number): Buffer =>
    packRow(width, (x) => (isInked(line, Math.floor(x / dotSide) - 1, row) ? black : white));
  const blocks = Array.from({ length: blocksDown }, (_, row) => blockRow(row));
  // The row above the letters and the row below them are empty, as rows of no glyph.
  const labels = Array.from({ length: glyphHeight + 2 }, (_, row) => labelRow(row - 1));
  const rows = Array.from({ length: height }, (_, y) =>
    y < top ? blocks[Math.floor((y * blocksDown) / height)] : labels[Math.floor((y - top) / dotSide)],
  );
  return Buffer.concat(rows.flatMap((row) => row ?? []));
};

/** A PNG of coloured blocks with a label: the same text always gives the same bytes, another text another image. */
export const pngImage = (image: Picture): Buffer => {
  const { width, height, text } = image;
  if (![width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= sideMax)) {
    throw new RangeError(`no image of ${width} by ${height}`);
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    header(width, height),
    palette(text),
    chunk('IDAT', deflateSync(pixels(image))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
