import { createHash } from 'node:crypto';
import type { CallContext, ProjectFile } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const bytes = Buffer.from('plain words');

/** A file as the gateway keeps it: every query sees what was noted last. */
const createFile = (displayName: string, change: Partial<ProjectFile> = {}) => {
  let reference: string | null = null;
  return (): ProjectFile => ({
    id: '33333333-3333-4333-8333-333333333333',
    displayName,
    mimeType: 'text/plain',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    expiresAtMs: 4_000_000_000_000,
    reference,
    keepReference: (kept) => {
      reference = kept;
      return Promise.resolve();
    },
    read: async function* () {
      yield await Promise.resolve(bytes.subarray(0, 4));
      yield bytes.subarray(4);
    },
    ...change,
  });
};

const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };

/** What an upload and the queries after it answer; each query is made by a sandbox of its own. */
const statesOf = async (file: () => ProjectFile, queries: number): Promise<readonly string[]> => {
  const states: string[] = [await sandboxProvider().files.upload(file(), context)];
  for (let query = 0; query < queries; query += 1) {
    states.push(await sandboxProvider().files.state(file(), context));
  }
  return states;
};

test('has a file active at once', async () => {
  expect(await statesOf(createFile('words.txt'), 1)).toEqual(['active', 'active']);
});

test('is processing for as many queries as the name says, in any process', async () => {
  expect(await statesOf(createFile('words.txt [[sandbox: processing 2]]'), 4)).toEqual([
    'processing',
    'processing',
    'processing',
    'active',
    'active',
  ]);
});

test('fails a file whose name says so, at once or after processing', async () => {
  expect(await statesOf(createFile('[[sandbox: file-fail]]'), 1)).toEqual(['failed', 'failed']);
  expect(await statesOf(createFile('[[sandbox: processing 1]] [[sandbox: file-fail]]'), 2)).toEqual([
    'processing',
    'processing',
    'failed',
  ]);
});

test('fails a file whose bytes are not those that were announced', async () => {
  expect(await statesOf(createFile('words.txt', { sizeBytes: 12 }), 0)).toEqual(['failed']);
  expect(await statesOf(createFile('words.txt', { sha256: '00' }), 0)).toEqual(['failed']);
});

test('refuses a directive of a prompt in a name', async () => {
  const { files } = sandboxProvider();
  await expect(files.upload(createFile('[[sandbox: echo a]]')(), context)).rejects.toMatchObject({
    reason: 'invalid_request',
  });
  await expect(files.upload(createFile('[[sandbox: rate-limited 2]]')(), context)).rejects.toMatchObject({
    retryAfterMs: 2_000,
  });
});
