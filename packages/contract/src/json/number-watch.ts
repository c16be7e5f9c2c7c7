/** A number of fewer digits is finite. */
const plainRunBytesMax = 300;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/**
 * Tells a number that JSON cannot carry on from plain ones, by a sign before it, an exponent, or a run of bytes that is very long.
 * A run is what stands between two signs, or a sign and a text.
 */
export const createNumberWatch = () => {
  let isOdd = false;
  let runFrom = 0;
  return {
    /** A byte that is no sign and stands in no text; `before` is the one before it. */
    take: (byte: number, before: number | undefined): void => {
      // The `e` of `true` and `false` follows no digit.
      if (byte === 0x2d || byte === 0x45 || (byte === 0x65 && (before === undefined || isDigit(before)))) isOdd = true;
    },
    beginRun: (at: number): void => {
      runFrom = at;
    },
    endRun: (at: number): void => {
      if (at - runFrom > plainRunBytesMax) isOdd = true;
    },
    /** What the chunk ends with goes on in the next. */
    endChunk: (length: number): void => {
      runFrom -= length;
    },
    isOdd: (): boolean => isOdd,
  };
};
