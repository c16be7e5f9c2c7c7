import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { restartFrames } from './log-limits.ts';

/** What the worker is started with. */
export interface CheckpointerSetup {
  readonly file: string;
  /** A log of more frames than this is made to begin anew. */
  readonly restartFrames: number;
}

export type CheckpointerMessage = 'checkpoint' | 'stop';

/** What is asked of the thread that checkpoints: it responds to each 'checkpoint', and exits after 'stop'. */
export interface CheckpointerThread {
  postMessage(message: CheckpointerMessage): void;
  on(event: string, listener: () => void): unknown;
  ref(): void;
  unref(): void;
}

export interface CheckpointerOptions {
  /** The database file; its log lies beside it. */
  readonly file: string;
  /** Checkpoints on this thread; for a log that grows faster than the worker copies, or without a worker. */
  readonly checkpointHere: () => void;
  readonly everyMs: number;
  /** A clock that never goes back. */
  readonly monotonicMs: () => number;
  /** A log that got longer than this is checkpointed on the thread that writes it, which stops it from growing. */
  readonly walBytesMax?: number;
  /** Starts the worker; that of the module beside this one by default. */
  readonly startWorker?: (setup: CheckpointerSetup) => CheckpointerThread;
}

/** Copies the log into the database file from time to time. */
export interface Checkpointer {
  /** To be called after commits. */
  nudge(): void;
  close(): Promise<void>;
}

/** A shorter log is left alone. */
const checkpointBytesMin = 1024 * 1024;
const walBytesMaxDefault = 256 * 1024 * 1024;

/** Beside this module lies the worker's, under the same kind of name in the sources and in the build. */
const besideThis = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './checkpoint-worker.ts' : './checkpoint-worker.js', import.meta.url);

const startBesideThis = (setup: CheckpointerSetup): CheckpointerThread =>
  new Worker(besideThis(), { workerData: setup });

const tell = (worker: CheckpointerThread, message: CheckpointerMessage): void => {
  // A port between threads has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(message);
};

/**
 * Checkpoints sync two files, which takes milliseconds; so a worker thread does them, started when the log first is long
 * enough and gets a message when to work. There is no timer: a database without writes costs nothing.
 */
export const createCheckpointer = (options: CheckpointerOptions): Checkpointer => {
  const { file, checkpointHere, everyMs, monotonicMs, walBytesMax = walBytesMaxDefault } = options;
  const { startWorker = startBesideThis } = options;
  let worker: CheckpointerThread | undefined;
  let broken = false;
  let working = false;
  let lastMs = monotonicMs();
  const start = (): CheckpointerThread => {
    const started = startWorker({ file, restartFrames });
    started.unref();
    started.on('message', () => {
      working = false;
    });
    // A worker that cannot run (a bundler that left its file behind, say) is not tried again.
    started.on('error', () => {
      broken = true;
      worker = undefined;
    });
    return started;
  };
  const checkpointAside = (): void => {
    worker ??= start();
    working = true;
    tell(worker, 'checkpoint');
  };
  return {
    nudge: () => {
      const nowMs = monotonicMs();
      if (nowMs - lastMs < everyMs) return;
      lastMs = nowMs;
      const bytes = statSync(`${file}-wal`).size;
      if (bytes > walBytesMax || (broken && bytes > checkpointBytesMin)) checkpointHere();
      else if (bytes > checkpointBytesMin && !working && !broken) checkpointAside();
    },
    close: async () => {
      const stopping = worker;
      if (stopping === undefined) return;
      await new Promise<void>((resolve) => {
        stopping.on('exit', () => resolve());
        stopping.ref();
        tell(stopping, 'stop');
      });
    },
  };
};

/** For a database in memory, which has no log. */
export const noCheckpointer: Checkpointer = { nudge: () => undefined, close: async () => undefined };
