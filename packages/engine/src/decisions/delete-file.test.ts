import { expect, test } from 'vitest';
import type { FileRecord } from '@tollgate/storage';
import { createDecisionWorld, openCommand } from '../../test/decision-world.ts';
import { deleteFileStep } from './delete-file.ts';
import { moveFileStep, noteFile } from './move-file.ts';
import { open } from './open.ts';

const fileRecord = (change: Partial<FileRecord> = {}): FileRecord => ({
  id: 'file',
  projectId: 'p1',
  accountId: 'a1',
  keyId: 'k1',
  displayName: '',
  mimeType: 'text/plain',
  keptBytes: null,
  sizeBytes: 1,
  sha256: '',
  status: 'active',
  provider: null,
  model: null,
  notes: {},
  purpose: null,
  uses: 0,
  errorCode: null,
  owner: null,
  dueAtMs: 1_000,
  expiresAtMs: 1_000,
  createdAtMs: 1,
  updatedAtMs: 1,
  deletedAtMs: null,
  ...change,
});

const worldWith = (change: Partial<FileRecord> = {}) => {
  const world = createDecisionWorld(null);
  world.put('file', fileRecord(change));
  world.nowMs = 500;
  return world;
};

test('a deletion that looked before another operation opened with the file has to read again [files:delete:in-use]', () => {
  const world = worldWith();
  const seen = world.get('file', 'file')?.uses ?? -1;
  const command = openCommand({ files: ['file'] });
  expect(world.step(open(command)).kind).toBe('started');
  expect(world.step(deleteFileStep({ fileId: 'file', uses: seen })).kind).toBe('used');
  expect(world.step(deleteFileStep({ fileId: 'file', uses: seen + 1 })).kind).toBe('deleted');
});

test('no operation opens with a file that was deleted before', () => {
  const world = worldWith();
  world.step(deleteFileStep({ fileId: 'file', uses: 0 }));
  const command = openCommand({ files: ['file'] });
  expect(world.step(open(command))).toEqual({ kind: 'refused', code: 'not_found' });
});

test('a file of another project is not found, whatever its status', () => {
  for (const status of ['active', 'processing', 'failed'] as const) {
    const world = worldWith({ projectId: 'p2', status });
    const command = openCommand({ files: ['file'] });
    expect(world.step(open(command))).toEqual({ kind: 'refused', code: 'not_found' });
  }
});

test('what has moved on from processing does not move again [files:record:status]', () => {
  for (const status of ['active', 'failed', 'expired', 'deleted'] as const)
    for (const move of [
      { kind: 'active' },
      { kind: 'failed', errorCode: 'x' },
      { kind: 'later', afterMs: 1, processingMsMax: 1 },
    ] as const) {
      const world = worldWith({ status, owner: 'me' });
      world.step(moveFileStep({ fileId: 'file', move, claimedBy: 'me' }));
      expect(world.get('file', 'file')?.status).toBe(status);
    }
});

test('who lost the claim does not put a file off', () => {
  const world = worldWith({ status: 'processing', owner: 'other', dueAtMs: 900 });
  const move = { kind: 'later', afterMs: 1, processingMsMax: 10_000 } as const;
  world.step(moveFileStep({ fileId: 'file', move, claimedBy: 'me' }));
  expect(world.get('file', 'file')).toMatchObject({ owner: 'other', dueAtMs: 900 });
});

test('a note that comes after the end of a file has it cleared away again', () => {
  const world = worldWith({ status: 'deleted', dueAtMs: null });
  world.step(noteFile('file', 'copier', 'late'));
  expect(world.get('file', 'file')).toMatchObject({ notes: { copier: 'late' }, dueAtMs: 500 });
});

test('a note about a copy is added, and one that comes after the end of the file has it cleared away', () => {
  for (const status of ['active', 'processing'] as const) {
    const world = worldWith({ status, notes: { first: 'a' } });
    expect(world.step(noteFile('file', 'second', 'b'))?.notes).toEqual({ first: 'a', second: 'b' });
    expect(world.get('file', 'file')?.dueAtMs).toBe(1_000);
  }
  const world = worldWith({ status: 'expired' });
  world.step(noteFile('file', 'second', 'b'));
  expect(world.get('file', 'file')).toMatchObject({ notes: { second: 'b' }, dueAtMs: 500 });
});
