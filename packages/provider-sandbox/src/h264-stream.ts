import { createBitWriter, type BitWriter } from './bit-writer.ts';

/** A colour as a video holds it: luma, and two differences of colour. */
export type Colour = readonly [luma: number, blue: number, red: number];

/** A still frame of blocks: the colour of each, in rows from the upper left. */
export interface BlockImage {
  readonly colours: readonly Colour[];
}

export interface FrameSide {
  readonly width: number;
  readonly height: number;
}

/** Blocks across and down; each is as many macroblocks as fit. */
export const blocksAcross = 8;
export const blocksDown = 6;

const macroblock = 16;
const baseline = 66;

const macroblocksOf = (side: number): number => Math.ceil(side / macroblock);

/** The lowest level that allows frames of so many macroblocks. */
const levelOf = (macroblocks: number): number => {
  if (macroblocks <= 1_620) return 30;
  if (macroblocks <= 3_600) return 31;
  return macroblocks <= 8_192 ? 40 : 51;
};

/** Three bytes that look like the beginning of a unit are distinguished by a byte of escape. */
const escaped = (payload: Buffer): Buffer => {
  const out: number[] = [];
  let zeros = 0;
  for (const byte of payload) {
    if (zeros === 2 && byte <= 3) {
      out.push(3);
      zeros = 0;
    }
    out.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(out);
};

const unit = (header: number, writer: BitWriter): Buffer =>
  Buffer.concat([Buffer.from([header]), escaped(writer.end())]);

const writeCropping = (writer: BitWriter, right: number, bottom: number): void => {
  const cropped = right > 0 || bottom > 0;
  writer.bits(cropped ? 1 : 0, 1);
  // In steps of two pixels, from the left, right, top and bottom.
  if (cropped) for (const pixels of [0, right, 0, bottom]) writer.unsigned(pixels / 2);
};

const sequenceParameters = ({ width, height }: FrameSide): Buffer => {
  const across = macroblocksOf(width);
  const down = macroblocksOf(height);
  const writer = createBitWriter();
  writer.bits(baseline, 8);
  // Every decoder of the baseline and of the main profile can read it.
  writer.bits(0b1100_0000, 8);
  writer.bits(levelOf(across * down), 8);
  writer.unsigned(0);
  writer.unsigned(0);
  // Images come in the order in which they are shown.
  writer.unsigned(2);
  writer.unsigned(1);
  writer.bits(0, 1);
  writer.unsigned(across - 1);
  writer.unsigned(down - 1);
  // Whole frames; no direct prediction to speak of.
  writer.bits(0b11, 2);
  writeCropping(writer, across * macroblock - width, down * macroblock - height);
  writer.bits(0, 1);
  return unit(0x67, writer);
};

const frameParameters = (): Buffer => {
  const writer = createBitWriter();
  writer.unsigned(0);
  writer.unsigned(0);
  writer.bits(0, 2);
  for (let zeros = 0; zeros < 3; zeros += 1) writer.unsigned(0);
  writer.bits(0, 3);
  for (let zeros = 0; zeros < 3; zeros += 1) writer.signed(0);
  // Slices say themselves whether edges are smoothed; nothing else is out of the ordinary.
  writer.bits(0b100, 3);
  return unit(0x68, writer);
};

/** Types of macroblocks and of predictions, by their numbers in the standard. */
const rawMacroblock = 25;
const fromAbove = { macroblock: 1, chroma: 2 } as const;
const fromLeft = { macroblock: 2, chroma: 1 } as const;

const writeRaw = (writer: BitWriter, [luma, blue, red]: Colour): void => {
  writer.unsigned(rawMacroblock);
  writer.align();
  writer.bytes(Buffer.concat([Buffer.alloc(256, luma), Buffer.alloc(64, blue), Buffer.alloc(64, red)]));
};

/** A macroblock that is a copy of its neighbour; how its empty rest is written depends on whether a neighbour was raw. */
const writeCopy = (writer: BitWriter, from: typeof fromAbove | typeof fromLeft, nearRaw: boolean): void => {
  writer.unsigned(from.macroblock);
  writer.unsigned(from.chroma);
  writer.signed(0);
  if (nearRaw) writer.bits(0b000011, 6);
  else writer.bits(1, 1);
};

/** The numbers of the macroblocks with which blocks begin along one side. */
const beginnings = (macroblocks: number, blocks: number): ReadonlySet<number> =>
  new Set(
    Array.from({ length: Math.min(blocks, macroblocks) }, (_, block) => Math.ceil((block * macroblocks) / blocks)),
  );

interface Grid {
  readonly across: number;
  readonly down: number;
  readonly columns: ReadonlySet<number>;
  readonly rows: ReadonlySet<number>;
}

const gridOf = ({ width, height }: FrameSide): Grid => {
  const across = macroblocksOf(width);
  const down = macroblocksOf(height);
  return { across, down, columns: beginnings(across, blocksAcross), rows: beginnings(down, blocksDown) };
};

const isRaw = ({ columns, rows }: Grid, x: number, y: number): boolean => columns.has(x) && rows.has(y);

const writeMacroblocks = (writer: BitWriter, grid: Grid, { colours }: BlockImage): void => {
  const colourAt = (x: number, y: number): Colour => {
    const column = Math.floor((x * blocksAcross) / grid.across);
    const row = Math.floor((y * blocksDown) / grid.down);
    return colours[(row * blocksAcross + column) % colours.length] ?? [16, 128, 128];
  };
  for (let y = 0; y < grid.down; y += 1)
    for (let x = 0; x < grid.across; x += 1) {
      const nearRaw = (x > 0 && isRaw(grid, x - 1, y)) || (y > 0 && isRaw(grid, x, y - 1));
      if (isRaw(grid, x, y)) writeRaw(writer, colourAt(x, y));
      else writeCopy(writer, grid.columns.has(x) ? fromAbove : fromLeft, nearRaw);
    }
};

/** A frame that needs no other one; two that follow each other have different numbers. */
const wholeFrame = (grid: Grid, image: BlockImage, number: number): Buffer => {
  const writer = createBitWriter();
  writer.unsigned(0);
  writer.unsigned(7);
  writer.unsigned(0);
  writer.bits(0, 4);
  writer.unsigned(number % 2);
  writer.bits(0, 2);
  writer.signed(0);
  // Edges are not smoothed: a block is of one colour to its last pixel.
  writer.unsigned(1);
  writeMacroblocks(writer, grid, image);
  return unit(0x65, writer);
};

export interface H264Stream {
  readonly sequence: Buffer;
  readonly image: Buffer;
  /** One unit for each frame. */
  readonly units: readonly Buffer[];
}

/** Images of blocks as an H.264 stream of the baseline profile that every player reads. */
export const h264Stream = (side: FrameSide, images: readonly BlockImage[]): H264Stream => {
  const grid = gridOf(side);
  return {
    sequence: sequenceParameters(side),
    image: frameParameters(),
    units: images.map((image, number) => wholeFrame(grid, image, number)),
  };
};
