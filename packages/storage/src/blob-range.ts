import type { BlobRange } from './blob-store.ts';

/** Where a range begins and ends in a blob of so many bytes. Throws on a range that is none. */
export const rangeWithin = (sizeBytes: number, range: BlobRange = { fromByte: 0 }): Required<BlobRange> => {
  const { fromByte, toByte = Math.max(sizeBytes, fromByte) } = range;
  if (!Number.isSafeInteger(fromByte) || !Number.isSafeInteger(toByte) || fromByte < 0 || toByte < fromByte)
    throw new RangeError(`not a range of bytes: ${fromByte} to ${toByte}`);
  return { fromByte: Math.min(fromByte, sizeBytes), toByte: Math.min(toByte, sizeBytes) };
};
