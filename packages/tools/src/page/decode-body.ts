import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

const unpackers = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) } as const;
const isPacked = (coding: string): coding is keyof typeof unpackers => Object.hasOwn(unpackers, coding);

/** Unpacks a body that was packed although that was not requested; undefined where that fails, or makes too much of it. */
export const unpackBody = async (
  bytes: Uint8Array,
  coding: string | undefined,
  bytesMax: number,
): Promise<Uint8Array | undefined> => {
  const name = (coding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return bytes;
  if (!isPacked(name)) return undefined;
  try {
    return await unpackers[name](bytes, { maxOutputLength: bytesMax });
  } catch {
    return undefined;
  }
};

const headBytes = 1024;

/** The character set of a text: of its header, of the head of a page, or UTF-8. */
const charsetOf = (bytes: Uint8Array, contentType: string): string => {
  const [, declared] = /charset\s*=\s*"?([\w.:-]{1,40})/iu.exec(contentType) ?? [];
  if (declared !== undefined) return declared;
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1');
  const [, inside] = /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})/iu.exec(head) ?? [];
  return inside ?? 'utf-8';
};

/** Reads bytes as the text that they say they are; what they are not is replaced. */
export const decodeText = (bytes: Uint8Array, contentType: string): string => {
  try {
    return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes);
  } catch {
    // A character set that is unknown.
    return new TextDecoder().decode(bytes);
  }
};
