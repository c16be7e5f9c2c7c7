import { expect, test } from 'vitest';
import { webpBytes, jpegBytes, pngBytes } from '../../test/media-samples.ts';
import { isLifted, liftedTailBytesMax, MediaData, type LiftedData } from './lifted-data.ts';
import { isMediaOf } from './media-data.ts';
import { mediaTypes, type MediaType } from './media-type.ts';

const liftedOf = (bytes: Uint8Array, isUtf8 = false): LiftedData => ({
  kind: 'lifted',
  key: 'inline/1',
  sizeBytes: bytes.length,
  sha256: '',
  head: bytes.subarray(0, 64),
  tail: bytes.subarray(-liftedTailBytesMax),
  isUtf8,
  read: () => {
    throw new Error('its bytes are not needed');
  },
});

const typeOf = (mimeType: string): MediaType => {
  const type = mediaTypes.get(mimeType);
  if (type === undefined) throw new Error(`no type ${mimeType}`);
  return type;
};

/** An image of more bytes than its head and tail hold. */
const stretched = (bytes: Uint8Array, at: number): Uint8Array =>
  Buffer.concat([bytes.subarray(0, at), Buffer.alloc(40_000, 0x5a), bytes.subarray(at)]);

test('takes lifted images by their head and their end mark [chat:part:file-media]', () => {
  expect(isMediaOf(liftedOf(stretched(pngBytes, 33)), typeOf('image/png'))).toBe(true);
  expect(isMediaOf(liftedOf(stretched(jpegBytes, 30)), typeOf('image/jpeg'))).toBe(true);
  expect(isMediaOf(liftedOf(stretched(pngBytes, 33)), typeOf('image/jpeg'))).toBe(false);
});

test('refuses lifted images that were cut [chat:part:image-invalid]', () => {
  expect(isMediaOf(liftedOf(stretched(pngBytes, 33).subarray(0, -1)), typeOf('image/png'))).toBe(false);
  expect(isMediaOf(liftedOf(stretched(jpegBytes, 30).subarray(0, -2)), typeOf('image/jpeg'))).toBe(false);
});

test('compares the length that a lifted WebP states with its size', () => {
  const long = Buffer.from(stretched(webpBytes, webpBytes.length));
  expect(isMediaOf(liftedOf(long), typeOf('image/webp'))).toBe(false);
  long.writeUInt32LE(long.length - 8, 4);
  expect(isMediaOf(liftedOf(long), typeOf('image/webp'))).toBe(true);
});

test('takes lifted text by the mark that was made of it, unless it begins like another file', () => {
  const text = typeOf('text/plain');
  expect(isMediaOf(liftedOf(Buffer.from('words '.repeat(20_000)), true), text)).toBe(true);
  expect(isMediaOf(liftedOf(Buffer.from('words '.repeat(20_000)), false), text)).toBe(false);
  expect(isMediaOf(liftedOf(Buffer.from(`%PDF${'words '.repeat(20_000)}`), true), text)).toBe(false);
});

test('the schema takes text and what was lifted, and nothing that a client can spell', () => {
  const lifted = liftedOf(pngBytes);
  expect(MediaData.parse(lifted)).toBe(lifted);
  expect(MediaData.parse('AAAA')).toBe('AAAA');
  expect(MediaData.safeParse({ ...lifted, read: 'x' }).success).toBe(false);
  expect(isLifted(JSON.parse(JSON.stringify(lifted)))).toBe(false);
});
