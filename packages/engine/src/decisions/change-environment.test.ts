import { environmentBounds } from '@tollgate/contract';
import type { EnvironmentFile, EnvironmentTreeRecord, ResourceRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { changeEnvironment, orphansOf, type ChangeEnvironmentCommand } from './change-environment.ts';
import { defaultQuotas } from './quotas.ts';

const file = (path: string, sizeBytes = 10): EnvironmentFile => ({
  path,
  sizeBytes,
  mimeType: 'text/plain',
  sha256: '',
  blobKey: `blob of ${path}`,
  createdAtMs: 5,
  modifiedAtMs: 5,
});
const added = (path: string, sizeBytes = 10, blobKey = `new ${path}`) => ({
  path,
  sizeBytes,
  mimeType: 'text/plain',
  sha256: '',
  blobKey,
});

const resource: ResourceRecord = {
  id: 'e1',
  kind: 'environment',
  projectId: 'p1',
  accountId: 'a1',
  keyId: 'k1',
  model: '',
  displayName: null,
  listing: 'p1:environment',
  parent: null,
  availability: 'active',
  publicFields: {},
  work: null,
  keptBytes: 10,
  uses: 0,
  expiresAtMs: 5_000,
  owner: 'sweep:s1',
  dueAtMs: 5_000,
  createdAtMs: 1,
  updatedAtMs: 1,
  deletedAtMs: null,
};

const tree: EnvironmentTreeRecord = {
  id: 'e1',
  projectId: 'p1',
  files: [file('a.txt')],
  fileCount: 1,
  sizeBytes: 10,
  revision: 3,
  updatedAtMs: 1,
};

const changing = (change: Partial<EnvironmentTreeRecord> = {}) => {
  const world = createDecisionWorld();
  world.put('resource', resource);
  world.put('environmentTree', { ...tree, ...change });
  const send = (command: Partial<ChangeEnvironmentCommand>) => {
    for (const { blobKey } of command.put ?? []) world.put('pendingBlob', { id: blobKey, owner: null, dueAtMs: 9_000 });
    return world.step(
      changeEnvironment({
        environmentId: 'e1',
        projectId: 'p1',
        quotas: defaultQuotas,
        put: [],
        remove: [],
        revision: 3,
        orphans: [],
        keptMs: 700,
        ...command,
      }),
    ).kind;
  };
  return { world, send, files: () => world.get('environmentTree', 'e1')?.files ?? [] };
};

test('a change counts the files and bytes that there are now, under a new revision and time', () => {
  const { world, send } = changing();
  expect(send({ put: [added('b.txt', 7)], remove: ['a.txt'], orphans: ['blob of a.txt'] })).toBe('changed');
  expect(world.get('environmentTree', 'e1')).toMatchObject({
    fileCount: 1,
    sizeBytes: 7,
    revision: 4,
    updatedAtMs: 1_000,
  });
  expect(world.get('resource', 'e1')).toMatchObject({
    keptBytes: 7,
    owner: null,
    expiresAtMs: 1_700,
    dueAtMs: 1_700,
    updatedAtMs: 1_000,
  });
  expect(world.get('pendingBlob', 'new b.txt')).toBeUndefined();
  expect(world.get('pendingBlob', 'blob of a.txt')).toEqual({ id: 'blob of a.txt', owner: null, dueAtMs: 1_000 });
});

test('new bytes of a file keep the time when it was made', () => {
  const { send, files } = changing();
  send({ put: [added('a.txt', 8), added('c.txt')] });
  expect(files().map(({ path, createdAtMs, modifiedAtMs }) => [path, createdAtMs, modifiedAtMs])).toEqual([
    ['a.txt', 5, 1_000],
    ['c.txt', 1_000, 1_000],
  ]);
});

test('a change of another revision, of an environment that is gone, or of a path that no file can have is refused', () => {
  expect(changing().send({ put: [added('b.txt')], revision: 2 })).toBe('stale');
  expect(changing().send({ put: [added('../b.txt')] })).toBe('bad_path');
  expect(changing().send({ put: [added('a.txt/b.txt')] })).toBe('bad_path');
  const gone = changing();
  gone.world.put('resource', { ...resource, availability: 'expired' });
  expect(gone.send({ put: [added('b.txt')] })).toBe('gone');
});

test('a change that was sent again finds its own bytes, and changes nothing', () => {
  const { world, send } = changing();
  send({ put: [added('b.txt')] });
  const before = world.get('environmentTree', 'e1');
  expect(send({ put: [added('b.txt')] })).toBe('changed');
  expect(world.get('environmentTree', 'e1')).toEqual(before);
  expect(send({ remove: ['b.txt'] })).toBe('stale');
});

test('an environment holds as many files and bytes as its bounds say, and not one more', () => {
  const { filesMax, fileBytesMax, treeBytesMax } = environmentBounds;
  expect(changing().send({ put: [added('b.bin', fileBytesMax)] })).toBe('changed');
  expect(changing().send({ put: [added('b.bin', fileBytesMax + 1)] })).toBe('too_large');
  const rest = { files: [file('a.txt', treeBytesMax - 4)], sizeBytes: treeBytesMax - 4 };
  expect(changing(rest).send({ put: [added('b.bin', 4)] })).toBe('changed');
  expect(changing(rest).send({ put: [added('b.bin', 5)] })).toBe('too_large');
  const many = (count: number) => ({ files: Array.from({ length: count }, (_, at) => file(`${at}.txt`, 0)) });
  expect(changing(many(filesMax - 1)).send({ put: [added('b.bin')] })).toBe('changed');
  expect(changing(many(filesMax)).send({ put: [added('b.bin')] })).toBe('too_large');
});

test('bytes that no one holds any more, or that the sweep deletes, are no file', () => {
  const { world, send } = changing();
  const put = [added('b.txt')];
  const command = { environmentId: 'e1', projectId: 'p1', quotas: defaultQuotas, remove: [], revision: 3, keptMs: 1 };
  expect(world.step(changeEnvironment({ ...command, put, orphans: [] })).kind).toBe('gone');
  expect(send({ put })).toBe('changed');
});

test('the blobs of what is replaced or removed are left without an owner, and no others', () => {
  const files = [file('a.txt'), file('b.txt'), file('c.txt')];
  expect(orphansOf(files, { put: [added('a.txt')], remove: ['c.txt'] })).toEqual(['blob of a.txt', 'blob of c.txt']);
});
