import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';

/** Largest file that is read whole. */
const fileBytesMax = 64 * 1024 * 1024;

const lineFeed = 10;

/** The first line whose bytes are not UTF-8, counted from 1; no character has the byte of a line feed within. */
const oddLineOf = (bytes: Uint8Array): number => {
  for (let from = 0, line = 1; ; line += 1) {
    const end = bytes.indexOf(lineFeed, from);
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
};

/** The text of a file. What `refuse` makes of it is thrown where it cannot be read, is too large or is not UTF-8. */
export const readTextFile = (file: string, refuse: (fault: string) => Error): string => {
  let bytes: Uint8Array | null;
  try {
    bytes = statSync(file).size > fileBytesMax ? null : readFileSync(file);
  } catch (cause) {
    throw refuse(`${file} cannot be read (${cause instanceof Error ? cause.message : String(cause)})`);
  }
  if (bytes === null) throw refuse(`${file} is larger than ${fileBytesMax} bytes`);
  if (!isUtf8(bytes)) throw refuse(`${file}, line ${oddLineOf(bytes)}: is not UTF-8`);
  return new TextDecoder().decode(bytes);
};
