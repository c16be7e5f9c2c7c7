import { createHash } from 'node:crypto';
import { blocksAcross, blocksDown, h264Stream, type BlockImage, type Colour, type FrameSide } from './h264-stream.ts';
import { mp4Container } from './mp4-container.ts';

/** A part of a video: what it is of, as a hash, and how long it is. */
export interface VideoPart {
  readonly digest: string;
  readonly seconds: number;
}

const framesPerSecond = 2;

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Between black and white, and away from the colours that no screen shows. */
const colourOf = (hash: Buffer, at: number): Colour => {
  const within = (offset: number, lowest: number, range: number): number =>
    lowest + (((hash[(at + offset) % hash.length] ?? 0) * range) >> 8);
  return [within(0, 48, 160), within(7, 64, 128), within(13, 64, 128)];
};

/** The blocks wander by one with every frame, so that it is seen to move. */
const framesOf = ({ digest, seconds }: VideoPart): readonly BlockImage[] => {
  const hash = Buffer.from(digest, 'hex');
  const blocks = blocksAcross * blocksDown;
  return Array.from({ length: seconds * framesPerSecond }, (_, number) => ({
    colours: Array.from({ length: blocks }, (__, block) => colourOf(hash, block + number)),
  }));
};

/** A silent MP4 of coloured blocks that move: the same parts always give the same bytes. */
export const mp4Video = (side: FrameSide, parts: readonly VideoPart[]): Buffer =>
  mp4Container(side, h264Stream(side, parts.flatMap(framesOf)), framesPerSecond);
