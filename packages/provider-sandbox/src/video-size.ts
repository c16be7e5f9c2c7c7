import type { VideoCall } from '@tollgate/provider';
import type { FrameSide } from './h264-stream.ts';

/** The shorter side in pixels, by the name of the resolution. */
const shorterSides: ReadonlyMap<string, number> = new Map([
  ['360p', 360],
  ['720p', 720],
  ['1080p', 1_080],
  ['4k', 2_160],
]);

const ratioMax = 4;

const even = (pixels: number): number => 2 * Math.round(pixels / 2);

/** The size that a call asks for (720p and 16:9 unless it says); undefined for one that there is not. */
export const videoSize = ({
  resolution = '720p',
  aspectRatio = '16:9',
}: Pick<VideoCall, 'resolution' | 'aspectRatio'>): FrameSide | undefined => {
  const shorter = shorterSides.get(resolution);
  const [, across, down] = /^(\d{1,2}):(\d{1,2})$/.exec(aspectRatio) ?? [];
  const ratio = Number(across) / Number(down);
  if (shorter === undefined || !(ratio >= 1 / ratioMax && ratio <= ratioMax)) return undefined;
  return ratio >= 1
    ? { width: even(shorter * ratio), height: shorter }
    : { width: shorter, height: even(shorter / ratio) };
};
