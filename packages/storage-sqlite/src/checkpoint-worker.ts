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

/** Copies what is in the log without hindering anyone; a long log is then made to begin anew, which holds writers up briefly. */
const checkpoint = (): void => {
  const [, frames] = rowOf(passive.get());
  if (Number(frames) > restartFrames) restart.get();
};

parentPort?.on('message', (message: CheckpointerMessage) => {
  if (message === 'checkpoint') {
    checkpoint();
    // A port between threads has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parentPort?.postMessage('done');
    return;
  }
  database.close();
  parentPort?.close();
});
