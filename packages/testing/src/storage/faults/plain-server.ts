import type { QueuedStep } from '@tollgate/storage';
import { rowKey, type PlainDisk, type PlainParts } from './plain-interface.ts';

/** Waits until no other client holds a row of the step, and carries it; gives up after some tries. */
export const carryWhenFree = (parts: PlainParts, disk: PlainDisk, step: QueuedStep, tries = 0): void => {
  if (!step.keys.some((key) => disk.server.held.has(rowKey(key.table, key.id)))) parts.carry(step);
  else if (tries >= parts.heldTriesMax) step.reject(parts.busy());
  else setTimeout(() => carryWhenFree(parts, disk, step, tries + 1), 5);
};

export const losesAnswer = ({ server }: PlainDisk): boolean => {
  if (!server.cutsNext) return false;
  server.cutsNext = false;
  server.wasCut = true;
  return true;
};
