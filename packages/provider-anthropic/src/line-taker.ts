import type { AnswerTaker } from './send.ts';

export interface LineTakerOptions {
  readonly bytesMax: number;
  /** A line that is longer cannot be read. */
  readonly lineBytesMax: number;
  /** Takes each line that says something. What it throws makes the answer unreadable. */
  readonly onLine: (line: string) => void;
}

const lineEnd = 0x0a;

/** Takes an answer of one JSON text a line, and keeps no more of it than the line that is coming. */
export const createLineTaker = ({
  bytesMax,
  lineBytesMax,
  onLine,
}: LineTakerOptions): AnswerTaker & {
  /** Takes what came after the last line's end; to be called when no more bytes come. */
  readonly finish: () => void;
} => {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const keep = (bytes: Buffer): void => {
    pendingBytes += bytes.length;
    if (pendingBytes > lineBytesMax) throw new Error(`a line has more than ${lineBytesMax} bytes`);
    pending.push(Buffer.from(bytes));
  };
  const finish = (): void => {
    const line = Buffer.concat(pending).toString('utf8');
    pending = [];
    pendingBytes = 0;
    if (line.trim() !== '') onLine(line);
  };
  return {
    // A store of results may call them a file.
    mediaType: null,
    bytesMax,
    take: (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, from)) {
        keep(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      keep(chunk.subarray(from));
    },
    finish,
    ended: () => false,
    verdict: () => 'answered',
    answerId: () => undefined,
  };
};
