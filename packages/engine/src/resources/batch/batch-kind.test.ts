import {
  NotExecuted,
  UnknownOutcome,
  type BatchCall,
  type BatchResult,
  type JobProgress,
  type Provider,
} from '@tollgate/provider';
import { expect, test } from 'vitest';
import {
  batchProvider,
  createBatch,
  doWork,
  failing,
  findBatch,
  generationOf,
  itemStates,
  resultsOf,
  registerBatches,
} from '../../../test/batch-world.ts';
import { bare, createCache, createCacheWorld, registerCaches } from '../../../test/cache-world.ts';
import { createEngineWorld } from '../../../test/engine-world.ts';
import { setKeyStatus } from '../../administration/keys.ts';
import { cancelResource } from '../cancel-resource.ts';
import { batchWork, inputBlobKeys } from './batch-work.ts';
import { listItems } from './run-items.ts';
import { emptyWallet } from '../../decisions/wallet.ts';
import { parseTariff } from '../../ledger/tariff.ts';
import { sweep, workersOf } from '../../../test/process-parts.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];

test('charges the sum of its items, once for each [batches:tariff:per-item]', async () => {
  const world = await createEngineWorld();
  const { provider, handed } = batchProvider((key) => (key === 'b' ? failing('failed') : Promise.resolve(3)));
  registerBatches(world.engine, provider, { itemsAtOnce: 2 });
  const id = await createBatch(world, keys);
  await doWork(world.engine);
  expect((await findBatch(world, id)).operation).toMatchObject({
    state: 'completed',
    chargedMicros: 12n,
    holdMicros: 0n,
  });
  expect((await findBatch(world, id)).resource.publicFields).toEqual({
    request_count: 5,
    completed_count: 4,
    failed_count: 1,
  });
  expect(await resultsOf(world, id)).toMatchObject({
    a: { status: 'completed', response: { text: 'answer to a' }, credits: 0.000003 },
    b: { status: 'failed', error: { code: 'request_failed' } },
    e: { status: 'completed' },
  });
  expect([...handed.values()]).toEqual([1, 1, 1, 1, 1]);
  expect((await world.admin.audit()).violations).toEqual([]);
});

test('has no more items in hand at once than it may', async () => {
  const world = await createEngineWorld();
  let running = 0;
  let most = 0;
  const { provider } = batchProvider(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return 1;
  });
  registerBatches(world.engine, provider, { itemsAtOnce: 3 });
  const id = await createBatch(world, keys);
  await doWork(world.engine);
  expect(most).toBe(3);
  expect((await findBatch(world, id)).operation.chargedMicros).toBe(5n);
});

test('shows how far it is while it runs [batches:record:counts]', async () => {
  const world = await createEngineWorld();
  const last = Promise.withResolvers<number>();
  const entered = Promise.withResolvers<void>();
  const { provider } = batchProvider((key) => {
    if (key !== 'c') return Promise.resolve(1);
    entered.resolve();
    return last.promise;
  });
  registerBatches(world.engine, provider, { itemsAtOnce: 1 });
  const id = await createBatch(world, ['a', 'b', 'c']);
  await sweep(world.engine);
  await entered.promise;
  expect((await findBatch(world, id)).resource.publicFields).toEqual({
    request_count: 3,
    completed_count: 2,
    failed_count: 0,
  });
  last.resolve(1);
  await workersOf(world.engine).idle();
  expect((await findBatch(world, id)).resource.publicFields).toMatchObject({ completed_count: 3 });
});

test('lets running items finish when it is cancelled, begins no other, and charges what was consumed', async () => {
  const world = await createEngineWorld();
  const going = Promise.withResolvers<number>();
  const entered = Promise.withResolvers<void>();
  const { provider, handed } = batchProvider((key) => {
    if (key !== 'b') return Promise.resolve(3);
    entered.resolve();
    return going.promise;
  });
  registerBatches(world.engine, provider, { itemsAtOnce: 1 });
  const id = await createBatch(world, keys);
  await sweep(world.engine);
  await entered.promise;
  let hints = 0;
  world.engine.signals.workDue.listen(() => (hints += 1));
  await cancelResource(world.engine, world.projectId, 'batch', id);
  expect(hints).toBe(1);
  going.resolve(4);
  await workersOf(world.engine).idle();
  // What is over has nothing to be done for.
  await cancelResource(world.engine, world.projectId, 'batch', id);
  expect(hints).toBe(1);
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 7n });
  expect(await itemStates(world, id)).toEqual({
    a: 'completed',
    b: 'completed',
    c: 'cancelled',
    d: 'cancelled',
    e: 'cancelled',
  });
  expect(await resultsOf(world, id)).toMatchObject({ b: { status: 'completed' }, c: { status: 'cancelled' } });
  expect([...handed.keys()]).toEqual(['a', 'b']);
});

test('tries again what a busy upstream did not begin, and fails it in the end', async () => {
  const world = await createEngineWorld();
  const { provider, handed } = batchProvider((key, tries) =>
    key === 'a' || tries < 3 ? failing('rate_limited') : Promise.resolve(3),
  );
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b']);
  for (let round = 0; round < 6; round += 1) {
    await doWork(world.engine);
    await world.clock.advance(600_000);
  }
  expect(await resultsOf(world, id)).toMatchObject({
    a: { status: 'failed', error: { code: 'service_unavailable' } },
    b: { status: 'completed' },
  });
  expect(handed).toEqual(
    new Map([
      ['a', 5],
      ['b', 3],
    ]),
  );
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 3n });
});

test('is uncertain with an item of unknown outcome, and charges the others when an operator settles it', async () => {
  const world = await createEngineWorld();
  const { provider } = batchProvider((key) => (key === 'b' ? Promise.reject(new Error('lost')) : Promise.resolve(3)));
  registerBatches(world.engine, provider);
  const id = await createBatch(world, keys);
  await doWork(world.engine);
  expect((await findBatch(world, id)).operation).toMatchObject({
    state: 'uncertain',
    holdMicros: 25n,
    chargedMicros: 0n,
  });
  expect(await resultsOf(world, id)).toBeNull();
  await world.admin.deposit({ accountId: world.accountId, amountMicros: 5n, reference: 'more' });
  await doWork(world.engine);
  expect((await findBatch(world, id)).operation.state).toBe('uncertain');
  expect(await world.admin.resolveOperation(id, { executed: true })).toMatchObject({ kind: 'resolved' });
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 12n });
  expect(await resultsOf(world, id)).toMatchObject({ a: { status: 'completed' }, b: { status: 'failed' } });
});

test('knows of an uncertain batch what its items used at the least, known ones and lost ones', async () => {
  const world = await createEngineWorld();
  const lost = new UnknownOutcome('interrupted', undefined, [
    { unit: 'input_text_tokens', quantity: 2, confirmed: false },
  ]);
  const { provider } = batchProvider((key) => (key === 'b' ? Promise.reject(lost) : Promise.resolve(3)));
  registerBatches(world.engine, provider);
  const id = await createBatch(world, keys);
  await doWork(world.engine);
  expect((await findBatch(world, id)).operation).toMatchObject({
    state: 'uncertain',
    usage: [{ unit: 'input_text_tokens', quantity: 3 * (keys.length - 1) }],
    usageAtLeast: [{ unit: 'input_text_tokens', quantity: 3 * (keys.length - 1) + 2 }],
  });
});

test('is uncertain where an item answers without a measure', async () => {
  const world = await createEngineWorld();
  const { provider } = batchProvider();
  registerBatches(world.engine, {
    ...provider,
    generate: () => Promise.resolve({ ...generationOf('x', 0), usage: [] }),
  });
  const id = await createBatch(world, ['a']);
  await doWork(world.engine);
  expect((await findBatch(world, id)).operation.state).toBe('uncertain');
});

test('keeps large answers beside the records, joins them, and leaves nothing else behind', async () => {
  const world = await createEngineWorld(100n, { limits: { inlineAnswerBytesMax: 10 } });
  const { provider } = batchProvider();
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b']);
  await doWork(world.engine);
  expect(await resultsOf(world, id)).toMatchObject({
    a: { status: 'completed', response: { text: 'answer to a' } },
    b: { response: { text: 'answer to b' } },
  });
  await doWork(world.engine);
  expect(await world.storage.blobs.get(`answers/${id}/0000`)).toBeUndefined();
  expect(await world.storage.blobs.get(`answers/${id}`)).toBeDefined();
});

test('joins answers that lie beside the records with one that lies in a blob', async () => {
  const world = await createEngineWorld(100n, { limits: { inlineAnswerBytesMax: 25 } });
  registerBatches(world.engine, batchProvider().provider);
  const long = 'b'.repeat(20);
  const id = await createBatch(world, ['a', long, 'c']);
  await doWork(world.engine);
  expect(await resultsOf(world, id)).toMatchObject({
    a: { response: { text: 'answer to a' } },
    [long]: { response: { text: `answer to ${long}` } },
    c: { response: { text: 'answer to c' } },
  });
});

test('leaves nothing of what it was sent where it is cancelled before any item began', async () => {
  const world = await createEngineWorld();
  registerBatches(world.engine, batchProvider(() => failing('rate_limited')).provider);
  const id = await createBatch(world, ['a', 'b']);
  await doWork(world.engine);
  const { resource } = await findBatch(world, id);
  const progress = batchWork(resource.work);
  const [blobKey = ''] = progress === null ? [] : inputBlobKeys(progress.input);
  expect(await world.storage.blobs.get(blobKey)).toBeDefined();
  await cancelResource(world.engine, world.projectId, 'batch', id);
  await doWork(world.engine);
  expect((await findBatch(world, id)).operation).toMatchObject({
    state: 'failed',
    errorCode: 'cancelled',
    holdMicros: 0n,
  });
  expect(await world.storage.blobs.get(blobKey)).toBeUndefined();
});

test('fails without a charge, of one item as well, where the key was revoked before it began', async () => {
  const world = await createEngineWorld();
  const { provider, handed } = batchProvider();
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a']);
  await setKeyStatus(world.engine, world.keyId, 'revoked');
  await doWork(world.engine);
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'failed', chargedMicros: 0n });
  expect([...handed]).toEqual([]);
});

test.each([
  ['carry', 0, [0, 0, 1, 0, 1], 0],
  ['carry', 700_000, [1, 0, 0, 1, 0], 700_000],
  ['up', 0, [1, 0, 1, 0, 0], 0],
  ['half_up', 0, [0, 1, 0, 1, 0], 0],
] as const)(
  'has credits of items that add up to its own: %s, with %i carried',
  async (rounding, carried, each, after) => {
    const world = await createEngineWorld();
    const { storage, accountId } = world;
    // An operation whose record is gone left it.
    const remainder = { remainderPicos: carried, purgedPicos: carried };
    const record = { ...emptyWallet(accountId), ...(await world.admin.readWallet(accountId)), ...remainder };
    await storage.transact([{ table: 'wallet', id: accountId }], () => ({
      writes: [{ kind: 'put', table: 'wallet', record }],
      answer: undefined,
    }));
    const { provider } = batchProvider();
    const usage = [{ unit: 'cached_input_tokens', quantity: 1, confirmed: true }] as const;
    const tariff = {
      version: 'v',
      models: { model: { perMillion: { input_text_tokens: 1, cached_input_tokens: '0.4' } } },
      rounding,
    };
    const priced = world.another({ tariff: parseTariff(tariff) });
    registerBatches(priced, { ...provider, generate: () => Promise.resolve({ ...generationOf('x', 0), usage }) });
    const id = await createBatch(world, keys);
    await doWork(priced);
    const results = Object.values((await resultsOf(world, id)) ?? {}) as readonly { readonly credits: number }[];
    const micros = results.map(({ credits }) => Math.round(credits * 1e6));
    expect(micros).toEqual(each);
    const { operation } = await findBatch(world, id);
    expect(operation.chargedMicros).toBe(2n);
    expect((await world.admin.readWallet(accountId))?.remainderPicos).toBe(after);
    expect((await world.admin.audit()).violations).toEqual([]);
  },
);

test('puts what a minimum charge adds on its last item', async () => {
  const world = await createEngineWorld();
  const { provider } = batchProvider();
  const models = { model: { perMillion: { input_text_tokens: 1 }, chargeMinimum: '0.00002' } };
  const priced = world.another({ tariff: parseTariff({ version: 'v', models }) });
  registerBatches(priced, provider);
  const id = await createBatch(world, keys);
  await doWork(priced);
  const results = Object.values((await resultsOf(world, id)) ?? {}) as readonly { readonly credits: number }[];
  const micros = results.map(({ credits }) => Math.round(credits * 1e6));
  const { operation } = await findBatch(world, id);
  expect(micros).toEqual([3, 3, 3, 3, 8]);
  expect(operation.chargedMicros).toBe(20n);
});

test('goes on in another process when its own is about to end', async () => {
  const world = await createEngineWorld();
  const going = Promise.withResolvers<number>();
  const entered = Promise.withResolvers<void>();
  const { provider, handed } = batchProvider((key) => {
    if (key !== 'a') return Promise.resolve(3);
    entered.resolve();
    return going.promise;
  });
  registerBatches(world.engine, provider, { itemsAtOnce: 1 });
  const id = await createBatch(world, keys);
  await sweep(world.engine);
  await entered.promise;
  workersOf(world.engine).drain();
  going.resolve(3);
  await workersOf(world.engine).idle();
  expect(await itemStates(world, id)).toMatchObject({ a: 'completed', b: 'waiting' });
  const other = world.another();
  registerBatches(other, provider);
  await doWork(other);
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 15n });
  expect([...handed.values()]).toEqual([1, 1, 1, 1, 1]);
});

test('puts an item off that was given up before it was handed over when the process stopped, and another process carries it out', async () => {
  const world = await createEngineWorld();
  const entered = Promise.withResolvers<void>();
  const { provider } = batchProvider(
    (_key, _tries, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new NotExecuted({ reason: 'cancelled' })), { once: true });
        entered.resolve();
      }),
  );
  registerBatches(world.engine, provider, { itemsAtOnce: 1 });
  const id = await createBatch(world, keys);
  await sweep(world.engine);
  await entered.promise;
  await workersOf(world.engine).stop();
  expect(Object.values(await itemStates(world, id))).toEqual(keys.map(() => 'waiting'));
  const other = world.another();
  registerBatches(other, batchProvider().provider);
  await world.clock.advance(600_000);
  await doWork(other);
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 15n });
});

/** An upstream that takes whole batches; `polls` are what it answers, in order. */
const upstream = (
  polls: (() => Promise<JobProgress<BatchResult>>)[],
  start: (call: BatchCall) => Promise<{ readonly job: string }> = () => Promise.resolve({ job: 'job-1' }),
) => {
  const asked: string[] = [];
  const started: BatchCall[] = [];
  const cancelled: string[] = [];
  const provider: Provider = {
    name: 'upstream',
    batches: {
      start: (call) => {
        started.push(call);
        return start(call);
      },
      poll: (job) => {
        asked.push(job);
        return polls.shift()?.() ?? Promise.reject(new Error('nothing to say'));
      },
      cancel: async (job) => void cancelled.push(job),
    },
  };
  return { provider, asked, started, cancelled };
};

const running = (job?: string) => () =>
  Promise.resolve({ kind: 'running' as const, afterMs: 1_000, ...(job === undefined ? {} : { job }) });
const doneWith = (items: BatchResult['items']) => () => Promise.resolve({ kind: 'done' as const, result: { items } });
const answered = (key: string, tokens = 3) =>
  ({ key, kind: 'generation', generation: generationOf(`answer to ${key}`, tokens) }) as const;

const turns = async (world: Awaited<ReturnType<typeof createEngineWorld>>, count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) {
    await doWork(world.engine);
    await world.clock.advance(60_000);
  }
};

test('hands the whole to an upstream that takes batches, once, and asks until it is done [batches:result:keyed-any-order]', async () => {
  const world = await createEngineWorld();
  const { provider, asked, started } = upstream([
    running('job-2'),
    () => Promise.reject(new Error('not answered')),
    doneWith([{ key: 'c', kind: 'failed', reason: 'invalid_request' }, { key: 'b', kind: 'cancelled' }, answered('a')]),
  ]);
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b', 'c']);
  await turns(world, 5);
  expect(started.map(({ items }) => items.map(({ key }) => key))).toEqual([['a', 'b', 'c']]);
  expect(asked).toEqual(['job-1', 'job-2', 'job-2']);
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 3n });
  expect(await resultsOf(world, id)).toMatchObject({
    a: { status: 'completed', response: { text: 'answer to a' } },
    b: { status: 'cancelled' },
    c: { status: 'failed', error: { code: 'unsupported_parameter' } },
  });
});

test('charges a cache that it sent along beside what each item may have had of its own', async () => {
  const world = await createCacheWorld();
  const long = 'x'.repeat(30);
  const { provider, started } = upstream([doneWith([answered(long, 45), answered('x', 45)])]);
  registerCaches(world.engine, bare);
  registerBatches(world.engine, provider);
  const cache = await createCache(world, 3_600, 2);
  await doWork(world.engine);
  const id = await createBatch(world, [long, 'x'], cache);
  await turns(world, 3);
  expect(started[0]?.items[0]).toMatchObject({ call: { contents: [{}, { parts: [{ text: long }] }] } });
  // The items have 38 and 9 tokens at the most: a token a byte, and eight of the message.
  expect((await listItems(world.engine, id)).map(({ usage }) => usage)).toMatchObject([
    [{ quantity: 38 }, { unit: 'cached_input_tokens', quantity: 7 }],
    [{ quantity: 35 }, { unit: 'cached_input_tokens', quantity: 10 }],
  ]);
});

test('fails the items of which a cache has gone, and hands none of them over', async () => {
  const world = await createEngineWorld();
  const { provider, started } = upstream([]);
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b'], '00000000-0000-7000-8000-00000000cace');
  await doWork(world.engine);
  expect(await itemStates(world, id)).toEqual({ a: 'failed', b: 'failed' });
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 0n });
  expect(started).toEqual([]);
});

test('does not hand over again what a dead worker may have handed over', async () => {
  const world = await createEngineWorld();
  const never = new Promise<{ readonly job: string }>(() => {});
  const entered = Promise.withResolvers<void>();
  const { provider, started } = upstream([], () => {
    entered.resolve();
    return never;
  });
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a']);
  await sweep(world.engine);
  await entered.promise;
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  const other = world.another();
  registerBatches(other, provider);
  await doWork(other);
  expect(started).toHaveLength(1);
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'uncertain', holdMicros: 5n });
});

test('is uncertain where the upstream says nothing of an item', async () => {
  const world = await createEngineWorld();
  const { provider } = upstream([doneWith([answered('a')])]);
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b']);
  await turns(world, 3);
  expect((await findBatch(world, id)).operation.state).toBe('uncertain');
  expect(await itemStates(world, id)).toEqual({ a: 'completed', b: 'unknown' });
});

test('fails without a charge where the upstream says that the whole failed', async () => {
  const world = await createEngineWorld();
  const { provider } = upstream([() => failing('failed')]);
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a']);
  await turns(world, 3);
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'failed', errorCode: 'request_failed' });
});

test('tells the upstream to stop, once, and takes what it did until then', async () => {
  const world = await createEngineWorld();
  const { provider, cancelled } = upstream([
    running(),
    running(),
    running(),
    doneWith([answered('a'), { key: 'b', kind: 'cancelled' }]),
  ]);
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a', 'b']);
  await turns(world, 2);
  await cancelResource(world.engine, world.projectId, 'batch', id);
  await turns(world, 4);
  expect(cancelled).toEqual(['job-1']);
  expect((await findBatch(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 3n });
});

test('asks a busy upstream again to begin, a few times', async () => {
  const world = await createEngineWorld();
  let tries = 0;
  const { provider, started } = upstream([doneWith([answered('a')])], () => {
    tries += 1;
    return tries < 3 ? failing('unavailable') : Promise.resolve({ job: 'job' });
  });
  registerBatches(world.engine, provider);
  const id = await createBatch(world, ['a']);
  await turns(world, 6);
  expect(started).toHaveLength(3);
  expect((await findBatch(world, id)).operation.state).toBe('completed');
});

test('keeps the answers of its items no longer than its result [limits:retention:batches]', async () => {
  const world = await createEngineWorld();
  registerBatches(world.engine, batchProvider().provider);
  const id = await createBatch(world, ['a', 'b']);
  await doWork(world.engine);
  expect(Object.keys(await itemStates(world, id))).toEqual(['a', 'b']);
  await world.clock.advance(30 * 24 * 3_600_000);
  await doWork(world.engine);
  expect([await resultsOf(world, id), await itemStates(world, id)]).toEqual([null, {}]);
  expect((await findBatch(world, id)).operation.chargedMicros).toBe(6n);
});

test('begins no further item five seconds after the key was revoked in another process', async () => {
  const world = await createEngineWorld();
  const first = Promise.withResolvers<number>();
  const entered = Promise.withResolvers<void>();
  const { provider, handed } = batchProvider((key) => {
    if (key === 'b') entered.resolve();
    return key === 'b' ? first.promise : Promise.resolve(3);
  });
  registerBatches(world.engine, provider, { itemsAtOnce: 1 });
  const id = await createBatch(world, keys);
  await sweep(world.engine);
  await entered.promise;
  // Another process revokes the key: this one is not told.
  await setKeyStatus(world.another(), world.keyId, 'revoked');
  await world.clock.advance(5_000);
  first.resolve(3);
  await workersOf(world.engine).idle();
  expect([...handed.keys()]).toEqual(['a', 'b']);
  expect(await itemStates(world, id)).toEqual({
    a: 'completed',
    b: 'completed',
    c: 'failed',
    d: 'failed',
    e: 'failed',
  });
  const found = await findBatch(world, id);
  expect(found.operation).toMatchObject({ state: 'completed', chargedMicros: 6n, holdMicros: 0n });
  expect(found.resource.publicFields).toMatchObject({ completed_count: 2, failed_count: 3 });
});
