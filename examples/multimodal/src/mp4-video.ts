const timeScale = 1_000;
/** One to one, as fixed-point numbers of the transformation that every player applies. */
const unityMatrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];
/** The registered object type of frames in PNG. */
const pngObjectType = 0x6d;

const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);
const u16 = (...values: readonly number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
};
const zeros = (count: number): Buffer => Buffer.alloc(count);

const box = (type: string, ...contents: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(contents);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};

/** A box with a version, which is 0 here, and flags. */
const flagged = (type: string, flags: number, ...contents: readonly Buffer[]): Buffer =>
  box(type, u32(flags), ...contents);

/** A descriptor; all of these are short enough for one byte of length. */
const descriptor = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(contents);
  return Buffer.concat([u8(tag, body.length), body]);
};

export interface Video {
  readonly frames: readonly Buffer[];
  readonly side: number;
  readonly frameMs: number;
}

const elementaryStream = (): Buffer => {
  // A visual stream without a declared buffer or rate.
  const config = descriptor(4, u8(pngObjectType, 0x11), zeros(11));
  return flagged('esds', 0, descriptor(3, u16(1), u8(0), config, descriptor(6, u8(2))));
};

const sampleEntry = (side: number): Buffer => {
  const dotsPerInch = 0x48_0000;
  const image = [u16(side, side), u32(dotsPerInch, dotsPerInch, 0), u16(1), zeros(32), u16(24, 0xffff)];
  return box('mp4v', zeros(6), u16(1), zeros(16), ...image, elementaryStream());
};

const sampleTable = ({ frames, side, frameMs }: Video, dataAt: number): Buffer =>
  box(
    'stbl',
    flagged('stsd', 0, u32(1), sampleEntry(side)),
    flagged('stts', 0, u32(1, frames.length, frameMs)),
    flagged('stsc', 0, u32(1, 1, frames.length, 1)),
    flagged('stsz', 0, u32(0, frames.length, ...frames.map(({ length }) => length))),
    flagged('stco', 0, u32(1, dataAt)),
  );

const movie = (video: Video, dataAt: number): Buffer => {
  const { frames, side, frameMs } = video;
  const duration = frames.length * frameMs;
  const [matrix, fixedSide] = [u32(...unityMatrix), side * 0x1_0000];
  const local = box('dinf', flagged('dref', 0, u32(1), flagged('url ', 1)));
  const media = box(
    'mdia',
    flagged('mdhd', 0, u32(0, 0, timeScale, duration), u16(0x55c4, 0)),
    flagged('hdlr', 0, u32(0), Buffer.from('vide', 'latin1'), zeros(13)),
    box('minf', flagged('vmhd', 1, zeros(8)), local, sampleTable(video, dataAt)),
  );
  const place = [u32(0, 0, 1, 0, duration), zeros(16), matrix, u32(fixedSide, fixedSide)];
  const pace = [u32(0, 0, timeScale, duration, 0x1_0000), u16(0x100), zeros(10), matrix, zeros(24), u32(2)];
  const track = box('trak', flagged('tkhd', 3, ...place), media);
  return box('moov', flagged('mvhd', 0, ...pace), track);
};

/** Square frames in PNG as a video: one track, every frame whole. */
export const writeMp4 = (video: Video): Buffer => {
  const type = box('ftyp', Buffer.from('isom', 'latin1'), u32(0x200), Buffer.from('isommp41', 'latin1'));
  // The place of the data depends on the length of what stands before it, which does not depend on the place.
  const dataAt = type.length + movie(video, 0).length + 8;
  return Buffer.concat([type, movie(video, dataAt), box('mdat', ...video.frames)]);
};
