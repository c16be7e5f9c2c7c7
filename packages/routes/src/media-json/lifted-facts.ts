import { createHash } from 'node:crypto';
import { liftedHeadBytes, liftedTailBytesMax, type LiftedData } from '@tollgate/contract';

export type LiftedFacts = Pick<LiftedData, 'sizeBytes' | 'sha256' | 'head' | 'tail' | 'isUtf8'>;

/** Tells text from other bytes as they come; the first piece that is none settles it. */
const createTextCheck = () => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isText = true;
  const decodes = (bytes: Uint8Array | undefined): boolean => {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined });
      return true;
    } catch {
      return false;
    }
  };
  return {
    add: (bytes: Uint8Array): void => {
      if (isText) isText = !bytes.includes(0) && decodes(bytes);
    },
    end: (): boolean => isText && decodes(undefined),
  };
};

/** The last bytes of what came, in a buffer that is shifted when it is full. */
const createTail = () => {
  const buffer = Buffer.alloc(2 * liftedTailBytesMax);
  let filled = 0;
  return {
    add: (bytes: Uint8Array): void => {
      const last = bytes.subarray(-liftedTailBytesMax);
      if (filled + last.length > buffer.length) {
        buffer.copyWithin(0, filled - liftedTailBytesMax, filled);
        filled = liftedTailBytesMax;
      }
      buffer.set(last, filled);
      filled += last.length;
    },
    end: (): Uint8Array => Uint8Array.from(buffer.subarray(Math.max(0, filled - liftedTailBytesMax), filled)),
  };
};

/** Gathers what is to be known of bytes that are never in memory whole. */
export const createLiftedFacts = () => {
  const hash = createHash('sha256');
  const text = createTextCheck();
  const tail = createTail();
  let head: Buffer = Buffer.alloc(0);
  let sizeBytes = 0;
  return {
    add: (bytes: Uint8Array): void => {
      hash.update(bytes);
      text.add(bytes);
      tail.add(bytes);
      if (head.length < liftedHeadBytes) head = Buffer.concat([head, bytes.subarray(0, liftedHeadBytes - head.length)]);
      sizeBytes += bytes.length;
    },
    end: (): LiftedFacts => ({
      sizeBytes,
      sha256: hash.digest('hex'),
      head,
      tail: tail.end(),
      isUtf8: text.end(),
    }),
  };
};
