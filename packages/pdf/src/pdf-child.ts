import { Worker } from 'node:worker_threads';
import type { PdfLimits } from './pdf-limits.ts';

/** What the thread that reads is given. */
export interface PdfSetup extends Pick<PdfLimits, 'pagesMax' | 'charactersMax'> {
  readonly bytes: Uint8Array;
}

/** What comes out of it, a line of JSON each. */
export type PdfMessage =
  | { readonly kind: 'page'; readonly number: number; readonly text: string }
  | { readonly kind: 'end' }
  /** `too_long`: more pages, text or memory than is allowed. */
  | { readonly kind: 'refused'; readonly reason: 'unreadable' | 'too_long' };

const watchEveryMs = 20;

const readInput = async (): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
};

const finish = (message: PdfMessage): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`, () => process.exit(0));
};

/**
 * A thread cannot watch itself while it decodes, and its limits do not count the bytes of buffers: so this one watches, and ends the
 * whole process.
 */
const watch = (memoryBytesMax: number): void => {
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytesMax) finish({ kind: 'refused', reason: 'too_long' });
  }, watchEveryMs);
};

const start = (setup: PdfSetup): void => {
  // Beside this module lies the thread's, under the same kind of name in the sources and in the build.
  const file = import.meta.url.endsWith('.ts') ? './pdf-worker.ts' : './pdf-worker.js';
  const worker = new Worker(new URL(file, import.meta.url), { workerData: setup, stdout: true, stderr: true });
  let ended = false;
  worker.on('message', (message: PdfMessage) => {
    if (ended) return;
    ended = message.kind !== 'page';
    if (ended) finish(message);
    else process.stdout.write(`${JSON.stringify(message)}\n`);
  });
  // Out of memory, among others: whatever it was, the document did it.
  worker.on('error', () => finish({ kind: 'refused', reason: 'unreadable' }));
};

const [memoryBytesMax, pagesMax, charactersMax] = process.argv.slice(2).map(Number);
if (memoryBytesMax === undefined || pagesMax === undefined || charactersMax === undefined)
  throw new Error('started without limits');
watch(memoryBytesMax);
start({ bytes: await readInput(), pagesMax, charactersMax });
