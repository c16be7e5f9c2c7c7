import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { DocumentPage, PdfReader, ReadDocument } from '@tollgate/engine';
import type { PdfMessage } from './pdf-child.ts';
import { defaultPdfLimits, pdfLimitsCheck, type PdfLimits } from './pdf-limits.ts';
import { checkConfiguration } from '@tollgate/contract/configuration';

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Beside this module lies the child's, under the same kind of name in the sources and in the build. */
const childPath = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './pdf-child.ts' : './pdf-child.js', import.meta.url));

/** It may read (its own code), and start its thread; no writing, no programs, no secrets of the environment. */
const permissions = ['--permission', '--allow-fs-read=*', '--allow-worker', '--no-warnings'];

const startChild = ({ memoryBytesMax, pagesMax, charactersMax }: PdfLimits): Child =>
  spawn(process.execPath, [...permissions, childPath(), ...[memoryBytesMax, pagesMax, charactersMax].map(String)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
  });

// Only our own child writes there; a document cannot, and what is no JSON ends the reading.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const toMessage = (line: string): PdfMessage => JSON.parse(line) as PdfMessage;

const collect = async (child: Child): Promise<ReadDocument> => {
  const pages: DocumentPage[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const message = toMessage(line);
    switch (message.kind) {
      case 'page':
        pages.push({ number: message.number, text: message.text });
        break;
      case 'end':
        return { kind: 'read', pages };
      case 'refused':
        return message;
    }
  }
  // It ended without a word: it was killed, by us or by the system.
  return { kind: 'refused', reason: 'too_long' };
};

const feed = (child: Child, read: () => AsyncIterable<Uint8Array>): Promise<unknown> =>
  pipeline(read(), child.stdin).catch((cause: unknown) => {
    // A child that has heard enough closes its end; what breaks on our side is ours to tell.
    if (
      cause instanceof Error &&
      'code' in cause &&
      (cause.code === 'EPIPE' || cause.code === 'ERR_STREAM_PREMATURE_CLOSE')
    )
      return;
    throw cause;
  });

const readOne = async (
  limits: PdfLimits,
  read: () => AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<ReadDocument> => {
  signal.throwIfAborted();
  const child = startChild(limits);
  const kill = (): void => void child.kill('SIGKILL');
  const timer = setTimeout(kill, limits.readMs);
  signal.addEventListener('abort', kill, { once: true });
  const failed = Promise.withResolvers<never>();
  child.on('error', failed.reject);
  try {
    const [found] = await Promise.race([Promise.all([collect(child), feed(child, read)]), failed.promise]);
    signal.throwIfAborted();
    return found;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    kill();
  }
};

/** Lets so many in at once; the others wait in the order they came. */
const createTurnstile = (max: number) => {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (inside >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else inside += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      // The next caller takes the place.
      if (next === undefined) inside -= 1;
      else next();
    }
  };
};

/**
 * Reads the text of PDF files, page by page, each in a process of its own with bounds on time, memory, pages and text: a hostile file
 * ends its process and nothing else. Images are not read.
 */
export const pdfText = (options: Partial<PdfLimits> = {}): PdfReader => {
  checkConfiguration('pdfText', pdfLimitsCheck, options);
  const limits = { ...defaultPdfLimits, ...options };
  const inTurn = createTurnstile(limits.readersMax);
  return (read, signal) => inTurn(() => readOne(limits, read, signal));
};
