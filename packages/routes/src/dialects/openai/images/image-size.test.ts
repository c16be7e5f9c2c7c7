import { expect, test } from 'vitest';
import { readImageSize } from './image-size.ts';

test.each([
  ['auto', {}],
  ['1024x1024', { aspectRatio: '1:1', pixels: '1024x1024' }],
  ['1536x1024', { aspectRatio: '3:2', pixels: '1536x1024' }],
  ['1024x1536', { aspectRatio: '2:3', pixels: '1024x1536' }],
  ['1792x1024', { aspectRatio: '16:9', pixels: '1792x1024' }],
  ['256x256', { aspectRatio: '1:1', pixels: '256x256', size: '512' }],
  ['2048x2048', { aspectRatio: '1:1', pixels: '2048x2048', size: '2K' }],
  ['3840x2160', { aspectRatio: '16:9', pixels: '3840x2160', size: '2K' }],
  ['4096x4096', { aspectRatio: '1:1', pixels: '4096x4096', size: '4K' }],
])('reads %s as a ratio and a size', (size, settings) => {
  expect(readImageSize(size)).toEqual(settings);
});

test.each(['', '1024', '1024x', '1024 x 1024', '0x0', '255x255', '5000x5000', '4096x1024', '1024x1024x3'])(
  'refuses %j, and names the field',
  (size) => {
    expect(() => readImageSize(size)).toThrow(/The field size is .*accepted are auto/);
  },
);
