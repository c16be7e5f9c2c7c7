import {
  NotExecuted,
  type BatchCall,
  type BatchResult,
  type BlobPart,
  type CallContext,
  type Generation,
  type GenerationCall,
  type ProjectFile,
  type Provider,
} from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { balance } from './balance.ts';
import { byModel } from './by-model.ts';
import { withFallback } from './with-fallback.ts';
import { withModelNames } from './with-model-names.ts';
import { withRetry } from './with-retry.ts';

const context: CallContext = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };

const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('there is none');
  return value;
};

const answer: Generation = { text: 'Hello', functionCalls: [], finish: 'stop', usage: [] };
const result: BatchResult = { items: [] };

const refuse = (): Promise<never> => Promise.reject(new NotExecuted({ reason: 'unavailable' }));

/** A provider that keeps what it is given, and writes down what it is asked. */
const keeper = (name: string, refuses = false) => {
  const asked: unknown[] = [];
  const reference = <T>(what: unknown, value: T): Promise<T> => {
    asked.push(what);
    return Promise.resolve(value);
  };
  const provider: Provider = {
    name,
    generate: (call) => reference(['generate', call.upstreamModel, call.cached?.reference], answer),
    caches: {
      create: (call) =>
        refuses
          ? refuse()
          : reference(['create', call.upstreamModel], { reference: `cache of ${name}`, tokens: 1, usage: [] }),
      extend: (its, ttlSeconds) => reference(['extend', its, ttlSeconds], undefined),
      remove: (its) => reference(['remove', its], undefined),
    },
    batches: {
      start: (call) => reference(['start', call], { job: `batch of ${name}` }),
      poll: (job) => reference(['poll', job], { kind: 'done', result }),
      cancel: (job) => reference(['cancel', job], undefined),
    },
    stores: {
      create: () => reference(['store'], { reference: `store of ${name}` }),
      imports: {
        start: ({ store, file }) => reference(['import', store, file.reference], { job: `import of ${name}` }),
        poll: (job) =>
          reference(['imported', job], { kind: 'done', result: { reference: `document of ${name}`, usage: [] } }),
      },
      removeDocument: (its) => reference(['remove', its], undefined),
      remove: (its) => reference(['remove', its], undefined),
    },
  };
  return { provider, asked };
};

const cacheCall = {
  operationId: 'one',
  upstreamModel: 'model',
  displayName: null,
  systemInstruction: null,
  ttlSeconds: 60,
  contents: [],
} as const;

const generation: GenerationCall = {
  operationId: 'two',
  upstreamModel: 'model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 10,
};

test('uses a cache where it is kept, by whatever turn, and asks no other provider', async () => {
  const [first, second] = [keeper('first'), keeper('second')];
  const routed = () => balance([{ provider: withRetry(first.provider) }, { provider: second.provider }]);
  const { reference } = await required(routed().caches).create(cacheCall, context);
  for (let turn = 0; turn < 3; turn += 1)
    await routed().generate?.({ ...generation, cached: { reference, tokens: 1 } }, context);
  await required(routed().caches).extend(reference, 120, context);
  await required(routed().caches).remove(reference, context);
  const used = ['generate', 'model', 'cache of first'];
  expect(first.asked).toEqual([
    ['create', 'model'],
    used,
    used,
    used,
    ['extend', 'cache of first', 120],
    ['remove', 'cache of first'],
  ]);
  expect(second.asked).toEqual([]);
});

test('keeps a cache elsewhere where the first is out of reach, under the name that it has for the model', async () => {
  const second = keeper('second');
  const named = withModelNames(second.provider, { model: 'renamed' });
  const routed = withFallback([keeper('first', true).provider, named]);
  const { reference } = await required(routed.caches).create(cacheCall, context);
  await routed.generate?.({ ...generation, cached: { reference, tokens: 1 } }, context);
  expect(second.asked).toEqual([
    ['create', 'renamed'],
    ['generate', 'renamed', 'cache of second'],
  ]);
});

test('refuses for now what is kept by a removed provider', async () => {
  const { reference } = await required(withFallback([keeper('gone').provider]).caches).create(cacheCall, context);
  const left = withFallback([keeper('left').provider]);
  const unavailable = { code: 'not_executed', reason: 'unavailable' };
  await expect(required(left.caches).extend(reference, 1, context)).rejects.toMatchObject(unavailable);
  await expect(required(left.stores).remove(reference, context)).rejects.toMatchObject(unavailable);
  const unknown = { code: 'unknown_outcome', detail: 'not_answered' };
  await expect(required(left.batches).poll(reference, context)).rejects.toMatchObject(unknown);
  await expect(required(left.stores).imports.poll(reference, context)).rejects.toMatchObject(unknown);
  await expect(left.generate?.({ ...generation, cached: { reference, tokens: 1 } }, context)).rejects.toMatchObject({
    code: 'not_executed',
  });
});

async function* nothing(): AsyncGenerator<Uint8Array> {}

const fileOf = (reference: string | null, kept: string[] = []): ProjectFile => ({
  id: 'f',
  displayName: 'a',
  mimeType: 'text/plain',
  sizeBytes: 0,
  sha256: '',
  expiresAtMs: 0,
  reference,
  keepReference: (text) => Promise.resolve(void kept.push(text)),
  read: nothing,
});

test('hands a batch over with its items renamed, and each file with the references of the provider that sees it', async () => {
  const first = keeper('first');
  const file = fileOf(JSON.stringify({ first: 'copy', other: 'hidden' }));
  const blob: BlobPart = { kind: 'blob', mimeType: 'text/plain', sizeBytes: 0, read: nothing, file };
  const call: BatchCall = {
    operationId: 'one',
    upstreamModel: 'model',
    displayName: null,
    items: [
      { key: 'a', kind: 'generation', call: { ...generation, contents: [{ role: 'user', parts: [blob] }] } },
      {
        key: 'b',
        kind: 'embedding',
        call: { operationId: 'two', upstreamModel: 'model', input: { kind: 'content', parts: [blob] } },
      },
    ],
  };
  const routed = byModel({ model: withModelNames(first.provider, { model: 'renamed' }) });
  const { job } = await required(routed.batches).start(call, context);
  expect(first.asked).toMatchObject([
    [
      'start',
      {
        upstreamModel: 'renamed',
        items: [
          { call: { upstreamModel: 'renamed', contents: [{ parts: [{ file: { reference: 'copy' } }] }] } },
          { call: { upstreamModel: 'renamed', input: { parts: [{ file: { reference: 'copy' } }] } } },
        ],
      },
    ],
  ]);
  expect(await required(routed.batches).poll(job, context)).toEqual({ kind: 'done', result });
  await required(required(routed.batches).cancel)(job, context);
  expect(first.asked.slice(1)).toEqual([
    ['poll', 'batch of first'],
    ['cancel', 'batch of first'],
  ]);
});

test('keeps stores with the first that has any, and finds them and what is in them there', async () => {
  const [first, second] = [keeper('first'), keeper('second')];
  const bare: Provider = { name: 'bare' };
  const routed = () => byModel({ other: bare, model: withRetry(first.provider), last: second.provider });
  const { reference: store } = await required(routed().stores).create({ id: 's', displayName: null }, context);
  const file = fileOf(JSON.stringify({ first: 'copy' }));
  const { job } = await required(routed().stores).imports.start({ operationId: 'one', store, file }, context);
  const progress = await required(routed().stores).imports.poll(job, context);
  const document = progress.kind === 'done' ? progress.result.reference : '';
  await required(routed().stores).removeDocument(document, context);
  await required(routed().stores).remove(store, context);
  expect(first.asked).toEqual([
    ['store'],
    ['import', 'store of first', 'copy'],
    ['imported', 'import of first'],
    ['remove', 'document of first'],
    ['remove', 'store of first'],
  ]);
  expect(second.asked).toEqual([]);
});

test('has what no member has as little as they', () => {
  const routed = withFallback([{ name: 'bare' }]);
  expect([routed.caches, routed.batches, routed.stores, routed.interactions]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
