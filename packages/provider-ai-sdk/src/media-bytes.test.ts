import type { BlobPart, Content } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { loadMedia } from './media-bytes.ts';

const blob = (bytes: number, sizeBytes = bytes): BlobPart & { reads: number } => {
  const part = {
    kind: 'blob' as const,
    mimeType: 'image/png',
    sizeBytes,
    reads: 0,
    read: async function* () {
      part.reads += 1;
      yield new Uint8Array(bytes);
    },
  };
  return part;
};

const turn = (...parts: readonly BlobPart[]): readonly Content[] => [{ role: 'user', parts }];

test('reads each blob once, up to the bound', async () => {
  const part = blob(3);
  const loaded = await loadMedia(turn(part, part), 6);
  expect([loaded.get(part), part.reads]).toEqual(['AAAA', 1]);
});

test('reads nothing of what is too large in all', async () => {
  const part = blob(3);
  await expect(loadMedia(turn(part, blob(4)), 6)).rejects.toMatchObject({ reason: 'input_limit' });
  expect(part.reads).toBe(0);
});

test('stops where there are more bytes than were said', async () => {
  await expect(loadMedia(turn(blob(9, 3)), 6)).rejects.toMatchObject({ reason: 'input_limit' });
});

test('refuses fewer bytes than were said', async () => {
  await expect(loadMedia(turn(blob(2, 3)), 6)).rejects.toMatchObject({ reason: 'invalid_request' });
});
