import type { GenerationCall } from '@tollgate/provider';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
  /** Output tokens of an image of this size. */
  readonly tokens: number;
}

/** The sizes by name: the side of the square image in pixels, and its tokens. */
const sizes: { readonly [name: string]: { readonly side: number; readonly tokens: number } } = {
  512: { side: 512, tokens: 747 },
  '1K': { side: 1_024, tokens: 1_120 },
  '2K': { side: 2_048, tokens: 1_680 },
  '4K': { side: 4_096, tokens: 2_520 },
};

const ratioMax = 8;
/** Sides are multiples of this. */
const sideStep = 16;

/**
 * The size that an image setting asks for (1K and 1:1 unless it says): about the area of the square one, in the ratio of the
 * sides. Undefined for a size or a ratio that there is not.
 */
export const imageSize = ({
  aspectRatio = '1:1',
  size = '1K',
}: NonNullable<GenerationCall['image']>): ImageSize | undefined => {
  const [, across, down] = /^(\d{1,2}):(\d{1,2})$/.exec(aspectRatio) ?? [];
  const ratio = Number(across) / Number(down);
  const row = Object.hasOwn(sizes, size) ? sizes[size] : undefined;
  if (row === undefined || !(ratio >= 1 / ratioMax && ratio <= ratioMax)) return undefined;
  return {
    width: roundSide(row.side * Math.sqrt(ratio)),
    height: roundSide(row.side / Math.sqrt(ratio)),
    tokens: row.tokens,
  };
};

const roundSide = (side: number): number => Math.round(side / sideStep) * sideStep;
