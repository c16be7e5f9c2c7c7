import { Worker } from 'node:worker_threads';
import { createFairQueue, type FairQueueLimits, type StructureJudge, type StructureVerdict } from '@tollgate/routes';
import type { StructureTask } from './structure-worker.ts';

/** Projects take turns. A check that finds no room to wait is not made. */
export interface StructureJudgeLimits extends FairQueueLimits {
  /** Processor time for one check; the thread that exceeds it is ended. */
  readonly checkMs: number;
  /** Time by the clock for one check, however little of the processor the thread was given. */
  readonly checkWallMs: number;
  /** Threads that were asked to end and still run: while there are more, no further check is made. */
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
  checkWallMs: 4_000,
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

interface Thread {
  readonly worker: Worker;
  /** Resolves when the thread has loaded its code: the time of a check does not include that. */
  readonly ready: Promise<unknown>;
}

// A limit on its memory would protect nothing: a thread that exceeds it quickly takes the process along. Its time is the limit.
const startThread = (): Thread => {
  const worker = new Worker(workerUrl(), { env: {} });
  worker.unref();
  return { worker, ready: new Promise((resolve) => worker.once('message', resolve)) };
};

const cpuMsSince = (begun: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
};

/**
 * Calls `end` when a thread that began now may have used `checkMs` of processor time, and after `checkWallMs` in any case. The
 * thread cannot have used more than the process has, so a check is not ended for the load of other processes. Returns what stops the timer.
 */
const limitTime = ({ checkMs, checkWallMs }: StructureJudgeLimits, end: () => void): (() => void) => {
  const [begun, begunMs] = [process.cpuUsage(), performance.now()];
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const leftMs = checkMs - cpuMsSince(begun);
    const leftWallMs = checkWallMs - (performance.now() - begunMs);
    if (leftMs <= 0 || leftWallMs <= 0) end();
    else timer = setTimeout(look, Math.min(leftMs, leftWallMs));
  };
  timer = setTimeout(look, Math.min(checkMs, checkWallMs));
  return () => clearTimeout(timer);
};

/** Checks one answer on a thread; `lost` where the thread did not come to an end with it, and must not be used again. */
const checkOn = async (
  { worker, ready }: Thread,
  task: StructureTask,
  limits: StructureJudgeLimits,
): Promise<boolean | null | 'lost'> => {
  const { promise, resolve } = Promise.withResolvers<boolean | null | 'lost'>();
  const found = (finding: boolean | null): void => resolve(finding);
  const lost = (): void => resolve('lost');
  worker.once('error', lost);
  worker.once('exit', lost);
  await Promise.race([ready, promise]);
  worker.once('message', found);
  const stopTimer = limitTime(limits, lost);
  // A port between threads has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(task);
  return promise.finally(() => {
    stopTimer();
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
    const finding = await checkOn(thread, task, limits);
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
