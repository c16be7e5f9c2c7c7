import type { EnvironmentFile } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { environmentEntries } from './environment-entries.ts';

const file = (path: string, sizeBytes = 1, atMs = 5): EnvironmentFile => ({
  path,
  sizeBytes,
  mimeType: 'text/plain',
  sha256: '',
  blobKey: path,
  createdAtMs: atMs,
  modifiedAtMs: atMs + 1,
});

const tree = [file('a.txt'), file('src/b/c.py', 3, 7), file('src/d.py', 4, 6), file('src-old/e', 1)];

const pathsOf = (path: string, recursive: boolean) =>
  environmentEntries(tree, path, recursive)?.map((entry) => `${entry.type[0]}:${entry.path}`) ?? null;

test('lists what lies directly in a folder [environments:files:path-empty-root]', () => {
  expect(pathsOf('', false)).toEqual(['f:a.txt', 'd:src', 'd:src-old']);
  expect(pathsOf('src', false)).toEqual(['d:src/b', 'f:src/d.py']);
});

test('lists all that lies below a folder [environments:files:recursive]', () => {
  expect(pathsOf('', true)).toEqual([
    'f:a.txt',
    'd:src',
    'd:src-old',
    'f:src-old/e',
    'd:src/b',
    'f:src/b/c.py',
    'f:src/d.py',
  ]);
  expect(pathsOf('src/b', true)).toEqual(['f:src/b/c.py']);
});

test('knows a file, and nothing of what is not there [environments:files:path-escape]', () => {
  expect(pathsOf('src/d.py', false)).toEqual(['f:src/d.py']);
  expect(pathsOf('nope', false)).toBeNull();
  expect(pathsOf('sr', true)).toBeNull();
  expect(environmentEntries([], '', true)).toEqual([]);
});

test('tells of a folder how much lies in it, and since when [environments:files:list]', () => {
  expect(environmentEntries(tree, '', false)?.[1]).toEqual({
    name: 'src',
    path: 'src',
    type: 'directory',
    sizeBytes: 7,
    mimeType: null,
    createdAtMs: 6,
    modifiedAtMs: 8,
  });
});
