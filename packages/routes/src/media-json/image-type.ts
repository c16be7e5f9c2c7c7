import { imageTypes, isMediaOf, type MediaData, type MediaType } from '@tollgate/contract';

/** The type of an image by its bytes, for clients that do not tell it; undefined where it is no complete image. */
export const imageTypeOf = (data: MediaData): MediaType | undefined =>
  [...imageTypes.values()].find((type) => isMediaOf(data, type));
