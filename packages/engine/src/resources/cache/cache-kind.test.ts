import { NotExecuted } from '@tollgate/provider';
import { createFaultyStorage, createMemoryLedger, type Fault } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { doWork } from '../../../test/batch-world.ts';
import { bare, createCache, createCacheWorld, findCache, keeper, registerCaches } from '../../../test/cache-world.ts';
import { breathe, type EngineWorld } from '../../../test/engine-world.ts';
import { createResource } from '../create-resource.ts';
import type { FoundResource } from '../find-resource.ts';
import { endCache } from './end-cache.ts';
import { changeCacheTtl } from './change-cache-ttl.ts';
import { readCacheEstimate, withCache } from './use-cache.ts';
import { workersOf } from '../../../test/process-parts.ts';

const reserved = async ({ storage, accountId }: EngineWorld): Promise<bigint> =>
  (await storage.read([{ table: 'wallet', id: accountId }])).get('wallet', accountId)?.reservedMicros ?? 0n;

const active = async (world: EngineWorld, ttlSeconds = 100, certain = 10): Promise<string> => {
  const id = await createCache(world, ttlSeconds, certain);
  await doWork(world.engine);
  expect((await findCache(world, id)).resource.availability).toBe('active');
  return id;
};

const sound = async (world: EngineWorld): Promise<void> => expect((await world.admin.audit()).violations).toEqual([]);

const call = {
  upstreamModel: 'upstream',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Who wrote it?' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 8,
} as const;

test('puts its instruction before a call where the gateway keeps it', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await createCache(world, 100, 10, 'Be kind.');
  await doWork(world.engine);
  const { call: sent, measure } = await withCache(
    world.engine,
    { projectId: world.projectId, provider: bare },
    id,
    call,
  );
  expect([sent.systemInstruction, sent.contents.length]).toEqual(['Be kind.', 2]);
  // The instruction of the cache is no input of the call itself: all beyond its message of 13 bytes and a frame is read.
  expect(measure([text(31)])).toEqual([text(21), cached(10)]);
});

test('hands its instruction over with its contents where an upstream keeps it', async () => {
  const world = await createCacheWorld();
  const { provider, created } = keeper();
  registerCaches(world.engine, provider);
  await createCache(world, 100, 10, 'Be kind.');
  await doWork(world.engine);
  const contents = [{ role: 'user', parts: [{ kind: 'text', text: 'A book.' }] }];
  expect(created).toMatchObject([{ systemInstruction: 'Be kind.', contents }]);
});

test('is kept by the gateway where the provider keeps none, and charged for its storage alone [caches:expire:moves]', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await active(world);
  expect(await findCache(world, id)).toMatchObject({
    operation: { state: 'processing', holdMicros: 1_010n },
    result: expect.stringContaining('"total_tokens":10'),
  });
  const user = { projectId: world.projectId, provider: bare };
  const cached = await withCache(world.engine, user, id, call);
  expect(cached.call.contents.map(({ parts }) => parts)).toEqual([
    [{ kind: 'text', text: 'A book.' }],
    [{ kind: 'text', text: 'Who wrote it?' }],
  ]);
  const usage = [{ unit: 'input_text_tokens', quantity: 14, confirmed: true }] as const;
  expect(cached.measure(usage)).toEqual([
    { unit: 'input_text_tokens', quantity: 4, confirmed: true },
    { unit: 'cached_input_tokens', quantity: 10, confirmed: true },
  ]);
  await world.clock.advance(100_000);
  await doWork(world.engine);
  expect(await findCache(world, id)).toMatchObject({
    operation: { state: 'completed', chargedMicros: 1_000n, holdMicros: 0n },
    resource: { availability: 'expired' },
  });
  expect(await reserved(world)).toBe(0n);
  await sound(world);
});

const text = (quantity: number) => ({ unit: 'input_text_tokens', quantity, confirmed: true }) as const;
const cached = (quantity: number) => ({ unit: 'cached_input_tokens', quantity, confirmed: true }) as const;

test('tells of a read no more than was taken in, and what the upstream found cached by itself', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await active(world);
  const { measure } = await withCache(world.engine, { projectId: world.projectId, provider: bare }, id, call);
  expect(measure([text(6)])).toEqual([text(0), cached(6)]);
  expect(measure([text(6), cached(8)])).toEqual([text(4), cached(10)]);
  expect(measure([text(6), cached(12)])).toEqual([text(6), cached(12)]);
  expect(measure([])).toEqual([]);
});

test('is read at its own price as far as the call itself cannot have used the input', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await active(world, 100, 2);
  const { measure } = await withCache(world.engine, { projectId: world.projectId, provider: bare }, id, call);
  // The call has a message of 13 bytes: 21 tokens at the most.
  expect(measure([text(14)])).toEqual([text(12), cached(2)]);
  expect(measure([text(30)])).toEqual([text(21), cached(9)]);
  expect(measure([text(40)])).toEqual([text(30), cached(10)]);
  const estimate = await readCacheEstimate(world.engine, id);
  expect(estimate(call, [{ unit: 'input_text_tokens', quantity: 12 }])).toEqual([
    { unit: 'cached_input_tokens', quantity: 2 },
    { unit: 'input_text_tokens', quantity: 8 },
  ]);
});

test('is reserved for as a whole at the price of a read where an upstream keeps it', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, keeper().provider);
  const estimate = await readCacheEstimate(world.engine, await active(world, 100, 2));
  expect(estimate(call, [])).toEqual([{ unit: 'cached_input_tokens', quantity: 10 }]);
});

test('is created at an upstream that keeps caches, once, and charged for that, too', async () => {
  const world = await createCacheWorld();
  const { provider, created, removed } = keeper();
  registerCaches(world.engine, provider);
  const id = await active(world);
  expect(created.map(({ ttlSeconds }) => ttlSeconds)).toEqual([100]);
  await world.clock.advance(30_000);
  expect(await endCache(world.engine, workersOf(world.engine).kinds, world.projectId, id)).toMatchObject({
    kind: 'deleted',
    found: { operation: { state: 'completed', chargedMicros: 620n }, resource: { availability: 'deleted' } },
  });
  await doWork(world.engine);
  expect(removed).toEqual([`note of ${id}`]);
  await sound(world);
});

test.each([[], [{ unit: 'input_text_tokens', quantity: 10, confirmed: false }]] as const)(
  'is uncertain at its end where its upstream did not measure its creation, and can be used until then',
  async (...usage) => {
    const world = await createCacheWorld();
    const { provider } = keeper(() => Promise.resolve({ reference: 'kept', tokens: 10, usage }));
    registerCaches(world.engine, provider);
    const id = await active(world);
    await world.clock.advance(100_000);
    await doWork(world.engine);
    expect((await findCache(world, id)).operation).toMatchObject({
      state: 'uncertain',
      usage: null,
      holdMicros: 1_010n,
    });
    await world.admin.resolveOperation(id, { executed: true, amountMicros: 900n });
    expect(await findCache(world, id)).toMatchObject({
      operation: { state: 'completed', chargedMicros: 900n },
      resource: { availability: 'expired' },
    });
    await sound(world);
  },
);

test('is tried again where its upstream is busy, fails where it refuses, and is uncertain where the outcome is unknown', async () => {
  const world = await createCacheWorld();
  const told: (() => Promise<never>)[] = [
    () => Promise.reject(new NotExecuted({ reason: 'rate_limited', retryAfterMs: 1_000 })),
    () => Promise.reject(new NotExecuted({ reason: 'invalid_request' })),
    () => Promise.reject(new Error('lost')),
  ];
  const { provider, created } = keeper(() => told.shift()?.() ?? Promise.reject(new Error('too often')));
  registerCaches(world.engine, provider);
  const refused = await createCache(world, 100);
  await doWork(world.engine);
  await world.clock.advance(1_000);
  await doWork(world.engine);
  expect((await findCache(world, refused)).operation).toMatchObject({ state: 'failed', holdMicros: 0n });
  const uncertain = await createCache(world, 100);
  await doWork(world.engine);
  expect((await findCache(world, uncertain)).operation).toMatchObject({ state: 'uncertain', holdMicros: 1_010n });
  expect(created).toHaveLength(3);
  expect(await world.admin.resolveOperation(uncertain, { executed: true })).toEqual({ kind: 'amount_needed' });
  await world.admin.resolveOperation(uncertain, { executed: true, amountMicros: 20n });
  expect((await findCache(world, uncertain)).resource.availability).toBe('expired');
  await sound(world);
});

test('fails free where its upstream is busy for as many tries as it has', async () => {
  const world = await createCacheWorld();
  const { provider, created } = keeper(() => Promise.reject(new NotExecuted({ reason: 'rate_limited' })));
  registerCaches(world.engine, provider);
  const id = await createCache(world, 100);
  for (let round = 0; round < 10; round += 1) {
    await doWork(world.engine);
    await world.clock.advance(600_000);
  }
  expect((await findCache(world, id)).operation).toMatchObject({ state: 'failed', chargedMicros: 0n, holdMicros: 0n });
  expect(created).toHaveLength(5);
  await sound(world);
});

test('re-sizes its hold up and down, counted from now, or changes nothing [caches:patch:re-reserves] [caches:patch:insufficient]', async () => {
  const world = await createCacheWorld(5_000n);
  registerCaches(world.engine, bare);
  const id = await active(world);
  const changeTtl = (ttlSeconds: number) =>
    changeCacheTtl(world.engine, { projectId: world.projectId, id, ttlSeconds, provider: bare });
  await world.clock.advance(10_000);
  expect(await changeTtl(200)).toMatchObject({
    kind: 'ttl_changed',
    found: {
      operation: { holdMicros: 2_100n, dueAtMs: world.clock.now() + 200_000 },
      resource: { expiresAtMs: world.clock.now() + 200_000, publicFields: { ttl_seconds: 200 } },
    },
  });
  expect(await reserved(world)).toBe(2_100n);
  const before = await findCache(world, id);
  expect(await changeTtl(600)).toEqual({ kind: 'insufficient' });
  expect(await findCache(world, id)).toEqual(before);
  expect(await changeTtl(1)).toMatchObject({ kind: 'ttl_changed', found: { operation: { holdMicros: 110n } } });
  expect(await reserved(world)).toBe(110n);
  await world.clock.advance(1_000);
  expect(await changeTtl(10)).toEqual({ kind: 'missing' });
  await doWork(world.engine);
  expect((await findCache(world, id)).operation.chargedMicros).toBe(110n);
  await sound(world);
});

test('has the ledger of a host set more aside for a longer time, counted from now', async () => {
  const ledger = createMemoryLedger();
  const world = await createCacheWorld(0n, { ledger });
  ledger.deposit(world.accountId, 5_000n);
  registerCaches(world.engine, bare);
  const id = await active(world);
  await world.clock.advance(10_000);
  const asked = { projectId: world.projectId, id, provider: bare };
  expect(await changeCacheTtl(world.engine, { ...asked, ttlSeconds: 200 })).toMatchObject({ kind: 'ttl_changed' });
  expect(ledger.wallet(world.accountId)).toMatchObject({ reservedMicros: 2_100n });
  expect(await changeCacheTtl(world.engine, { ...asked, ttlSeconds: 600 })).toEqual({ kind: 'insufficient' });
});

test('is ended although operations were taking it into use, once none does any more', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await active(world);
  let uses = 0;
  const key = { table: 'resource', id } as const;
  const take = () =>
    world.storage.transact([key], (records) => {
      const resource = records.get('resource', id);
      const used = resource === undefined ? [] : [{ ...resource, uses: resource.uses + 1 }];
      return { writes: used.map((record) => ({ kind: 'put', table: 'resource', record }) as const), answer: undefined };
    });
  world.faults = async ({ name, keys }) => {
    if (name === 'transact' && keys.some((one) => one.table === 'resource') && uses < 4) {
      uses += 1;
      await take();
    }
    return { kind: 'none' };
  };
  const ended = await endCache(world.engine, workersOf(world.engine).kinds, world.projectId, id);
  expect([uses, ended]).toMatchObject([4, { kind: 'deleted' }]);
});

test('keeps its contents as long as it is kept, whatever it was extended to', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await active(world, 10);
  await changeCacheTtl(world.engine, { projectId: world.projectId, id, ttlSeconds: 9_000, provider: bare });
  await world.clock.advance(8_000_000);
  await doWork(world.engine);
  const user = { projectId: world.projectId, provider: bare };
  expect((await withCache(world.engine, user, id, call)).call.contents).toHaveLength(2);
  await endCache(world.engine, workersOf(world.engine).kinds, world.projectId, id);
  await doWork(world.engine);
  await expect(withCache(world.engine, user, id, call)).rejects.toThrow(NotExecuted);
});

test('takes more of the cap of its key where it is kept longer, and is not where the cap does not cover that', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  await world.admin.changeKey(world.keyId, { cap: { amountMicros: 2_100n, window: 'total' } });
  const id = await active(world);
  const { spends } = (await findCache(world, id)).operation;
  const [counted = ''] = spends ?? [];
  const held = async (): Promise<bigint | undefined> =>
    (await world.storage.read([{ table: 'spend', id: counted }])).get('spend', counted)?.heldMicros;
  const changeTtl = (ttlSeconds: number) =>
    changeCacheTtl(world.engine, { projectId: world.projectId, id, ttlSeconds, provider: bare });
  expect(await held()).toBe(1_010n);
  expect(await changeTtl(211)).toEqual({ kind: 'insufficient' });
  expect(await held()).toBe(1_010n);
  expect(await changeTtl(200)).toMatchObject({ kind: 'ttl_changed' });
  expect(await held()).toBe(2_000n);
  await sound(world);
});

test('is not used once its end has begun, and not ended once its use has', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await active(world);
  const open = () =>
    createResource(world.engine, {
      access: { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId },
      kind: 'batch',
      model: 'model',
      identity: null,
      fingerprint: 'body',
      estimate: [{ unit: 'input_text_tokens', quantity: 1 }],
      refusal: null,
      draft: {
        kind: 'batch',
        displayName: null,
        parent: null,
        availability: 'follows',
        publicFields: {},
        work: {},
        expiresAfterMs: null,
        items: [],
      },
      uses: [{ id, kind: 'cache', model: 'model' }],
    });
  const outcomes = await Promise.all([
    endCache(world.engine, workersOf(world.engine).kinds, world.projectId, id),
    open(),
  ]);
  const [ended, opened] = outcomes.map(({ kind }) => kind);
  expect([
    ['deleted', 'refused'],
    ['in_use', 'created'],
  ]).toContainEqual([ended, opened]);
  await sound(world);
});

/** A process that dies at its call number `at` to the storage. */
const dyingAt = (at: number, fault: Fault) => {
  let calls = 0;
  return {
    before: (): Fault => {
      calls += 1;
      if (calls < at) return { kind: 'none' };
      return calls === at ? fault : { kind: 'lost' };
    },
    isDead: () => calls >= at,
  };
};

interface Deed {
  readonly deed: 'create' | 'extend' | 'delete' | 'expire';
  readonly provider: string;
  readonly where: string;
}

/** What a cache may have cost: its creation where an upstream did it, and the seconds until it ended. */
const chargesOf = ({ deed, provider }: Deed): readonly bigint[] => {
  const [creation, tokens] = provider === 'bare' ? [0n, 10n] : [20n, 20n];
  const seconds = deed === 'extend' ? [100n, 200n] : deed === 'delete' ? [0n, 100n] : [100n];
  return seconds.map((each) => creation + tokens * each);
};

/** It is charged once, or whether it was created is unknown and its hold is kept. */
const checkEnd = async (world: EngineWorld, { operation, resource }: FoundResource, deed: Deed): Promise<void> => {
  const { state, chargedMicros, holdMicros } = operation;
  const held = await reserved(world);
  const uncertain = deed.deed === 'create' && deed.provider === 'keeper' && state === 'uncertain';
  const charged = state === 'completed' && chargesOf(deed).includes(chargedMicros) && held === 0n;
  const ended = resource.availability === 'expired' || resource.availability === 'deleted';
  const told = `${deed.where}: ${state}, ${resource.availability}, charged ${chargedMicros}, held ${held}`;
  expect((uncertain && holdMicros === 1_010n) || (charged && ended), told).toBe(true);
};

test.each(['lost', 'unanswered'] as const)(
  'is charged once for the time it was stored, whichever call a worker dies in that creates, extends or ends it (%s)',
  async (kind) => {
    expect.hasAssertions();
    for (const deed of ['create', 'extend', 'delete', 'expire'] as const) {
      for (const provider of [bare, keeper().provider]) {
        for (let at = 1; ; at += 1) {
          const world = await createCacheWorld();
          registerCaches(world.engine, provider);
          const id = await createCache(world, 100);
          if (deed !== 'create') await doWork(world.engine);
          if (deed === 'expire') await world.clock.advance(100_000);
          const death = dyingAt(at, { kind });
          const dying = world.another({ storage: createFaultyStorage(world.storage, { before: death.before }) });
          registerCaches(dying, provider);
          if (deed === 'delete') void endCache(dying, workersOf(dying).kinds, world.projectId, id);
          else if (deed === 'extend')
            void changeCacheTtl(dying, { projectId: world.projectId, id, ttlSeconds: 200, provider });
          else void doWork(dying);
          for (let turn = 0; turn < 30; turn += 1) await breathe();
          const died = death.isDead();
          for (let round = 0; round < 5; round += 1) {
            await world.clock.advance(100_000);
            await doWork(world.engine);
          }
          const where = `${deed} at call ${at} of ${provider.name}`;
          await checkEnd(world, await findCache(world, id), { deed, provider: provider.name, where });
          await sound(world);
          if (!died) break;
        }
      }
    }
  },
);

test('gathers no notes of generations that used it and have ended', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await active(world);
  const used: number[] = [];
  const uses = () => world.storage.list('usesByResource', { of: id, limit: 100 });
  const plan = {
    uses: [{ id, kind: 'cache', model: 'model' } as const],
    execute: async () => {
      used.push((await uses()).length);
      return 5;
    },
  };
  expect((await world.run(plan)).kind).toBe('completed');
  expect((await world.run(plan)).kind).toBe('completed');
  expect([used, await uses()]).toEqual([[1, 1], []]);
});

test('is charged until it expired where it is deleted after that and before a worker comes', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await active(world);
  await world.clock.advance(150_000);
  expect(await endCache(world.engine, workersOf(world.engine).kinds, world.projectId, id)).toMatchObject({
    kind: 'deleted',
    found: { operation: { state: 'completed', chargedMicros: 1_000n } },
  });
  await sound(world);
});

test('is not taken out of the hands of the worker that lets it expire', async () => {
  const world = await createCacheWorld();
  registerCaches(world.engine, bare);
  const id = await active(world);
  await world.clock.advance(100_000);
  const [claimed] = await world.storage.claim({ table: 'operation', owner: 'a worker', leaseMs: 60_000, limit: 10 });
  expect(claimed?.id).toBe(id);
  const before = await findCache(world, id);
  await endCache(world.engine, workersOf(world.engine).kinds, world.projectId, id);
  expect(await findCache(world, id)).toEqual(before);
});
