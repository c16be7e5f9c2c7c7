import type { ImageSettings } from '@tollgate/provider';
import { present } from '../../../present.ts';
import type { GenerationBody } from './image-body.ts';
import { readImageSize } from './image-size.ts';

/** What a body says of how an image is made. */
export type AskedImage = Pick<GenerationBody, 'n' | 'size' | 'quality' | 'background' | 'output_format'>;

const unless = (word: string | null | undefined, unsaid: string): string | null =>
  word === undefined || word === null || word === unsaid ? null : word;

/** The settings of the images that a body asks for; `sizeField` is what holds their size. */
export const toImageSettings = (asked: AskedImage, sizeField = 'size'): ImageSettings => {
  const { n, size, quality, background, output_format: format } = asked;
  return {
    ...readImageSize(size ?? 'auto', sizeField),
    ...present('count', n === undefined || n === null || n === 1 ? null : n),
    ...present('quality', unless(quality, 'auto')),
    ...present('background', background === 'auto' ? null : background),
    ...present('format', format),
  };
};
