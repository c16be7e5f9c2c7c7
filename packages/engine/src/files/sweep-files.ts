import type { Engine } from '../engine.ts';
import { processFile } from './process-file.ts';
import { waitAtMost } from './wait-at-most.ts';

/** Files processed at once in one process, those of requests included. */
const processedMax = 32;
/** How long a sweep waits for the files it processes; they go on without it. */
const sweepWaitMs = 1_000;

/** Processes the files that are due, as far as there is room; returns whether more are likely to be due. */
export const sweepFiles = async (engine: Engine, owner: string): Promise<boolean> => {
  const room = processedMax - engine.backgroundTasks.count();
  if (room <= 0) return false;
  // No other worker may take up a file for as long as a provider may take for its copy.
  const leaseMs = engine.limits.fileCopyMs + engine.limits.leaseMs;
  const due = await engine.storage.claim({ table: 'file', owner, leaseMs, limit: room });
  const processed = Promise.all(due.map((file) => processFile(engine, file)));
  if (due.length > 0) await waitAtMost(engine, sweepWaitMs, processed);
  return due.length === room;
};
