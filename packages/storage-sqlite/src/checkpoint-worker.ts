import { getPriority, setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { prepareArrays, rowOf } from './array-rows.ts';
import type { CheckpointerMessage, CheckpointerSetup } from './checkpointer.ts';

/** How long the log's writers and readers are waited for when it is to begin anew. */
const restartWaitMs = 50;

// The thread that starts this one hands over exactly this.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { file, restartFrames } = workerData as CheckpointerSetup;
const database = new DatabaseSync(file, { timeout: restartWaitMs });
const passive = prepareArrays(database, 'PRAGMA wal_checkpoint(PASSIVE)');
const restart = prepareArrays(database, 'PRAGMA wal_checkpoint(RESTART)');

/** A tenth of a core where others want all of it, which is more than copying takes: the log does not outgrow it. */
const lowPriority = 10;

/**
 * On one core the thread that serves would wait a time slice of some milliseconds whenever this one copies. Only Linux gives a
 * thread a priority of its own; elsewhere it would be the whole process's. Without the right to lower it, all goes on as before.
 */
const giveWay = (): void => {
  if (process.platform !== 'linux') return;
  try {
    // Not above that of a process which is itself to be behind others.
    setPriority(Math.max(getPriority(), lowPriority));
  } catch {
    // A sandbox may forbid the call.
  }
};

/** Copies what is in the log without hindering anyone; a long log is then made to begin anew, which holds writers up briefly. */
const checkpoint = (): void => {
  const [, frames] = rowOf(passive.get());
  if (Number(frames) > restartFrames) restart.get();
};

giveWay();
parentPort?.on('message', (message: CheckpointerMessage) => {
  if (message === 'checkpoint') {
    checkpoint();
    // A port between threads has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parentPort?.postMessage('done');
    return;
  }
  database.close();
  // Ends this thread alone. To close its port would do in Node, and a port of Deno has no such method.
  process.exit();
});
