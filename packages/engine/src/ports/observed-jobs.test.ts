import { expect, test } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../test/engine-world.ts';
import { giveKinds, giveSender, partsOf, sweep, workersOf } from '../../test/process-parts.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createResource } from '../resources/create-resource.ts';
import { createWebhook } from '../webhooks/webhooks.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import { LostWork, type WorkContext, type WorkOutcome } from '../workers/work-kind.ts';
import type { ObservedEvent } from './observer.ts';

type Kind = ObservedEvent['kind'];

const observed = async () => {
  const events: ObservedEvent[] = [];
  const clock: { now: () => number } = { now: () => 0 };
  const world = await createEngineWorld(100n, {
    wallClockMs: () => clock.now(),
    observers: [{ observe: (event) => void events.push(event), traceOf: (requestId) => `trace of ${requestId}` }],
  });
  clock.now = world.clock.now;
  const of = <K extends Kind>(kind: K): readonly Extract<ObservedEvent, { readonly kind: K }>[] =>
    events.filter((event): event is Extract<ObservedEvent, { readonly kind: K }> => event.kind === kind);
  return { world, of, kinds: () => events.map(({ kind }) => kind), forget: () => void (events.length = 0) };
};

test('shows what a sweep did, and how long it took', async () => {
  const { world, of } = await observed();
  void world.run({ execute: () => new Promise(() => {}) });
  await world.clock.advance(0);
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await createJobs(world.engine, partsOf(world.engine)).runDue();
  expect(of('swept')[0]).toMatchObject({ markedUncertain: 1, resumed: 0, settled: 0, durationMs: 0, more: false });
});

test('shows a round of a job that failed', async () => {
  const { world, of } = await observed();
  const broken = { ...world.engine.storage, claim: () => Promise.reject(new Error('away')) };
  const engine = { ...world.engine, storage: broken };
  const jobs = createJobs(engine, partsOf(engine));
  jobs.start();
  await world.clock.advance(engine.limits.sweepMs);
  await jobs.stop();
  expect(of('job_failed').length).toBeGreaterThan(0);
});

test('shows how old an event was when it was written out, and a delivery when its attempt ended', async () => {
  const { world, of } = await observed();
  const sender: WebhookSender = {
    check: (url) => Promise.resolve({ kind: 'allowed', url }),
    send: async () => {
      await world.clock.advance(250);
      return { kind: 'answered', status: 200, retryAfterMs: null };
    },
    close: () => Promise.resolve(),
  };
  giveSender(world.engine, sender);
  const url = 'https://receiver.example/hook';
  await createWebhook(world.engine, { projectId: world.projectId, url, events: ['request.completed'] });
  await world.run({ execute: () => Promise.resolve(5) });
  await world.clock.advance(1_500);
  for (let round = 0; round < 3; round += 1) {
    await sweep(world.engine);
    await partsOf(world.engine).deliveries?.idle();
  }
  expect(of('event_due')).toEqual([{ kind: 'event_due', lagMs: 1_500 }]);
  expect(of('delivery')).toMatchObject([{ outcome: 'acknowledged', lagMs: 250, attempts: 1 }]);
});

const done: WorkOutcome = {
  kind: 'done',
  usage: [{ unit: 'input_text_tokens', quantity: 4, confirmed: true }],
  result: '{}',
  closing: { availability: 'follows', publicFields: {}, work: null, expiresAfterMs: null },
};

/** Opens a resource whose work is this, and has a worker take one turn of it. */
const takeTurn = async (world: EngineWorld, run: (context: WorkContext) => Promise<WorkOutcome>): Promise<string> => {
  giveKinds(world.engine, {
    kind: 'batch',
    runningMax: 1,
    runningPerProjectMax: 1,
    resultKeptMs: 1_000,
    run: (_, context) => run(context),
  });
  const { keyId, projectId, accountId } = world;
  const draft = {
    kind: 'batch',
    displayName: 'A batch',
    parent: null,
    availability: 'follows',
    publicFields: {},
    work: {},
    expiresAfterMs: null,
    items: [],
  } as const;
  const created = await createResource(world.engine, {
    access: { keyId, projectId, accountId, requestId: 'r1' },
    kind: 'batch',
    model: 'model',
    identity: null,
    fingerprint: 'body',
    estimate: [{ unit: 'input_text_tokens', quantity: 10 }],
    refusal: null,
    draft,
    uses: [],
  });
  if (created.kind !== 'created') throw new Error(`refused: ${created.code}`);
  await sweep(world.engine);
  await workersOf(world.engine).idle();
  return created.found.operation.id;
};

test('shows a turn of work from its first call of a provider to its end, with the trace of the request', async () => {
  const { world, kinds, of } = await observed();
  const attempt = { startedAtMs: 1, durationMs: 2, status: 200, outcome: 'answered' } as const;
  const id = await takeTurn(world, async (context) => {
    context.callContext('one').recordAttempt(attempt);
    context.callContext('two').recordAttempt(attempt);
    return done;
  });
  expect(kinds()).toEqual([
    'operation_opened',
    'turn_started',
    'upstream_attempt',
    'upstream_attempt',
    'operation_ended',
    'turn_ended',
  ]);
  const [started] = of('turn_started');
  expect(started).toMatchObject({ operation: { id, trace: 'trace of r1' }, provider: 'one' });
  expect(of('turn_ended')).toEqual([{ kind: 'turn_ended', operationId: id, turnId: started?.turnId, outcome: 'done' }]);
});

test('shows no turn that calls no provider', async () => {
  const { world, kinds } = await observed();
  await takeTurn(world, () => Promise.resolve(done));
  expect(kinds()).toEqual(['operation_opened', 'operation_ended']);
});

test.each([
  ['lost', () => Promise.reject(new LostWork('another worker has it'))],
  ['unknown', () => Promise.reject(new Error('cut off'))],
  ['later', () => Promise.resolve({ kind: 'later', afterMs: 5, work: {} } as const)],
] as const)('says of a turn that it is %s', async (outcome, run) => {
  const { world, of } = await observed();
  await takeTurn(world, (context) => {
    context.callContext('one');
    return run();
  });
  expect(of('turn_ended')).toMatchObject([{ outcome }]);
});
