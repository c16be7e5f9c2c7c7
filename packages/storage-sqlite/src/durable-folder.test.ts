import { expect, test } from 'vitest';
import { syncFolder } from './durable-folder.ts';

test('opens no folder to sync it on Windows, which cannot and makes names durable by itself', async () => {
  await syncFolder('/no/such/folder', 'win32');
  await expect(syncFolder('/no/such/folder', 'linux')).rejects.toThrow('ENOENT');
});
