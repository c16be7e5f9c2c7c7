import {
  NotExecuted,
  type CallContext,
  type GenerationCall,
  type ProjectFile,
  type Provider,
} from '@tollgate/provider';
import { sampleCaller, scriptedProvider } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { balance } from './balance.ts';
import { byModel } from './by-model.ts';
import { withFallback } from './with-fallback.ts';
import { withRetry } from './with-retry.ts';

const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };

async function* words(): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from('words'));
}

/** A file of the host: each `file()` is what another process would read of it now. */
const hostFile = (initial: string | null = null) => {
  let reference = initial;
  return {
    reference: () => reference,
    file: (): ProjectFile => ({
      id: 'file-1',
      displayName: 'a.txt',
      mimeType: 'text/plain',
      sizeBytes: 5,
      sha256: 'any',
      expiresAtMs: 1,
      reference,
      keepReference: (kept) => {
        reference = kept;
        return Promise.resolve();
      },
      read: words,
    }),
  };
};

const keeper = (name: string, ...states: readonly ('processing' | 'active' | 'failed')[]) =>
  scriptedProvider({ name, fileSteps: states.map((fileState) => ({ kind: 'answer', fileState })) });

const failing = (name: string): Provider =>
  scriptedProvider({ name, fileSteps: [{ kind: 'not_executed', reason: 'unavailable' }] });

const noted = (...names: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, `${name}:file-1`])));

test('gives a copy to everyone that keeps one, and keeps their notes apart', async () => {
  const host = hostFile();
  const { files } = byModel({ one: keeper('a'), two: withRetry(keeper('b')), three: scriptedProvider({ name: 'c' }) });
  expect(await files?.upload(host.file(), context)).toBe('active');
  expect(host.reference()).toBe(noted('a', 'b'));
});

test('shows a provider its own note, however deep it stands', async () => {
  const host = hostFile();
  const provider = withFallback([balance([{ provider: keeper('a') }, { provider: keeper('b') }]), keeper('c')]);
  await provider.files?.upload(host.file(), context);
  expect(host.reference()).toBe(noted('a', 'b', 'c'));
  // A scripted provider refuses to tell the state of a file without the note that it made itself.
  expect(await provider.files?.state(host.file(), context)).toBe('active');
});

const stateOf = async (...members: readonly Provider[]): Promise<string | undefined> =>
  withFallback(members).files?.upload(hostFile().file(), context);

test('is processing while any copy is, and failed only where every copy failed', async () => {
  expect(await stateOf(keeper('a', 'processing'), keeper('b', 'active'))).toBe('processing');
  expect(await stateOf(keeper('a', 'failed'), keeper('b', 'active'))).toBe('active');
  expect(await stateOf(keeper('a', 'failed'), keeper('b', 'failed'))).toBe('failed');
});

test('goes on without a provider that takes no copy, and fails where none does', async () => {
  const host = hostFile();
  expect(await withFallback([failing('a'), keeper('b')]).files?.upload(host.file(), context)).toBe('active');
  expect(host.reference()).toBe(noted('b'));
  const none = withFallback([failing('a'), failing('b')]).files?.upload(hostFile().file(), context);
  await expect(none).rejects.toMatchObject({ reason: 'unavailable' });
});

test('asks only those that hold a copy, and none where no provider does', async () => {
  const a = keeper('a');
  const b = keeper('b', 'failed');
  const { files } = withFallback([a, b]);
  expect(await files?.state(hostFile(noted('b')).file(), context)).toBe('failed');
  expect(await files?.state(hostFile('a note of another time').file(), context)).toBe('active');
  await files?.remove?.(hostFile(noted('a')).file(), context);
  expect([a.upstreamRequests(), b.upstreamRequests()]).toEqual([1, 1]);
});

test('removes every copy, also after one that could not be removed', async () => {
  const b = keeper('b');
  const removing = withFallback([failing('a'), b]).files?.remove?.(hostFile(noted('a', 'b')).file(), context);
  await expect(removing).rejects.toMatchObject({ reason: 'unavailable' });
  expect(b.upstreamRequests()).toBe(1);
});

test('shows a provider its own note also in a call, and keeps what it notes beside the others', async () => {
  const host = hostFile(noted('a'));
  const seen: (string | null)[] = [];
  const noting = (name: string, reason?: 'unavailable'): Provider => {
    const scripted = scriptedProvider({ name, steps: reason === undefined ? [] : [{ kind: 'not_executed', reason }] });
    return {
      name,
      generate: async (call, its) => {
        const [part] = call.contents[0]?.parts ?? [];
        if (part?.kind !== 'blob' || part.file === undefined) throw new Error('no file came');
        seen.push(part.file.reference);
        await part.file.keepReference(`${name} noted`);
        seen.push(part.file.reference);
        return scripted.generate(call, its);
      },
    };
  };
  const call: GenerationCall = {
    operationId: 'operation',
    upstreamModel: 'model',
    systemInstruction: null,
    contents: [
      { role: 'user', parts: [{ kind: 'blob', mimeType: 'text/plain', sizeBytes: 5, read: words, file: host.file() }] },
    ],
    tools: [],
    toolChoice: { kind: 'auto' },
    responseFormat: { kind: 'text' },
    sampling: {},
    outputTokensMax: 100,
  };
  await withFallback([noting('a', 'unavailable'), withRetry(noting('b'))]).generate?.(call, context);
  expect(seen).toEqual(['a:file-1', 'a noted', null, 'b noted']);
  expect(JSON.parse(host.reference() ?? '')).toEqual({ a: 'a noted', b: 'b noted' });
});

test('shows a provider its own note of a file that it is to judge', async () => {
  const seen: (string | null | undefined)[] = [];
  const judging = (name: string): Provider => ({
    name,
    moderate: ({ inputs }) => {
      const [part] = inputs[0] ?? [];
      seen.push(part?.kind === 'blob' ? part.file?.reference : undefined);
      return Promise.reject(new NotExecuted({ reason: 'unavailable' }));
    },
  });
  const file = hostFile(noted('a', 'b')).file();
  const inputs = [[{ kind: 'blob', mimeType: 'image/png', sizeBytes: 5, read: words, file } as const]];
  const asked = withFallback([judging('a'), judging('b'), judging('c')]).moderate?.(
    { operationId: 'operation', upstreamModel: 'model', inputs },
    context,
  );
  await expect(asked).rejects.toMatchObject({ reason: 'unavailable' });
  expect(seen).toEqual(['a:file-1', 'b:file-1', null]);
});
