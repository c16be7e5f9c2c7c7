import { GatewayError, safeName } from '@tollgate/contract';
import type { ImageSettings } from '@tollgate/provider';

/** Width by height of the ratios that models of images know. */
const ratios = [
  [1, 1],
  [2, 3],
  [3, 2],
  [3, 4],
  [4, 3],
  [4, 5],
  [5, 4],
  [9, 16],
  [16, 9],
  [21, 9],
] as const;

/** How far the sides that are asked for may be from a ratio, as a share of it: `1792x1024` is 16:9. */
const ratioShareMax = 0.03;
const sideMin = 256;
const sideMax = 4096;

/** Up to which side of the square of the same area a size has its name. */
const names: readonly (readonly [side: number, name: string | null])[] = [
  [724, '512'],
  // What models make unasked.
  [1448, null],
  [2896, '2K'],
  [Infinity, '4K'],
];

/** The settings of an image that a size in pixels stands for; none for `auto`. */
export const readImageSize = (size: string, field = 'size'): Pick<ImageSettings, 'aspectRatio' | 'size' | 'pixels'> => {
  if (size === 'auto') return {};
  const [, width = '', height = ''] = /^(\d{3,4})x(\d{3,4})$/.exec(size) ?? [];
  const [across, down] = [Number(width), Number(height)];
  const ratio = ratios.find(([x, y]) => Math.abs((across * y) / (down * x) - 1) <= ratioShareMax);
  const isWithin = [across, down].every((side) => side >= sideMin && side <= sideMax);
  if (ratio === undefined || !isWithin)
    throw new GatewayError('invalid_request', {
      detail: `The field ${field} is ${safeName(size)}; accepted are auto and sides of ${sideMin} to ${sideMax} pixels, such as 1024x1024 or 1536x1024, in one of the ratios ${ratios.map((each) => each.join(':')).join(', ')}.`,
    });
  const side = Math.sqrt(across * down);
  const name = names.find(([upTo]) => side <= upTo)?.[1] ?? null;
  const shape = { aspectRatio: ratio.join(':'), pixels: size };
  return name === null ? shape : { ...shape, size: name };
};
