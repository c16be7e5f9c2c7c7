import { NotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { breathe, createEngineWorld, holdMicros, type EngineWorld } from '../../test/engine-world.ts';
import type { Engine } from '../engine.ts';
import { createJobs } from '../jobs/jobs.ts';
import { cancelResource } from '../resources/cancel-resource.ts';
import { createResource } from '../resources/create-resource.ts';
import { deleteResource } from '../resources/delete-resource.ts';
import { findResource } from '../resources/find-resource.ts';
import type { ResourcePlan } from '../resources/resource-plan.ts';
import { markRunningUncertain } from './running.ts';
import { LostWork, type WorkContext, type WorkKind, type WorkOutcome, type Work } from './work-kind.ts';
import { giveKinds, partsOf, renewLeases, sweep, workersOf } from '../../test/process-parts.ts';

const planIn = (world: EngineWorld, change: Partial<ResourcePlan> = {}): ResourcePlan => ({
  access: { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId },
  kind: 'batch',
  model: 'model',
  identity: null,
  fingerprint: 'body',
  estimate: [{ unit: 'input_text_tokens', quantity: Number(holdMicros) }],
  refusal: null,
  draft: {
    kind: 'batch',
    displayName: 'A batch',
    parent: null,
    availability: 'follows',
    publicFields: { request_count: 1 },
    work: { step: 0 },
    expiresAfterMs: null,
    items: [],
  },
  uses: [],
  ...change,
});

const done: WorkOutcome = {
  kind: 'done',
  usage: [{ unit: 'input_text_tokens', quantity: 4, confirmed: true }],
  result: '{"steps":[1]}',
  closing: { availability: 'follows', publicFields: { completed_count: 1 }, work: null, expiresAfterMs: null },
};

const register = (
  engine: Engine,
  run: (work: Work, context: WorkContext) => Promise<WorkOutcome>,
  more: Partial<WorkKind> = {},
): void =>
  giveKinds(engine, {
    kind: 'batch',
    runningMax: 10,
    runningPerProjectMax: 5,
    resultKeptMs: 86_400_000,
    run,
    ...more,
  });

const create = async (world: EngineWorld, change: Partial<ResourcePlan> = {}): Promise<string> => {
  const created = await createResource(world.engine, planIn(world, change));
  if (created.kind !== 'created') throw new Error(`refused: ${created.code}`);
  return created.found.operation.id;
};

const find = async (world: EngineWorld, id: string) => {
  const found = await findResource(world.engine, world.projectId, 'batch', id);
  if (found === null) throw new Error('no such resource');
  return found;
};

const work = async (engine: Engine): Promise<void> => {
  await sweep(engine);
  await workersOf(engine).idle();
};

const reserved = async (world: EngineWorld): Promise<bigint> => {
  const records = await world.storage.read([{ table: 'wallet', id: world.accountId }]);
  return records.get('wallet', world.accountId)?.reservedMicros ?? 0n;
};

test('reserves when a resource is created and settles what its work measured', async () => {
  const world = await createEngineWorld();
  register(world.engine, () => Promise.resolve(done));
  const id = await create(world);
  expect(await find(world, id)).toMatchObject({
    operation: { state: 'reserved', holdMicros },
    resource: { availability: 'follows', publicFields: { request_count: 1 } },
    result: null,
  });
  await work(world.engine);
  expect(await find(world, id)).toMatchObject({
    operation: { state: 'completed', chargedMicros: 4n, holdMicros: 0n },
    resource: { publicFields: { request_count: 1, completed_count: 1 }, work: null },
    result: '{"steps":[1]}',
  });
  expect(await reserved(world)).toBe(0n);
});

test('recovers a resource by its identity and refuses another body under it', async () => {
  const world = await createEngineWorld();
  register(world.engine, () => Promise.resolve(done));
  const id = await create(world, { identity: 'once' });
  await work(world.engine);
  const again = await createResource(world.engine, planIn(world, { identity: 'once' }));
  expect(again).toMatchObject({ kind: 'created', replayed: true, found: { operation: { id, state: 'completed' } } });
  const other = await createResource(world.engine, planIn(world, { identity: 'once', fingerprint: 'other' }));
  expect(other).toMatchObject({ kind: 'refused', code: 'ai_idempotency_conflict', requestId: id });
});

test('checks again later, from where the last turn left off', async () => {
  const world = await createEngineWorld();
  const seen: unknown[] = [];
  register(world.engine, async ({ resource }) => {
    seen.push(resource.work);
    return seen.length === 1 ? { kind: 'later', afterMs: 10_000, work: { job: 'upstream' } } : done;
  });
  const id = await create(world);
  await work(world.engine);
  await work(world.engine);
  expect(seen).toEqual([{ step: 0 }]);
  await world.clock.advance(10_000);
  await work(world.engine);
  expect(seen).toEqual([{ step: 0 }, { job: 'upstream' }]);
  expect((await find(world, id)).operation.state).toBe('completed');
});

test('is woken when work that was put off is due, before the next round', async () => {
  const world = await createEngineWorld();
  const turns: number[] = [];
  register(world.engine, () => {
    turns.push(world.clock.now());
    return Promise.resolve(turns.length === 1 ? { kind: 'later', afterMs: 700, work: { step: 1 } } : done);
  });
  const jobs = createJobs(world.engine, partsOf(world.engine));
  jobs.start();
  const begun = world.clock.now();
  await create(world);
  await world.clock.advance(0);
  await workersOf(world.engine).idle();
  await world.clock.advance(700);
  await workersOf(world.engine).idle();
  expect(turns).toEqual([begun, begun + 700]);
  await jobs.stop();
});

test('does what is due once for a host that runs no loops', async () => {
  const world = await createEngineWorld();
  register(world.engine, () => Promise.resolve(done));
  const id = await create(world);
  await createJobs(world.engine, partsOf(world.engine)).runDue();
  expect((await find(world, id)).operation.state).toBe('completed');
});

test('keeps its leases while it does what is due for a host that runs no loops', async () => {
  const world = await createEngineWorld();
  const going = Promise.withResolvers<WorkOutcome>();
  register(world.engine, () => going.promise);
  const id = await create(world);
  const running = createJobs(world.engine, partsOf(world.engine)).runDue();
  for (let past = 0; past < 10; past += 1) await world.clock.advance(world.engine.limits.renewMs);
  const other = world.another();
  let taken = 0;
  register(other, () => {
    taken += 1;
    return Promise.resolve(done);
  });
  await work(other);
  going.resolve(done);
  await running;
  expect([taken, (await find(world, id)).operation.state]).toEqual([0, 'completed']);
});

test('frees the hold when nothing was executed, and keeps it when the outcome is unknown', async () => {
  const world = await createEngineWorld();
  const outcomes: (() => Promise<WorkOutcome>)[] = [
    () => Promise.reject(new NotExecuted({ reason: 'failed' })),
    () => Promise.reject(new Error('lost')),
    () => Promise.resolve({ ...done, usage: [] }),
  ];
  register(world.engine, () => outcomes.shift()?.() ?? Promise.resolve(done));
  const failed = await create(world);
  await work(world.engine);
  expect((await find(world, failed)).operation).toMatchObject({
    state: 'failed',
    errorCode: 'request_failed',
    holdMicros: 0n,
  });
  for (const id of [await create(world), await create(world)]) {
    await work(world.engine);
    expect((await find(world, id)).operation).toMatchObject({ state: 'uncertain', holdMicros });
  }
});

test('cancels before a worker began without a charge [resources:cancel:before-start]', async () => {
  const world = await createEngineWorld();
  register(world.engine, () => Promise.resolve(done));
  const id = await create(world);
  let due = 0;
  world.engine.signals.eventsDue.listen(() => {
    due += 1;
  });
  const found = await cancelResource(world.engine, world.projectId, 'batch', id);
  expect(due).toBe(1);
  expect(found?.operation).toMatchObject({ state: 'failed', errorCode: 'cancelled', chargedMicros: 0n });
  expect(await reserved(world)).toBe(0n);
  await work(world.engine);
  expect((await find(world, id)).operation.state).toBe('failed');
});

test('tells a running worker that it is to stop, and charges what was consumed until then', async () => {
  const world = await createEngineWorld();
  const entered = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  register(world.engine, async (_, context) => {
    entered.resolve();
    await go.promise;
    return (await context.isCancelling())
      ? { ...done, usage: [{ unit: 'input_text_tokens', quantity: 1, confirmed: true }] }
      : done;
  });
  const id = await create(world);
  await sweep(world.engine);
  await entered.promise;
  const cancelling = await cancelResource(world.engine, world.projectId, 'batch', id);
  expect(cancelling?.operation.state).toBe('cancelling');
  go.resolve();
  await workersOf(world.engine).idle();
  expect((await find(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 1n });
  const again = await cancelResource(world.engine, world.projectId, 'batch', id);
  expect(again?.operation.state).toBe('completed');
});

test('gives work that its worker left behind to another process, with the progress that was kept', async () => {
  const world = await createEngineWorld();
  const stuck = Promise.withResolvers<WorkOutcome>();
  const kept = Promise.withResolvers<void>();
  let tooLate: unknown;
  register(world.engine, async (_, context) => {
    await context.checkpoint({ step: 1 });
    kept.resolve();
    const outcome = await stuck.promise;
    tooLate = await context.checkpoint({ step: 2 }).catch((cause: unknown) => cause);
    return outcome;
  });
  const id = await create(world);
  await sweep(world.engine);
  await kept.promise;
  const other = world.another();
  const seen: unknown[] = [];
  register(other, async ({ resource }) => {
    seen.push(resource.work);
    return done;
  });
  await work(other);
  expect(seen).toEqual([]);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await work(other);
  expect(seen).toEqual([{ step: 1 }]);
  stuck.resolve({ ...done, usage: [{ unit: 'input_text_tokens', quantity: 9, confirmed: true }] });
  await workersOf(world.engine).idle();
  expect(tooLate).toBeInstanceOf(LostWork);
  expect((await find(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 4n });
});

test('does not take a lease back from a process that has taken charge', async () => {
  const world = await createEngineWorld();
  const stuck = Promise.withResolvers<WorkOutcome>();
  let signal: AbortSignal | undefined;
  register(world.engine, (_, context) => {
    signal = context.signal;
    return stuck.promise;
  });
  await create(world);
  await sweep(world.engine);
  const other = world.another();
  const going = Promise.withResolvers<WorkOutcome>();
  register(other, () => going.promise);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await sweep(other);
  await renewLeases(world.engine);
  await renewLeases(world.engine);
  expect(signal?.aborted).toBe(true);
  stuck.resolve(done);
  going.resolve(done);
  await Promise.all([workersOf(world.engine).idle(), workersOf(other).idle()]);
});

test('does not let a turn whose lease ran out undo what another one has done since', async () => {
  const world = await createEngineWorld();
  const stuck = Promise.withResolvers<WorkOutcome>();
  const seen: unknown[] = [];
  register(world.engine, ({ resource }) => {
    seen.push(resource.work);
    return seen.length === 1 ? stuck.promise : Promise.resolve(done);
  });
  const id = await create(world);
  await sweep(world.engine);
  const other = world.another();
  register(other, () => Promise.resolve({ kind: 'later', afterMs: 1_000, work: { job: 'handed over' } }));
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await work(other);
  await world.clock.advance(1_000);
  await sweep(world.engine);
  await renewLeases(world.engine);
  await renewLeases(world.engine);
  stuck.resolve({ kind: 'later', afterMs: 0, work: { job: 'not yet' } });
  await workersOf(world.engine).idle();
  await world.clock.advance(500);
  await work(world.engine);
  expect(seen).toEqual([{ step: 0 }, { job: 'handed over' }]);
  expect((await find(world, id)).operation.state).toBe('completed');
});

test.each([
  ['failed', () => Promise.reject(new NotExecuted({ reason: 'failed' }))],
  ['in doubt', () => Promise.reject(new Error('lost'))],
  ['in doubt for want of a measure', () => Promise.resolve({ ...done, usage: [] })],
])('takes no word of a turn whose lease ran out that the work is %s', async (_, end) => {
  const world = await createEngineWorld();
  const stuck = Promise.withResolvers<void>();
  register(world.engine, () => stuck.promise.then(end));
  const id = await create(world);
  await sweep(world.engine);
  const other = world.another();
  const going = Promise.withResolvers<WorkOutcome>();
  register(other, () => going.promise);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await sweep(other);
  stuck.resolve();
  await workersOf(world.engine).idle();
  expect((await find(world, id)).operation).toMatchObject({ state: 'processing', holdMicros });
  going.resolve(done);
  await workersOf(other).idle();
  expect((await find(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 4n });
});

test('settles by the first measure that comes, even of a turn whose lease ran out', async () => {
  const world = await createEngineWorld();
  const stuck = Promise.withResolvers<WorkOutcome>();
  register(world.engine, () => stuck.promise);
  const id = await create(world);
  await sweep(world.engine);
  const other = world.another();
  register(other, () => Promise.reject(new Error('nobody can tell')));
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await work(other);
  expect((await find(world, id)).operation.state).toBe('uncertain');
  stuck.resolve(done);
  await workersOf(world.engine).idle();
  expect((await find(world, id)).operation).toMatchObject({ state: 'completed', chargedMicros: 4n });
});

test('works on no more than its bounds at once, and on the rest when there is room', async () => {
  const world = await createEngineWorld();
  let running = 0;
  let most = 0;
  register(
    world.engine,
    async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return done;
    },
    { runningMax: 2, runningPerProjectMax: 2 },
  );
  const ids = [await create(world), await create(world), await create(world), await create(world), await create(world)];
  for (let round = 0; round < 5; round += 1) {
    await work(world.engine);
    await world.clock.advance(1_000);
  }
  expect(most).toBe(2);
  for (const id of ids) expect((await find(world, id)).operation.state).toBe('completed');
});

test('deletes what has ended, once, and never what is under way or in use', async () => {
  const world = await createEngineWorld();
  const discarded: string[] = [];
  register(world.engine, () => Promise.resolve({ ...done, closing: { ...done.closing, availability: 'active' } }), {
    discard: async ({ id }) => void discarded.push(id),
  });
  const id = await create(world);
  const name = { kind: 'batch', id } as const;
  expect(await deleteResource(world.engine, world.projectId, name)).toEqual({ kind: 'in_use' });
  await work(world.engine);
  const user = await create(world, { uses: [{ id, kind: 'batch', model: null }] });
  expect(await deleteResource(world.engine, world.projectId, name)).toEqual({ kind: 'in_use' });
  await work(world.engine);
  expect((await find(world, user)).operation.state).toBe('completed');
  const charged = (await find(world, id)).operation.chargedMicros;
  expect(await deleteResource(world.engine, world.projectId, name)).toMatchObject({
    kind: 'deleted',
    found: { resource: { availability: 'deleted' }, operation: { chargedMicros: charged } },
  });
  expect(await deleteResource(world.engine, world.projectId, name)).toEqual({ kind: 'missing' });
  await work(world.engine);
  await work(world.engine);
  expect(discarded).toEqual([id]);
  const refused = await createResource(world.engine, planIn(world, { uses: [{ id, kind: 'batch', model: null }] }));
  expect(refused).toMatchObject({ kind: 'refused', code: 'not_found' });
});

test('forgets that a resource was used once its user has ended, and not while that is under way or uncertain', async () => {
  const world = await createEngineWorld();
  const outcomes: (() => Promise<WorkOutcome>)[] = [
    () => Promise.resolve({ ...done, closing: { ...done.closing, availability: 'active' } }),
    () => Promise.resolve(done),
    () => Promise.reject(new NotExecuted({ reason: 'failed' })),
    () => Promise.reject(new Error('lost')),
    () => Promise.resolve({ kind: 'later', afterMs: 10_000_000, work: null }),
  ];
  register(world.engine, () => outcomes.shift()?.() ?? Promise.resolve(done));
  const id = await create(world);
  await work(world.engine);
  const users: string[] = [];
  while (outcomes.length > 0) {
    users.push(await create(world, { uses: [{ id, kind: 'batch', model: null }] }));
    await work(world.engine);
  }
  const noted = async () =>
    (await world.storage.list('usesByResource', { of: id, limit: 100 })).map(({ operationId }) => operationId);
  expect((await noted()).toSorted()).toEqual(users.toSorted());
  await world.clock.advance(600_000);
  await work(world.engine);
  expect((await noted()).toSorted()).toEqual(users.slice(2).toSorted());
});

test('expires a usable resource by the clock of the storage', async () => {
  const world = await createEngineWorld();
  register(world.engine, () =>
    Promise.resolve({ ...done, closing: { ...done.closing, availability: 'active', expiresAfterMs: 1_000 } }),
  );
  const id = await create(world);
  await work(world.engine);
  expect((await find(world, id)).resource.availability).toBe('active');
  await world.clock.advance(999);
  await work(world.engine);
  expect((await find(world, id)).resource.availability).toBe('active');
  await world.clock.advance(1);
  await work(world.engine);
  expect((await find(world, id)).resource.availability).toBe('expired');
});

test('registers what costs nothing as completed, without a price list or a hold', async () => {
  const world = await createEngineWorld();
  const plan = planIn(world, { model: 'unpriced', estimate: null });
  const created = await createResource(world.engine, { ...plan, draft: { ...plan.draft, availability: 'active' } });
  expect(created).toMatchObject({
    kind: 'created',
    found: {
      operation: { state: 'completed', holdMicros: 0n, chargedMicros: 0n },
      resource: { availability: 'active' },
    },
  });
});

test('keeps what is to become of a resource until an overrun is paid', async () => {
  const world = await createEngineWorld();
  register(world.engine, () =>
    Promise.resolve({
      ...done,
      usage: [{ unit: 'input_text_tokens', quantity: 5_000_000, confirmed: true }],
      closing: { ...done.closing, availability: 'active' },
    }),
  );
  const id = await create(world);
  await work(world.engine);
  expect(await find(world, id)).toMatchObject({
    operation: { state: 'uncertain', errorCode: 'settlement_pending' },
    resource: { availability: 'follows' },
    result: null,
  });
  await world.admin.deposit({ accountId: world.accountId, amountMicros: 10_000_000n, reference: 'more' });
  await world.clock.advance(world.engine.limits.settlementRetryMs);
  await work(world.engine);
  expect(await find(world, id)).toMatchObject({
    operation: { state: 'completed', chargedMicros: 5_000_000n },
    resource: { availability: 'active', publicFields: { completed_count: 1 } },
    result: '{"steps":[1]}',
  });
});

test('works on no more than its bound for one project at once, where others would have room', async () => {
  const world = await createEngineWorld();
  const ends: (() => void)[] = [];
  register(world.engine, () => new Promise((resolve) => ends.push(() => resolve(done))), {
    runningMax: 10,
    runningPerProjectMax: 2,
  });
  for (let created = 0; created < 4; created += 1) await create(world);
  await sweep(world.engine);
  await breathe();
  expect(ends).toHaveLength(2);
  for (const end of ends) end();
  await workersOf(world.engine).idle();
});

test('aborts its own turn before, when it finds that turn without a lease', async () => {
  const world = await createEngineWorld();
  const signals: AbortSignal[] = [];
  const stuck = Promise.withResolvers<WorkOutcome>();
  register(world.engine, (_, { signal }) => {
    signals.push(signal);
    return stuck.promise;
  });
  await create(world);
  await sweep(world.engine);
  await breathe();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await sweep(world.engine);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  stuck.resolve(done);
  await workersOf(world.engine).idle();
});

test('keeps the first 256 attempts of a piece of work, and nothing of it runs once it has ended', async () => {
  const world = await createEngineWorld();
  register(world.engine, async (_work, context) => {
    const { recordAttempt } = context.callContext('scripted');
    for (let made = 0; made < 260; made += 1)
      recordAttempt({ startedAtMs: made, durationMs: 1, status: 503, outcome: 'refused' });
    return done;
  });
  const id = await create(world);
  await work(world.engine);
  const { attempts } = (await find(world, id)).operation;
  expect(attempts).toHaveLength(256);
  expect(attempts.at(-1)).toMatchObject({ startedAtMs: 255 });
  expect(await markRunningUncertain(world.engine)).toBe(0);
});

test('creates nothing for an occurrence that no longer waits for it', async () => {
  const world = await createEngineWorld();
  const occurrence = { occurrenceId: 'an occurrence that has gone' };
  expect(await createResource(world.engine, planIn(world, { occurrence }))).toMatchObject({ code: 'not_found' });
  expect(await reserved(world)).toBe(0n);
});
