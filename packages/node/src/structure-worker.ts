import { parentPort } from 'node:worker_threads';
import type { JsonObject } from '@tollgate/provider';
import { fitsSchema } from '@tollgate/routes/fits-schema';

/** An answer to be checked against the schema of the client that asked for it. */
export interface StructureTask {
  readonly schema: JsonObject;
  readonly text: string;
}

const check = ({ schema, text }: StructureTask): boolean | null => {
  try {
    return fitsSchema(schema, JSON.parse(text));
  } catch {
    return null;
  }
};

// The thread that starts this one sends exactly this.
parentPort?.on('message', (task: StructureTask) => {
  // A port between threads has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(check(task));
});

// The thread that starts this one waits for a first message before it measures the time of a check.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage('ready');
