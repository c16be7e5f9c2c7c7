import { describeStorage } from '@tollgate/testing/storage';
import { describe, test } from 'vitest';
import { createMemoryDisk } from './memory-disk.ts';
import { memoryStorage } from './memory-storage.ts';

describeStorage({ describe, test }, 'memoryStorage', async () => {
  const disk = createMemoryDisk();
  let nowMs = 1;
  const now = () => nowMs;
  return {
    storage: memoryStorage({ disk, now }),
    reopen: async () => memoryStorage({ disk, now }),
    setNow: (ms) => {
      nowMs = ms;
    },
    blobBytes: () => [...disk.blobs.values()].reduce((sum, { length }) => sum + length, 0),
  };
});
