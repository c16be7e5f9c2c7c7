import { NotExecuted } from '@tollgate/provider';
import { createMemoryLedger, type FaultedCall } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import {
  breathe,
  createEngineWorld,
  firstSteps,
  holdMicros,
  opens,
  type EngineWorld,
} from '../../test/engine-world.ts';
import { createHostWorld } from '../../test/host-world.ts';
import type { Engine } from '../engine.ts';
import { releaseUnconfirmed } from '../jobs/jobs.ts';
import { createResource } from '../resources/create-resource.ts';
import { findResource } from '../resources/find-resource.ts';
import type { ResourcePlan } from '../resources/resource-plan.ts';
import { openStore } from '../resources/store/store-work.ts';
import type { Work, WorkContext, WorkOutcome } from './work-kind.ts';
import { giveKinds, sweep, workersOf } from '../../test/process-parts.ts';

const planIn = (world: EngineWorld, identity: string | null = null): ResourcePlan => ({
  access: { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId },
  kind: 'batch',
  model: 'model',
  identity,
  fingerprint: 'body',
  estimate: [{ unit: 'input_text_tokens', quantity: Number(holdMicros) }],
  refusal: null,
  draft: {
    kind: 'batch',
    displayName: null,
    parent: null,
    availability: 'follows',
    publicFields: {},
    work: { phase: 'asked' },
    expiresAfterMs: null,
    items: [],
  },
  uses: [],
});

const done: WorkOutcome = {
  kind: 'done',
  usage: [{ unit: 'input_text_tokens', quantity: 4, confirmed: true }],
  result: null,
  closing: { availability: 'follows', publicFields: {}, work: null, expiresAfterMs: null },
};

const register = (engine: Engine, run: (work: Work, context: WorkContext) => Promise<WorkOutcome>): void =>
  giveKinds(engine, { kind: 'batch', runningMax: 10, runningPerProjectMax: 5, resultKeptMs: 86_400_000, run });

const states = async ({ admin, accountId }: EngineWorld) =>
  (await admin.listOperations({ kind: 'account', accountId })).map(({ state }) => state);

const settles = ({ name, keys }: FaultedCall): boolean =>
  name === 'transact' && keys.some(({ table }) => table === 'anomaly');

/** Holds the first step back that ends or frees something, until it is let go. */
const holdEnd = (world: EngineWorld): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<{ readonly kind: 'none' }>();
  let held = false;
  world.faults = (call) => {
    if (held || !settles(call)) return undefined;
    held = true;
    return promise;
  };
  return () => resolve({ kind: 'none' });
};

test('does not free what an unconfirmed opening has deferred once another worker has begun it', async () => {
  const world = await createEngineWorld();
  world.faults = firstSteps(2, { kind: 'unconfirmed' }, opens);
  await expect(createResource(world.engine, planIn(world))).rejects.toThrow('unconfirmed');
  const letGo = holdEnd(world);
  const releasing = releaseUnconfirmed(world.engine);
  await breathe();
  const other = world.another();
  const answered = Promise.withResolvers<WorkOutcome>();
  register(other, () => answered.promise);
  await sweep(other);
  letGo();
  await releasing;
  expect(await states(world)).toEqual(['processing']);
  answered.resolve(done);
  await workersOf(other).idle();
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ balanceMicros: 96n, reservedMicros: 0n });
});

test('does not fail work that another turn has begun while the failure was on its way', async () => {
  const world = await createEngineWorld();
  register(world.engine, () => Promise.reject(new NotExecuted({ reason: 'failed' })));
  await createResource(world.engine, planIn(world));
  const letGo = holdEnd(world);
  await sweep(world.engine);
  await breathe();
  const other = world.another();
  const answered = Promise.withResolvers<WorkOutcome>();
  register(other, () => answered.promise);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await sweep(other);
  letGo();
  await workersOf(world.engine).idle();
  expect(await states(world)).toEqual(['processing']);
  answered.resolve(done);
  await workersOf(other).idle();
  expect(await states(world)).toEqual(['completed']);
});

test('goes on from the record where a mark was not confirmed, instead of doubting what never ran', async () => {
  const world = await createEngineWorld();
  const seen: unknown[] = [];
  register(world.engine, async ({ resource }, { checkpoint }) => {
    seen.push(resource.work);
    await checkpoint({ phase: 'submitting' });
    return done;
  });
  await createResource(world.engine, planIn(world));
  world.faults = ({ name, keys }) =>
    name === 'transact' && keys.some(({ table }) => table === 'resource') ? { kind: 'refused' } : undefined;
  await sweep(world.engine);
  const idle = workersOf(world.engine).idle();
  await world.clock.advance(10_000);
  await idle;
  world.faults = () => undefined;
  expect(await states(world)).toEqual(['processing']);
  await world.clock.advance(world.engine.limits.leaseMs);
  await sweep(world.engine);
  await workersOf(world.engine).idle();
  expect(seen).toEqual([{ phase: 'asked' }, { phase: 'asked' }]);
  expect(await states(world)).toEqual(['completed']);
});

test("reports no resource that a host's ledger may still refuse", async () => {
  const ledger = createMemoryLedger();
  const asked = Promise.withResolvers<'insufficient'>();
  const world = await createEngineWorld(0n, { ledger: { ...ledger, reserve: () => asked.promise } });
  const first = createResource(world.engine, planIn(world, 'once'));
  await breathe();
  const inProgress = { kind: 'refused', code: 'request_in_progress' };
  expect(await createResource(world.engine, planIn(world, 'once'))).toMatchObject(inProgress);
  asked.resolve('insufficient');
  expect(await first).toMatchObject({ kind: 'refused', code: 'ai_insufficient_credits' });
  expect(await states(world)).toEqual([]);
});

test('creates nothing that a sweep has claimed while the ledger of a host was slow, and leaves nothing set aside', async () => {
  const reserved = Promise.withResolvers<undefined>();
  const { world, ledger } = await createHostWorld(
    100n,
    (memory) => ({
      reserve: async (command) => {
        await reserved.promise;
        return memory.reserve(command);
      },
    }),
    { limits: { hostCallMs: 86_400_000 } },
  );
  const created = createResource(world.engine, planIn(world, 'once'));
  await breathe();
  await world.clock.advance(world.engine.limits.leaseMs);
  await world.storage.claim({ table: 'operation', owner: 'a sweep', leaseMs: 1, limit: 1 });
  reserved.resolve(undefined);
  expect(await created).toMatchObject({ kind: 'refused', code: 'request_in_progress' });
  expect(ledger.wallet(world.accountId)).toMatchObject({ reservedMicros: 0n });
});

test('takes back the resource whose opening died at the ledger of a host, so that a repeat creates it', async () => {
  const { world, ledger } = await createHostWorld(100n);
  const dead = world.another({
    ledger: { ...ledger, reserve: () => Promise.withResolvers<never>().promise },
    limits: { hostCallMs: 86_400_000 },
  });
  void createResource(dead, planIn(world, 'once'));
  await breathe();
  const listed = () => world.storage.list('resources', { of: `${world.projectId}/batch`, limit: 10 });
  expect(await listed()).toHaveLength(1);
  await world.clock.advance(world.engine.limits.leaseMs);
  expect(await sweep(world.engine)).toMatchObject({ resumed: 1 });
  expect(await listed()).toEqual([]);
  expect(await createResource(world.engine, planIn(world, 'once'))).toMatchObject({ kind: 'created', replayed: false });
  expect(await listed()).toHaveLength(1);
});

test('does not count a document whose opening died at the ledger of a host', async () => {
  const { world, ledger } = await createHostWorld(100n);
  const plan = planIn(world);
  const store = await createResource(world.engine, {
    ...plan,
    kind: 'store',
    estimate: null,
    draft: openStore(null, { dimensions: null }),
  });
  if (store.kind !== 'created') throw new Error('no store');
  const { id } = store.found.resource;
  const dead = world.another({
    ledger: { ...ledger, reserve: () => Promise.withResolvers<never>().promise },
    limits: { hostCallMs: 86_400_000 },
  });
  void createResource(dead, {
    ...planIn(world, 'once'),
    kind: 'document',
    draft: { ...plan.draft, kind: 'document', parent: id },
    uses: [{ id, kind: 'store', model: null }],
  });
  await breathe();
  const counted = async () => (await findResource(world.engine, world.projectId, 'store', id))?.resource.publicFields;
  expect(await counted()).toMatchObject({ document_count: 1 });
  await world.clock.advance(world.engine.limits.leaseMs);
  expect(await sweep(world.engine)).toMatchObject({ resumed: 1 });
  expect(await counted()).toMatchObject({ document_count: 0 });
});
