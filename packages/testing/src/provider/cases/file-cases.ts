import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { CallContext, ProjectFile, ProviderFiles, UpstreamFileState } from '@tollgate/provider';
import type { ProviderCase } from '../provider-case.ts';
import { answered, checkSecrets, runCall, type ProviderRun } from '../provider-run.ts';
import type { FileScenario, ProviderUnderTest } from '../provider-under-test.ts';

const chunks = [Buffer.from('%PDF-1.4\n'), Buffer.alloc(70_000, ' '), Buffer.from('%%EOF\n')] as const;
const sha256 = createHash('sha256').update(Buffer.concat(chunks)).digest('hex');
const sizeBytes = chunks.reduce((sum, { length }) => sum + length, 0);

/** A file of the host, which remembers what is noted and how much of it was read. */
interface HostFile {
  readonly file: () => ProjectFile;
  readonly reference: () => string | null;
  readonly bytesRead: () => number;
}

async function* readChunks(onRead: (bytes: number) => void): AsyncIterable<Uint8Array> {
  for (const chunk of chunks) {
    onRead(chunk.length);
    yield await Promise.resolve(chunk);
  }
}

const createHostFile = (): HostFile => {
  let reference: string | null = null;
  let bytesRead = 0;
  return {
    reference: () => reference,
    bytesRead: () => bytesRead,
    file: () => ({
      id: '33333333-3333-4333-8333-333333333333',
      displayName: 'empty.pdf',
      mimeType: 'application/pdf',
      sizeBytes,
      sha256,
      expiresAtMs: 4_000_000_000_000,
      reference,
      keepReference: (kept) => {
        reference = kept;
        return Promise.resolve();
      },
      read: () =>
        readChunks((bytes) => {
          bytesRead += bytes;
        }),
    }),
  };
};

const runFile = async <T>(
  underTest: ProviderUnderTest,
  scenario: FileScenario,
  ask: (files: ProviderFiles, context: CallContext) => Promise<T>,
  signal?: AbortSignal,
): Promise<ProviderRun<T>> => {
  const { files } = underTest.provider;
  assert.ok(files !== undefined && underTest.arrangeFile !== undefined, 'the provider keeps copies of files');
  underTest.arrangeFile(scenario);
  return runCall(underTest, { signal }, (context) => ask(files, context));
};

const upload = (files: ProviderFiles, context: CallContext): Promise<UpstreamFileState> =>
  files.upload(createHostFile().file(), context);

const checkState = (state: UpstreamFileState): void =>
  assert.ok(['processing', 'active', 'failed'].includes(state), `state is ${state}`);

/** What keeping copies owes. */
export const fileCases: readonly ProviderCase[] = [
  {
    title: 'files: gives the upstream the whole file, notes its copy, and finds it by the note',
    promise: 'P27',
    needs: ['files'],
    run: async (underTest) => {
      const host = createHostFile();
      const before = underTest.upstreamRequests();
      const run = await runFile(underTest, 'done', (files, context) => files.upload(host.file(), context));
      checkState(answered(run));
      assert.equal(run.attempts.length, underTest.upstreamRequests() - before);
      assert.ok(host.reference() !== null && host.reference() !== '', 'the copy is not noted');
      assert.equal(host.bytesRead(), sizeBytes);
      checkState(answered(await runFile(underTest, 'done', (files, context) => files.state(host.file(), context))));
    },
  },
  {
    title: 'files: removes a copy, and minds none that is gone',
    promise: 'P27',
    needs: ['files'],
    run: async (underTest) => {
      const host = createHostFile();
      answered(await runFile(underTest, 'done', (files, context) => files.upload(host.file(), context)));
      for (const scenario of ['done', 'gone'] as const) {
        const run = await runFile(underTest, scenario, async (files, context) => {
          await files.remove?.(host.file(), context);
          return 'removed';
        });
        assert.equal(answered(run), 'removed');
      }
    },
  },
  {
    title: 'files: tells a copy that the upstream does not take, in its own words',
    promise: 'P27',
    needs: ['files'],
    run: async (underTest) => {
      const host = createHostFile();
      const before = underTest.upstreamRequests();
      const run = await runFile(underTest, 'unavailable', (files, context) => files.upload(host.file(), context));
      assert.equal(run.answer, undefined, 'the copy was taken');
      checkSecrets(run.failure, underTest.secrets);
      assert.equal(run.attempts.length, underTest.upstreamRequests() - before);
      assert.equal(host.reference(), null, 'a copy is noted that does not exist');
    },
  },
  {
    title: 'files: sends nothing for a call that is already given up',
    promise: 'P21',
    needs: ['files'],
    run: async (underTest) => {
      const before = underTest.upstreamRequests();
      const run = await runFile(underTest, 'done', upload, AbortSignal.abort());
      assert.equal(run.answer, undefined, 'the copy was taken');
      assert.equal(underTest.upstreamRequests(), before);
    },
  },
];
