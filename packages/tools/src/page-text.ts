import { Worker } from 'node:worker_threads';
import type { PageSetup, PageText } from './page-worker.ts';
import { createTurnGate, type TurnCaller } from './turn-gate.ts';

export interface PageReaderLimits {
  readonly readMs: number;
  /** Of the thread that reads. */
  readonly heapBytesMax: number;
  /** Pages that are read at once, and that wait for their turn. */
  readonly readersMax: number;
  readonly waitingMax: number;
  /** The same of one project. */
  readonly readersPerProjectMax: number;
  readonly waitingPerProjectMax: number;
}

/** Returns the readable text of a page, cut to a length; undefined where it cannot be read within the limits. */
export type PageReader = (html: string, charactersMax: number, caller: TurnCaller) => Promise<PageText | undefined>;

const mebibyte = 1024 * 1024;
const defaultLimits: PageReaderLimits = {
  readMs: 10_000,
  heapBytesMax: 192 * mebibyte,
  readersMax: 2,
  waitingMax: 64,
  readersPerProjectMax: 1,
  waitingPerProjectMax: 16,
};

/** Beside this module lies the worker's, under the same kind of name in the sources and in the build. */
const workerUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './page-worker.ts' : './page-worker.js', import.meta.url);

const readOne = (setup: PageSetup, { readMs, heapBytesMax }: PageReaderLimits): Promise<PageText | undefined> => {
  const { promise, resolve } = Promise.withResolvers<PageText | undefined>();
  const worker = new Worker(workerUrl(), {
    workerData: setup,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(heapBytesMax / mebibyte) },
  });
  const end = (text?: PageText): void => {
    clearTimeout(timer);
    resolve(text);
    void worker.terminate();
  };
  const timer = setTimeout(end, readMs);
  worker.on('message', end);
  worker.on('error', () => end());
  worker.on('exit', () => end());
  return promise;
};

/** Reads pages of strangers on threads of their own, which end with their time or memory and leave the others alone. */
export const createPageReader = (options: Partial<PageReaderLimits> = {}): PageReader => {
  const limits = { ...defaultLimits, ...options };
  const gate = createTurnGate({
    runningMax: limits.readersMax,
    waitingMax: limits.waitingMax,
    runningPerProjectMax: limits.readersPerProjectMax,
    waitingPerProjectMax: limits.waitingPerProjectMax,
  });
  return (html, charactersMax, caller) => gate.run(() => readOne({ html, charactersMax }, limits), caller);
};
