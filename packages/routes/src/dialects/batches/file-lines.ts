import { GatewayError } from '@tollgate/contract';

const lineFeed = 0x0a;

/** One line of a file, counted from 1. */
export interface FileLine {
  readonly number: number;
  readonly bytes: Buffer;
}

const isBlank = (bytes: Buffer): boolean => {
  // A loop, as a line of blanks can be as long as a file.
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] ?? 0) > 0x20) return false;
  return true;
};

async function* everyLine(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let begun: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]);
      begun = [];
      from = end + 1;
    }
    // Copied, as the memory of a chunk may be given back.
    if (from < chunk.length) begun.push(Buffer.from(chunk.subarray(from)));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

/**
 * The lines of a file that hold something. A file with more than `linesMax` of them, or with more blank ones, is refused, and is not
 * read further; `field` is what named the file.
 */
export async function* readFileLines(
  chunks: AsyncIterable<Uint8Array>,
  { linesMax, field }: { readonly linesMax: number; readonly field: string },
): AsyncGenerator<FileLine, void> {
  let [number, count] = [0, 0];
  for await (const bytes of everyLine(chunks)) {
    number += 1;
    const blank = isBlank(bytes);
    if (!blank) count += 1;
    if (Math.max(count, number - count) > linesMax)
      throw new GatewayError('invalid_request', {
        detail: `The file of ${field} has more than ${linesMax} requests or blank lines; accepted are 1 to ${linesMax} requests, one a line.`,
      });
    if (!blank) yield { number, bytes };
  }
  if (count === 0)
    throw new GatewayError('invalid_request', {
      detail: `The file of ${field} has no request; accepted are 1 to ${linesMax}, one a line.`,
    });
}
