import type { H264Stream, FrameSide } from './h264-stream.ts';

/** Units of time of one second. */
const timescale = 1_000;

const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);

const u16 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) buffer.writeUInt16BE(value, at * 2);
  return buffer;
};

const u32 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) buffer.writeUInt32BE(value, at * 4);
  return buffer;
};

const text = (four: string): Buffer => Buffer.from(four, 'latin1');

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
};

/** A box with a version and flags. */
const fullBox = (type: string, flags: number, ...content: readonly Buffer[]): Buffer =>
  box(type, u32(flags), ...content);

/** The frame as it is, neither turned nor moved. */
const matrix = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);

const fileType = box('ftyp', text('isom'), u32(512), text('isomiso2avc1mp41'));

const movieHeader = (duration: number): Buffer =>
  fullBox(
    'mvhd',
    0,
    u32(0, 0, timescale, duration, 0x1_0000),
    u16(0x100, 0),
    u32(0, 0),
    matrix,
    Buffer.alloc(24),
    u32(2),
  );

const trackHeader = ({ width, height }: FrameSide, duration: number): Buffer =>
  fullBox(
    'tkhd',
    3,
    u32(0, 0, 1, 0, duration, 0, 0),
    u16(0, 0, 0, 0),
    matrix,
    u32(width * 0x1_0000, height * 0x1_0000),
  );

const mediaHeader = (duration: number): Buffer =>
  // The language is not determined.
  fullBox('mdhd', 0, u32(0, 0, timescale, duration), u16(0x55c4, 0));

const handler = fullBox('hdlr', 0, u32(0), text('vide'), u32(0, 0, 0), text('video\0'));

const decoder = ({ sequence, image }: H264Stream): Buffer =>
  box(
    'avcC',
    u8(1, sequence[1] ?? 0, sequence[2] ?? 0, sequence[3] ?? 0, 0xff, 0xe1),
    u16(sequence.length),
    sequence,
    u8(1),
    u16(image.length),
    image,
  );

const sampleEntry = ({ width, height }: FrameSide, stream: H264Stream): Buffer =>
  box(
    'avc1',
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width, height),
    u32(0x48_0000, 0x48_0000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(0x18, 0xffff),
    decoder(stream),
  );

interface Track {
  readonly side: FrameSide;
  readonly stream: H264Stream;
  readonly samples: readonly Buffer[];
  readonly sampleDuration: number;
}

const sampleTable = ({ side, stream, samples, sampleDuration }: Track, firstByte: number): Buffer =>
  box(
    'stbl',
    fullBox('stsd', 0, u32(1), sampleEntry(side, stream)),
    fullBox('stts', 0, u32(1, samples.length, sampleDuration)),
    fullBox('stsc', 0, u32(1, 1, samples.length, 1)),
    fullBox('stsz', 0, u32(0, samples.length), u32(...samples.map(({ length }) => length))),
    fullBox('stco', 0, u32(1, firstByte)),
  );

const movie = (track: Track, firstByte: number): Buffer => {
  const duration = track.samples.length * track.sampleDuration;
  const data = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)));
  const media = box('minf', fullBox('vmhd', 1, u16(0, 0, 0, 0)), data, sampleTable(track, firstByte));
  return box(
    'moov',
    movieHeader(duration),
    box('trak', trackHeader(track.side, duration), box('mdia', mediaHeader(duration), handler, media)),
  );
};

/** A stream as an MP4 file whose index comes first, so that it plays while it is still being read. */
export const mp4Container = (side: FrameSide, stream: H264Stream, framesPerSecond: number): Buffer => {
  const samples = stream.units.map((unit) => Buffer.concat([u32(unit.length), unit]));
  const track: Track = { side, stream, samples, sampleDuration: timescale / framesPerSecond };
  // The index is as long whatever it points to.
  const firstByte = fileType.length + movie(track, 0).length + 8;
  return Buffer.concat([fileType, movie(track, firstByte), box('mdat', ...samples)]);
};
