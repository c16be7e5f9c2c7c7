import { GatewayError, safeName } from '@tollgate/contract';

/** How a video is made. */
export interface VideoShape {
  readonly resolution: string;
  readonly aspectRatio: string;
}

/** The sizes in pixels that the resolutions of models stand for; a video is made in one of these alone. */
const sizes: ReadonlyMap<string, VideoShape> = new Map([
  ['1280x720', { resolution: '720p', aspectRatio: '16:9' }],
  ['720x1280', { resolution: '720p', aspectRatio: '9:16' }],
  ['1920x1080', { resolution: '1080p', aspectRatio: '16:9' }],
  ['1080x1920', { resolution: '1080p', aspectRatio: '9:16' }],
  ['3840x2160', { resolution: '4k', aspectRatio: '16:9' }],
  ['2160x3840', { resolution: '4k', aspectRatio: '9:16' }],
]);

/** The shape that a size in pixels stands for. */
export const readVideoSize = (size: string): VideoShape => {
  const shape = sizes.get(size);
  if (shape === undefined)
    throw new GatewayError('invalid_request', {
      detail: `The field size is ${safeName(size)}; accepted are ${[...sizes.keys()].join(', ')}, as far as the model makes them.`,
    });
  return shape;
};

/** The size in pixels of a video; null of a shape that has none. */
export const videoSizeOf = (resolution: unknown, aspectRatio: unknown): string | null => {
  for (const [size, shape] of sizes)
    if (shape.resolution === resolution && shape.aspectRatio === aspectRatio) return size;
  return null;
};
