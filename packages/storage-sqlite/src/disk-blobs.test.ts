import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { diskBlobs } from './disk-blobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-blobs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

test('puts each blob in one file two folders down, and leaves nothing else behind', async () => {
  const root = join(folder, 'deep', 'blobs');
  const blobs = diskBlobs(root);
  await Promise.all(['one', 'one', 'a/b'].map((key) => blobs.put(key, Buffer.from(key))));
  const files = filesIn(root);
  expect(files).toHaveLength(2);
  for (const file of files) expect(existsSync(join(root, file.slice(0, 2), file.slice(2, 4), file))).toBe(true);
  await blobs.delete('one');
  expect(filesIn(root)).toHaveLength(1);
});

test('leaves nothing behind when it cannot put the blob in place', async () => {
  const root = join(folder, 'blocked');
  const blobs = diskBlobs(root);
  await blobs.put('one', Buffer.from('one'));
  const [file = ''] = filesIn(root);
  await blobs.delete('one');
  mkdirSync(join(root, file.slice(0, 2), file.slice(2, 4), file, 'in-the-way'), { recursive: true });
  await expect(blobs.put('one', Buffer.from('one'))).rejects.toThrow('rename');
  expect(filesIn(root)).toEqual([]);
});
