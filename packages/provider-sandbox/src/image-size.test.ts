import { expect, test } from 'vitest';
import { imageSize } from './image-size.ts';

test.each([
  [{}, 1_024, 1_024],
  [{ aspectRatio: '16:9' }, 1_360, 768],
  [{ aspectRatio: '9:16' }, 768, 1_360],
  [{ aspectRatio: '21:9', size: '2K' }, 3_136, 1_344],
  [{ size: '512' }, 512, 512],
  [{ aspectRatio: '1:8', size: '4K' }, 1_456, 11_584],
])('takes %j as %i by %i pixels', (image, width, height) => {
  expect(imageSize(image)).toMatchObject({ width, height });
});

test.each([
  { aspectRatio: 'wide' },
  { aspectRatio: '0:1' },
  { aspectRatio: '1:0' },
  { aspectRatio: '99:1' },
  { size: '8K' },
  { size: 'toString' },
])('knows no size for %j', (image) => {
  expect(imageSize(image)).toBeUndefined();
});
