import type { CallField } from './call-field.ts';

/** How images are made. What is left out is the model's own choice. */
export interface ImageSettings {
  /** As in `16:9`. */
  readonly aspectRatio?: string;
  /** By name, as in `1K`. */
  readonly size?: string;
  /** Width and height, as in `1536x1024`: the same as the two above, for an upstream that takes pixels. */
  readonly pixels?: string;
  /** Images of one answer; one where it is left out. */
  readonly count?: number;
  readonly quality?: string;
  readonly background?: 'transparent' | 'opaque';
  readonly format?: ImageFormat;
}

export type ImageFormat = 'png' | 'jpeg' | 'webp';

/** Settings that not every upstream has a place for, each with the name by which it is refused. */
const placedFields = {
  count: 'imageCount',
  quality: 'imageQuality',
  background: 'imageBackground',
  format: 'imageFormat',
} as const satisfies Partial<Record<keyof ImageSettings, CallField>>;

type PlacedSetting = keyof typeof placedFields;

const isPlaced = (name: string): name is PlacedSetting => Object.hasOwn(placedFields, name);

/** The first setting of an image that the upstream has no place for; undefined where it has one for all. */
export const unplacedImageField = (
  image: ImageSettings | undefined,
  placed: readonly PlacedSetting[] = [],
): CallField | undefined => {
  const unplaced = Object.keys(image ?? {})
    .filter(isPlaced)
    .find((name) => image?.[name] !== undefined && !placed.includes(name));
  return unplaced === undefined ? undefined : placedFields[unplaced];
};
