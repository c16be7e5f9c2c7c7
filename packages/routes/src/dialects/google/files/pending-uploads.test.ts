import { expect, test } from 'vitest';
import { createPendingUploads } from './pending-uploads.ts';

const mebibyte = 1_024 * 1_024;
const all = 512 * mebibyte;
const piece = (sessionId: string, offset = 0, projectId = 'a') => ({ projectId, sessionId, offset });

test('lets the unfinished uploads of a project have so many bytes together, and those of another beside them', () => {
  const uploads = createPendingUploads({ nowMs: () => 0, keptMs: 10 });
  uploads.reserve(piece('1'), all - 1);
  expect(() => uploads.reserve(piece('2'), 2)).toThrow(
    expect.objectContaining({ code: 'quota_exceeded', message: expect.stringContaining(`at most ${all} together`) }),
  );
  uploads.reserve(piece('2', 0, 'b'), all);
  uploads.settle(piece('1'), 5);
  uploads.reserve(piece('2'), all - 5);
  expect(uploads.bytesOf('a')).toBe(all);
});

test('counts a piece that is sent again once, and none of an upload that ended', () => {
  const uploads = createPendingUploads({ nowMs: () => 0, keptMs: 10 });
  uploads.reserve(piece('1'), 7);
  uploads.reserve(piece('1'), 8);
  uploads.reserve(piece('1', 8), 9);
  uploads.reserve(piece('2'), 1);
  expect(uploads.bytesOf('a')).toBe(18);
  uploads.settle(piece('1', 8), 0);
  expect(uploads.bytesOf('a')).toBe(9);
  uploads.drop('a', '1');
  expect(uploads.bytesOf('a')).toBe(1);
});

test('forgets a piece when the sweep deletes it', () => {
  let now = 0;
  const uploads = createPendingUploads({ nowMs: () => now, keptMs: 10 });
  uploads.reserve(piece('1'), all);
  now = 9;
  expect(() => uploads.reserve(piece('2'), 1)).toThrow('unfinished uploads');
  now = 10;
  uploads.reserve(piece('2'), 1);
  expect(uploads.bytesOf('a')).toBe(1);
});
