import { NotExecuted, type BlobPart, type CallContext, type ProjectFile, type Step } from '@tollgate/provider';
import { sampleCaller, fakeGeminiError, startFakeGemini, type FakeGemini } from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askWithCopies } from './ask-with-copies.ts';
import { googleProvider, type GoogleProvider } from './google-provider.ts';

let fake: FakeGemini;
let provider: GoogleProvider;
let statuses: (number | null)[];
let context: CallContext;
beforeEach(async () => {
  fake = await startFakeGemini();
  provider = googleProvider({ baseUrl: fake.url, apiKey: 'k', sleep: () => Promise.resolve() });
  statuses = [];
  context = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: ({ status }) => void statuses.push(status),
  };
});
afterEach(async () => {
  await fake.close();
  await provider.close();
});

const read = async function* (): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from('words'));
};

/** A file of the project of which the upstream was given a copy. */
const noted = async (): Promise<{ readonly file: ProjectFile; readonly blob: BlobPart }> => {
  const references: string[] = [];
  const bytes = { mimeType: 'application/pdf', sizeBytes: 5, read };
  const file: ProjectFile = {
    ...bytes,
    id: 'f1',
    displayName: 'a.pdf',
    sha256: '',
    expiresAtMs: 4_000_000_000_000,
    get reference() {
      return references.at(-1) ?? null;
    },
    keepReference: (reference) => Promise.resolve(void references.push(reference)),
  };
  await provider.files.upload(file, context);
  statuses.length = 0;
  return { file, blob: { kind: 'blob', ...bytes, file } };
};

type Noted = Awaited<ReturnType<typeof noted>>;

const call = { operationId: 'operation', upstreamModel: 'gemini-2.5-flash' };
const contentsWith = (blob: BlobPart) => [{ role: 'user', parts: [blob] }] as const;
const generation = {
  ...call,
  systemInstruction: null,
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 10,
} as const;
const spoken = (blob: BlobPart): Step => ({ kind: 'user_input', content: [blob] });

const asks: readonly (readonly [what: string, ask: (noted: Noted) => Promise<unknown>])[] = [
  [
    'a cache',
    ({ blob }) =>
      provider.caches.create(
        { ...call, displayName: null, systemInstruction: null, ttlSeconds: 60, contents: contentsWith(blob) },
        context,
      ),
  ],
  [
    'a batch',
    ({ blob }) => {
      const item = { key: 'a', kind: 'generation', call: { ...generation, contents: contentsWith(blob) } } as const;
      return provider.batches.start({ ...call, displayName: null, items: [item] }, context);
    },
  ],
  ['an embedding', ({ blob }) => provider.embed({ ...call, input: { kind: 'content', parts: [blob] } }, context)],
  [
    'an interaction',
    ({ blob }) =>
      provider.interactions.start(
        {
          ...generation,
          upstreamKind: 'model',
          input: [spoken(blob)],
          history: [],
          previousReference: null,
          format: { kind: 'text' },
        },
        context,
      ),
  ],
];

const lost = { kind: 'status', status: 403, body: fakeGeminiError(403, 'PERMISSION_DENIED', 'No File abc.') } as const;

test.each(asks)('gives a file again that the upstream lost, once, for %s', async (_, ask) => {
  const given = await noted();
  fake.script(lost);
  await ask(given);
  // Refused; a new copy in two upstream requests; asked again.
  expect(statuses).toEqual([403, 200, 200, 200]);
  fake.script(lost, lost);
  await expect(ask(given)).rejects.toMatchObject({ reason: 'unavailable' });
  expect(statuses.slice(4)).toEqual([403, 200, 200, 403]);
});

test('gives a file again that the upstream lost for an import, where it could not be counted either', async () => {
  const { reference: store } = await provider.stores.create({ id: 'ours', displayName: null }, context);
  const { file } = await noted();
  fake.script(lost, lost);
  await provider.stores.imports.start({ operationId: 'operation', store, file }, context);
  expect(statuses).toEqual([403, 403, 200, 200, 200, 200]);
});

test('asks once where there is no file, and where something else is refused', async () => {
  let asked = 0;
  const ask = (message: string) => (): Promise<never> => {
    asked += 1;
    return Promise.reject(new NotExecuted({ reason: 'unavailable', cause: { status: 404, message } }));
  };
  await expect(askWithCopies(false, ask('File x not found'))).rejects.toMatchObject({ reason: 'unavailable' });
  await expect(askWithCopies(true, ask('Model x not found'))).rejects.toMatchObject({ reason: 'unavailable' });
  expect(asked).toBe(2);
});
