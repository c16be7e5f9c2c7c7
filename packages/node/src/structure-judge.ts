import { Worker } from 'node:worker_threads';
import { createFairQueue, type FairQueueLimits, type StructureJudge, type StructureVerdict } from '@tollgate/routes';
import type { StructureTask } from './structure-worker.ts';

/** Projects take turns. A check that finds no room to wait is not made. */
export interface StructureJudgeLimits extends FairQueueLimits {
  /** For one check; the thread that exceeds it is ended. */
  readonly checkMs: number;
  /** Threads that were told to end and still run: while there are more, no further check is made. */
  readonly endingMax: number;
  /** How long the thread stays without work. */
  readonly idleMs: number;
}

export interface RunningStructureJudge {
  /** Resolves with the finding, or with `unchecked` where a limit is met. */
  readonly judge: StructureJudge;
  /** Ends the thread. What is being checked or waits becomes `unchecked`. */
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly task: StructureTask;
  readonly resolve: (verdict: StructureVerdict) => void;
}

const defaultLimits: StructureJudgeLimits = {
  checkMs: 200,
  waitingMax: 32,
  waitingPerOwnerMax: 4,
  endingMax: 2,
  idleMs: 30_000,
};

/** Beside this module lies the worker's, under the same kind of name in the sources and in the build. */
const workerUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './structure-worker.ts' : './structure-worker.js', import.meta.url);

const verdictOf = (finding: boolean | null): StructureVerdict => {
  if (finding === null) return 'unchecked';
  return finding ? 'fits' : 'does_not_fit';
};

/** A thread that has loaded its code: the time of a check does not include that. */
interface Thread {
  readonly worker: Worker;
  readonly online: Promise<unknown>;
}

// A limit on its memory would protect nothing: a thread that exceeds it quickly takes the process along. Its time is the limit.
const startThread = (): Thread => {
  const worker = new Worker(workerUrl(), { env: {} });
  worker.unref();
  return { worker, online: new Promise((resolve) => worker.once('online', resolve)) };
};

/** Checks one answer on a thread; null where the thread did not come to an end with it, and must not be used again. */
const checkOn = (
  { worker, online }: Thread,
  task: StructureTask,
  checkMs: number,
): Promise<boolean | null | 'lost'> => {
  const { promise, resolve } = Promise.withResolvers<boolean | null | 'lost'>();
  let timer: NodeJS.Timeout | undefined;
  const found = (finding: boolean | null): void => resolve(finding);
  const lost = (): void => resolve('lost');
  worker.once('message', found);
  worker.once('error', lost);
  worker.once('exit', lost);
  const send = async (): Promise<void> => {
    await online;
    timer = setTimeout(lost, checkMs);
    // A port between threads has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(task);
  };
  void send();
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', found);
    worker.off('error', lost);
    worker.off('exit', lost);
  });
};

/**
 * Checks answers against the schemas of clients on a thread of its own, one after another. The thread starts with the first
 * check, is replaced when a check exceeds its time, and ends when there is nothing to do. A thread that compiles a pattern ends
 * only after that, so the next check does not wait for its end.
 */
export const createStructureJudge = (options: Partial<StructureJudgeLimits> = {}): RunningStructureJudge => {
  const limits = { ...defaultLimits, ...options };
  const waiting = createFairQueue<Waiting>(limits);
  const ending = new Set<Promise<unknown>>();
  let thread: Thread | null = null;
  let isWorking = false;
  let idle: NodeJS.Timeout | undefined;

  const endThread = (): void => {
    clearTimeout(idle);
    if (thread === null) return;
    const ended: Promise<unknown> = thread.worker.terminate().finally(() => ending.delete(ended));
    ending.add(ended);
    thread = null;
  };
  const checkNext = async ({ task, resolve }: Waiting): Promise<void> => {
    if (ending.size > limits.endingMax) return resolve('unchecked');
    thread ??= startThread();
    const finding = await checkOn(thread, task, limits.checkMs);
    resolve(finding === 'lost' ? 'unchecked' : verdictOf(finding));
    if (finding === 'lost') endThread();
  };
  const work = async (): Promise<void> => {
    isWorking = true;
    clearTimeout(idle);
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) await checkNext(next);
    isWorking = false;
    idle = setTimeout(endThread, limits.idleMs);
    idle.unref();
  };
  return {
    judge: (schema, text, projectId) => {
      const { promise, resolve } = Promise.withResolvers<StructureVerdict>();
      if (!waiting.add(projectId, { task: { schema, text }, resolve })) return Promise.resolve('unchecked');
      if (!isWorking) void work();
      return promise;
    },
    close: async () => {
      for (const { resolve } of waiting.clear()) resolve('unchecked');
      endThread();
      await Promise.all(ending);
    },
  };
};
