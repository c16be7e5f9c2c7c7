import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { privateFolderMode } from './private-files.ts';

/** Windows has no call to make names in a folder durable and does it by itself. */
const canSync = (platform: NodeJS.Platform): boolean => platform !== 'win32';

/** The folders in which names were made when `folder` was, from the lowest up: a new folder is a name in the one above. */
const foldersAbove = (folder: string, topmostMade: string): readonly string[] => {
  const above = [dirname(folder)];
  for (let at = folder; at !== topmostMade && at !== dirname(at); at = dirname(at)) above.push(dirname(dirname(at)));
  return above;
};

/** Makes names in a folder durable. */
export const syncFolder = async (folder: string, platform = process.platform): Promise<void> => {
  if (!canSync(platform)) return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Creates a folder where it is missing, durably and for this user alone. */
export const makeFolder = async (folder: string): Promise<void> => {
  const topmostMade = await mkdir(folder, { recursive: true, mode: privateFolderMode });
  if (topmostMade === undefined) return;
  for (const above of foldersAbove(folder, topmostMade)) await syncFolder(above);
};

/** The same while a program starts. */
export const makeFolderSync = (folder: string): void => {
  const topmostMade = mkdirSync(folder, { recursive: true, mode: privateFolderMode });
  if (topmostMade === undefined || !canSync(process.platform)) return;
  for (const above of foldersAbove(folder, topmostMade)) {
    const fd = openSync(above, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
};
