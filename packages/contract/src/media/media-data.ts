import { isUtf8 } from 'node:buffer';
import { decodeBase64, decodeHead } from './base64.ts';
import { isLifted, type LiftedData, type MediaData } from './lifted-data.ts';
import type { MediaType } from './media-type.ts';
import { sniffMedia, type MediaKind } from './sniff-media.ts';

const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');
/** Bytes that cameras and tools leave behind the end mark: NUL, line feed and carriage return. */
const isPadding = (byte: number | undefined): boolean => byte === 0x00 || byte === 0x0a || byte === 0x0d;

const endsJpeg = (bytes: Buffer): boolean => {
  let end = bytes.length;
  while (end > 0 && isPadding(bytes[end - 1])) end -= 1;
  return end >= 4 && bytes[end - 2] === 0xff && bytes[end - 1] === 0xd9;
};

/** What of a file is checked; head and tail are the whole where the file is in memory. */
interface FileEnds {
  readonly sizeBytes: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** The container states its own length, to which one byte of alignment may be added. */
const fillsRiff = ({ sizeBytes, head }: FileEnds): boolean => {
  if (sizeBytes < 20) return false;
  const surplus = sizeBytes - 8 - head.readUInt32LE(4);
  return surplus === 0 || surplus === 1;
};

/** Tells whether an image's bytes reach its end mark, so that a cut upload is refused before it is paid for. */
const isCompleteImage = (ends: FileEnds, kind: 'png' | 'jpeg' | 'webp'): boolean => {
  switch (kind) {
    case 'png':
      return ends.sizeBytes >= 45 && ends.tail.subarray(-pngEnd.length).equals(pngEnd);
    case 'jpeg':
      return endsJpeg(ends.tail);
    case 'webp':
      return fillsRiff(ends);
  }
};

const isComplete = (ends: FileEnds, kind: MediaKind): boolean =>
  kind === 'png' || kind === 'jpeg' || kind === 'webp' ? isCompleteImage(ends, kind) : true;

const isTextOf = (data: string, type: MediaType): boolean => {
  if (type.kind !== null && sniffMedia(decodeHead(data)) !== type.kind) return false;
  const bytes = decodeBase64(data);
  if (bytes === null) return false;
  if (type.kind !== null) return isComplete({ sizeBytes: bytes.length, head: bytes, tail: bytes }, type.kind);
  return sniffMedia(bytes) === null && isUtf8(bytes) && !bytes.includes(0);
};

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const isLiftedOf = ({ sizeBytes, head, tail, isUtf8: isText }: LiftedData, type: MediaType): boolean => {
  if (sniffMedia(head) !== type.kind) return false;
  if (type.kind === null) return isText;
  return isComplete({ sizeBytes, head: asBuffer(head), tail: asBuffer(tail) }, type.kind);
};

/**
 * Tells whether data is strict base64, complete and of the type that was declared. The magic bytes are checked before the
 * whole is decoded; images must also reach their end mark; plain text is UTF-8 without NUL that does not begin like a file of
 * another kind.
 */
export const isMediaOf = (data: MediaData, type: MediaType): boolean =>
  isLifted(data) ? isLiftedOf(data, type) : isTextOf(data, type);
