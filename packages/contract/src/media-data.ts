import { isUtf8 } from 'node:buffer';
import { decodeBase64, decodeHead } from './base64.ts';
import type { MediaType } from './media-type.ts';
import { sniffMedia } from './sniff-media.ts';

const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');
/** Bytes that cameras and tools leave behind the end mark: NUL, line feed and carriage return. */
const isPadding = (byte: number | undefined): boolean => byte === 0x00 || byte === 0x0a || byte === 0x0d;

const endsJpeg = (bytes: Buffer): boolean => {
  let end = bytes.length;
  while (end > 0 && isPadding(bytes[end - 1])) end -= 1;
  return end >= 4 && bytes[end - 2] === 0xff && bytes[end - 1] === 0xd9;
};

/** The container states its own length, to which one byte of alignment may be added. */
const fillsRiff = (bytes: Buffer): boolean => {
  if (bytes.length < 20) return false;
  const surplus = bytes.length - 8 - bytes.readUInt32LE(4);
  return surplus === 0 || surplus === 1;
};

/** Tells whether an image's bytes reach its end mark, so that a cut upload is refused before it is paid for. */
const isCompleteImage = (bytes: Buffer, kind: 'png' | 'jpeg' | 'webp'): boolean => {
  switch (kind) {
    case 'png':
      return bytes.length >= 45 && bytes.subarray(-pngEnd.length).equals(pngEnd);
    case 'jpeg':
      return endsJpeg(bytes);
    case 'webp':
      return fillsRiff(bytes);
  }
};

/** Plain text is UTF-8 without NUL that does not begin like a file of another kind. */
const isPlainText = (bytes: Buffer): boolean => sniffMedia(bytes) === null && isUtf8(bytes) && !bytes.includes(0);

/** Tells whether base64 text is strict, complete and of the type that was declared. The magic bytes are looked at
 * before the whole is decoded; images must also reach their end mark. */
export const isMediaOf = (data: string, type: MediaType): boolean => {
  if (type.kind !== null && sniffMedia(decodeHead(data)) !== type.kind) return false;
  const bytes = decodeBase64(data);
  if (bytes === null) return false;
  if (type.kind === null) return isPlainText(bytes);
  return type.kind === 'png' || type.kind === 'jpeg' || type.kind === 'webp' ? isCompleteImage(bytes, type.kind) : true;
};
