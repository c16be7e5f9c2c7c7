import type { OpenedStorage } from '../storage-case.ts';
import { createPlainDisk } from './plain-parts.ts';
import { plainStorage, type PlainFault } from './plain-storage.ts';

/** A way in which a storage can be wrong. */
export interface StorageFault {
  readonly name: string;
  /** Names of cases that must fail on it, or what the names of several begin with. */
  readonly failing: readonly string[];
  readonly fault: PlainFault;
}

/** Opens a storage with the fault, on a disk of its own. */
export const openPlain = (fault: PlainFault): OpenedStorage => {
  const disk = createPlainDisk();
  let nowMs = 1;
  const now = (): number => nowMs;
  return {
    storage: plainStorage(disk, now, fault),
    reopen: async () => plainStorage(disk, now, fault),
    setNow: (ms) => {
      nowMs = ms;
    },
  };
};
