import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isBlobKey, type BlobStore } from '@tollgate/storage';
import { makeFolder, syncFolder } from './durable-folder.ts';

/** Two levels of folders by the hash of the key: no folder grows large, and a key can lead nowhere else. */
const placeOf = (root: string, key: string): string => {
  if (!isBlobKey(key)) throw new Error('not a blob key');
  const hash = createHash('sha256').update(key).digest('hex');
  return join(root, hash.slice(0, 2), hash.slice(2, 4), hash);
};

const isAbsent = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';

const writeDurably = async (place: string, bytes: Uint8Array): Promise<void> => {
  const handle = await open(place, 'wx');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Blobs as files below a folder, each written aside and put in place whole. */
export const diskBlobs = (folder: string): BlobStore => {
  const root = resolve(folder);
  return {
    put: async (key, bytes) => {
      const place = placeOf(root, key);
      const aside = `${place}.${randomUUID()}.part`;
      const copy = Uint8Array.from(bytes);
      await makeFolder(dirname(place));
      try {
        await writeDurably(aside, copy);
        await rename(aside, place);
      } catch (cause) {
        await rm(aside, { force: true });
        throw cause;
      }
      await syncFolder(dirname(place));
    },
    get: async (key) => {
      try {
        return Uint8Array.from(await readFile(placeOf(root, key)));
      } catch (cause) {
        if (isAbsent(cause)) return undefined;
        throw cause;
      }
    },
    delete: async (key) => {
      const place = placeOf(root, key);
      try {
        await rm(place);
      } catch (cause) {
        if (isAbsent(cause)) return;
        throw cause;
      }
      await syncFolder(dirname(place));
    },
  };
};
