import type { Storage } from '@tollgate/storage';
import type { OpenedStorage } from '../storage-case.ts';
import type { RefuseWrites, StorageWriter } from '../storage-hooks.ts';
import { runStorageWriter } from '../storage-writer.ts';
import { createPlainDisk, rowKey, type PlainDisk } from './plain-parts.ts';
import { plainStorage, plainStorageOnUnsafe, type PlainFault } from './plain-storage.ts';

/** A way in which a storage can be wrong. */
export interface StorageFault {
  readonly name: string;
  /** Names of cases that must fail on it, or what the names of several begin with. */
  readonly failing: readonly string[];
  readonly fault: PlainFault;
  /** How long a case may take on it, where it hangs. */
  readonly limitMs?: number;
}

/** A writer in this process, which is stopped where it would be killed. */
const startWriter = (disk: PlainDisk, storage: Storage): StorageWriter => {
  const lines: string[] = [];
  let waiting = Promise.withResolvers<void>();
  const wake = (): void => waiting.resolve();
  disk.server.killed = false;
  disk.server.writes = true;
  const acknowledge = async (count: number): Promise<boolean> => {
    lines.push(String(count));
    wake();
    return !disk.server.killed;
  };
  void runStorageWriter(storage, acknowledge);
  return {
    lines: (async function* () {
      while (!disk.server.killed) {
        const line = lines.shift();
        if (line !== undefined) yield line;
        else {
          await waiting.promise;
          waiting = Promise.withResolvers();
        }
      }
      yield* lines.splice(0);
    })(),
    kill: () => {
      disk.server.killed = true;
      wake();
    },
  };
};

/** Opens a storage with the fault, on a disk of its own. */
export const openPlain = (fault: PlainFault): OpenedStorage => {
  const disk = createPlainDisk();
  const { server } = disk;
  let nowMs = 1;
  const now = (): number => nowMs;
  const refuse: RefuseWrites = async ({ table, id }) => {
    server.refused.add(rowKey(table, id));
    return async () => void server.refused.delete(rowKey(table, id));
  };
  const open = (): Storage => plainStorage(disk, now, fault);
  return {
    storage: open(),
    reopen: async () => open(),
    setNow: (ms) => {
      nowMs = ms;
    },
    cut: async () => {
      server.cutsNext = true;
      return () => server.wasCut;
    },
    refuse,
    // A plain storage writes when it commits.
    refuseCommit: refuse,
    hold: {
      take: async ({ table, id }) => {
        server.held.add(rowKey(table, id));
        return async () => void server.held.delete(rowKey(table, id));
      },
      openImpatient: async () => open(),
    },
    startWriter: () => startWriter(disk, open()),
    // No fault replaces what `performance` shows.
    openOwnClock: async () => plainStorage(disk, () => Math.floor(performance.timeOrigin + performance.now()), fault),
    openUnsafe: () => plainStorageOnUnsafe(disk, now, fault),
    blobBytes: () => [...disk.blobs.values()].reduce((sum, { length }) => sum + length, 0),
  };
};
