import { expect, test } from 'vitest';
import { samples } from '../../test/media-samples.ts';
import { sniffMedia } from './sniff-media.ts';

test.each([
  ['png', 'png'],
  ['jpeg', 'jpeg'],
  ['webp', 'webp'],
  ['wav', 'wav'],
  ['mp3', 'mp3'],
  ['mp3Frames', 'mp3'],
  ['aac', 'aac'],
  ['ogg', 'ogg'],
  ['flac', 'flac'],
  ['mp4', 'mp4'],
  ['m4a', 'mp4'],
  ['quicktime', 'quicktime'],
  ['webm', 'webm'],
  ['pdf', 'pdf'],
  ['heic', null],
  ['matroska', null],
  ['gif', null],
  ['zip', null],
  ['text', null],
] as const)('tells %s as %s from its first 48 bytes', (sample, kind) => {
  expect(sniffMedia(Buffer.from(samples[sample], 'base64').subarray(0, 48))).toBe(kind);
});

test.each(['', 'ff', 'fffb', '89504e470000', '52494646000000004142', 'ffe99064', 'fffbf064', 'fffb9c64'])(
  'returns null for the bytes %s',
  (bytes) => {
    expect(sniffMedia(Buffer.from(bytes, 'hex'))).toBeNull();
  },
);

test('takes a QuickTime file that begins without a brand', () => {
  expect(sniffMedia(Buffer.from('\0\0\0\x08wide\0\0\0\0mdat', 'latin1'))).toBe('quicktime');
});
