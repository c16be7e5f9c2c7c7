import { expect, test } from 'vitest';
import { breathe, createEngineWorld } from '../../test/engine-world.ts';
import type { Engine } from '../engine.ts';
import { runOperation } from '../operations/run-operation.ts';
import type { StartScheduledRun } from './run-triggers.ts';
import { readInteraction, storeInteraction } from './store-interaction.ts';
import {
  createTrigger,
  deleteTrigger,
  findTrigger,
  listOccurrences,
  listTriggers,
  scheduleFault,
  setTriggerEnabled,
} from './triggers.ts';
import { giveStart, sweep } from '../../test/process-parts.ts';

const minute = 60_000;

const created = async (...args: Parameters<typeof createTrigger>) => {
  const answer = await createTrigger(...args);
  if (answer.kind !== 'created') throw new Error('over the quota');
  return answer.trigger;
};

/** A world whose occurrences are opened by `open`, which by default runs a short operation under the occurrence's id. */
const createWorld = async (open?: StartScheduledRun, execute = () => Promise.resolve(1)) => {
  const world = await createEngineWorld();
  const opened: string[] = [];
  const openIn =
    (engine: Engine): StartScheduledRun =>
    async (trigger, occurrence, identity) => {
      opened.push(occurrence.id);
      if (open !== undefined) return open(trigger, occurrence, identity);
      const plan = {
        access: { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId },
        kind: 'chat',
        model: 'model',
        provider: 'scripted',
        identity: occurrence.id,
        fingerprint: 'body',
        answerForm: 'json' as const,
        estimate: [{ unit: 'input_text_tokens' as const, quantity: 1 }],
        refusal: null,
        isAbandoned: () => false,
        execute,
        measure: () => [{ unit: 'input_text_tokens' as const, quantity: 1, confirmed: true }],
        answer: () => ({ body: '{}', toolContexts: [] }),
      };
      const running = runOperation({ ...engine, newId: () => occurrence.operationId ?? '' }, plan);
      await Promise.race([running, breathe()]);
      return { kind: 'opened' };
    };
  giveStart(world.engine, openIn(world.engine));
  const schedule = async (text = '* * * * *') => {
    const { keyId, projectId, accountId } = world;
    return created(world.engine, {
      triggerId: world.engine.newId(),
      keyId,
      projectId,
      accountId,
      displayName: 'Report',
      schedule: text,
      timeZone: 'UTC',
      interaction: { shown: { input: 'Report.' }, whole: { kind: 'inline', sealed: 'Report.' } },
    });
  };
  const name = (triggerId: string) => ({ triggerId, projectId: world.projectId });
  return { world, opened, openIn, schedule, name };
};

test('runs nothing when it is created, and once at each instant [triggers:create:not-immediate]', async () => {
  const { world, opened, schedule, name } = await createWorld();
  const { id, nextRunAtMs } = await schedule();
  expect(nextRunAtMs).toBe(Math.floor(world.clock.now() / minute) * minute + minute);
  await sweep(world.engine);
  expect(opened).toEqual([]);
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  await sweep(world.engine);
  await sweep(world.engine);
  expect(opened).toEqual([`${id}:${nextRunAtMs}`]);
  expect(await listOccurrences(world.engine, id)).toMatchObject([
    { status: 'completed', scheduledForMs: nextRunAtMs, operationId: expect.any(String), errorCode: null },
  ]);
  expect(await findTrigger(world.engine, name(id))).toMatchObject({
    lastRunAtMs: nextRunAtMs,
    nextRunAtMs: (nextRunAtMs ?? 0) + minute,
  });
});

test('notes the end of an occurrence when it is processed again', async () => {
  const { world, schedule } = await createWorld();
  const { id, nextRunAtMs } = await schedule('0 * * * *');
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  await sweep(world.engine);
  await world.clock.advance(15_000);
  await sweep(world.engine);
  const [row] = await world.storage.list('occurrencesByTrigger', { of: id, limit: 1 });
  expect(row).toMatchObject({ status: 'completed', finishedAtMs: expect.any(Number) });
  await world.clock.advance(60 * minute - 15_000);
  await sweep(world.engine);
  expect((await listOccurrences(world.engine, id)).map(({ status }) => status)).toEqual(['completed', 'completed']);
});

test('records what prevents an occurrence, and goes on with the next [triggers:run:refusal-recorded] [triggers:run:prevented]', async () => {
  const { world, opened, schedule } = await createWorld(() =>
    Promise.resolve({ kind: 'prevented', code: 'ai_insufficient_credits' }),
  );
  const { id, nextRunAtMs } = await schedule();
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  await sweep(world.engine);
  expect(await listOccurrences(world.engine, id)).toMatchObject([
    { status: 'failed', errorCode: 'ai_insufficient_credits', operationId: null },
  ]);
  await world.clock.advance(minute);
  await sweep(world.engine);
  expect(opened).toHaveLength(2);
});

test('skips an occurrence while the one before is under way [triggers:run:skipped-when-pending]', async () => {
  const { world, opened, schedule } = await createWorld(undefined, () => new Promise(() => {}));
  const { id, nextRunAtMs } = await schedule();
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  await sweep(world.engine);
  await world.clock.advance(minute);
  await sweep(world.engine);
  expect(opened).toHaveLength(1);
  expect((await listOccurrences(world.engine, id)).map(({ status }) => status)).toEqual(['skipped', 'processing']);
});

test('does not make up for what an outage missed, and leaves no record of it [triggers:run:missed-not-recovered]', async () => {
  const { world, opened, schedule, name } = await createWorld();
  const { id, nextRunAtMs } = await schedule('0 * * * *');
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now() + 5 * minute + 1);
  await sweep(world.engine);
  expect(opened).toEqual([]);
  expect(await listOccurrences(world.engine, id)).toEqual([]);
  expect(await findTrigger(world.engine, name(id))).toMatchObject({ nextRunAtMs: (nextRunAtMs ?? 0) + 60 * minute });
});

test('runs late within the grace of five minutes', async () => {
  const { world, opened, schedule } = await createWorld();
  const { nextRunAtMs } = await schedule('0 * * * *');
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now() + 5 * minute);
  await sweep(world.engine);
  expect(opened).toHaveLength(1);
});

test('pauses and resumes at the next future instant [triggers:patch:resume] [triggers:patch:pause]', async () => {
  const { world, opened, schedule, name } = await createWorld();
  const { id } = await schedule();
  expect(await setTriggerEnabled(world.engine, name(id), false)).toMatchObject({ status: 'paused', nextRunAtMs: null });
  await world.clock.advance(10 * minute);
  await sweep(world.engine);
  const resumed = await setTriggerEnabled(world.engine, name(id), true);
  expect(resumed?.nextRunAtMs).toBeGreaterThan(world.clock.now());
  await sweep(world.engine);
  expect(opened).toEqual([]);
  await world.clock.advance(minute);
  await sweep(world.engine);
  expect(opened).toHaveLength(1);
});

test('is deleted for good and keeps its history [triggers:delete:final]', async () => {
  const { world, opened, schedule, name } = await createWorld();
  const { id, nextRunAtMs } = await schedule();
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  await sweep(world.engine);
  expect(await deleteTrigger(world.engine, name(id))).toMatchObject({ status: 'disabled' });
  expect(await setTriggerEnabled(world.engine, name(id), true)).toBeNull();
  expect(await findTrigger(world.engine, { triggerId: id, projectId: 'another' })).toBeNull();
  await world.clock.advance(minute);
  await sweep(world.engine);
  expect(opened).toHaveLength(1);
  expect(await listTriggers(world.engine, world.projectId)).toEqual([]);
  expect(await listOccurrences(world.engine, id)).toHaveLength(1);
});

test('makes one occurrence of one instant, however many processes find it due [triggers:run:retries-reuse-identity]', async () => {
  const { world, opened, openIn, schedule } = await createWorld();
  const others = [world.another(), world.another(), world.another()];
  for (const other of others) giveStart(other, openIn(other));
  const { id, nextRunAtMs } = await schedule();
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  await Promise.all([world.engine, ...others].map((engine) => sweep(engine)));
  expect(opened).toHaveLength(1);
  expect(await listOccurrences(world.engine, id)).toHaveLength(1);
});

test('opens again under the same identity what a dead process left, and charges once', async () => {
  const { world, opened, openIn, schedule } = await createWorld();
  const { id, nextRunAtMs } = await schedule('0 * * * *');
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  const dying = openIn(world.engine);
  const isOpen = Promise.withResolvers<void>();
  const isDead = Promise.withResolvers<void>();
  giveStart(world.engine, async (trigger, occurrence, identity) => {
    await dying(trigger, occurrence, identity);
    isOpen.resolve();
    await isDead.promise;
    return { kind: 'opened' };
  });
  const dyingSweep = sweep(world.engine);
  await isOpen.promise;
  const other = world.another();
  giveStart(other, openIn(other));
  await world.clock.advance(world.engine.limits.leaseMs + 1);
  await sweep(other);
  expect(opened).toHaveLength(2);
  expect(await listOccurrences(world.engine, id)).toMatchObject([{ status: 'completed' }]);
  const wallet = await world.admin.readWallet(world.accountId);
  expect(wallet?.balanceMicros).toBe(99n);
  isDead.resolve();
  await dyingSweep;
});

test('finds what it opened although it was not told so', async () => {
  const { world, opened, openIn, schedule } = await createWorld();
  const { id, nextRunAtMs } = await schedule('0 * * * *');
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  const open = openIn(world.engine);
  giveStart(world.engine, async (trigger, occurrence, identity) => {
    await open(trigger, occurrence, identity);
    throw new Error('the connection broke');
  });
  await sweep(world.engine);
  expect(await listOccurrences(world.engine, id)).toMatchObject([{ status: 'completed', errorCode: null }]);
  await world.clock.advance(15_000);
  await sweep(world.engine);
  expect(opened).toHaveLength(1);
});

test('shows an occurrence as its interaction stands, before a worker has noted that it was opened', async () => {
  const { world, openIn, schedule } = await createWorld(undefined, () => ended.promise);
  const ended = Promise.withResolvers<number>();
  const { id, nextRunAtMs } = await schedule('0 * * * *');
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  const open = openIn(world.engine);
  const isOpen = Promise.withResolvers<void>();
  giveStart(world.engine, async (...run) => {
    await open(...run);
    isOpen.resolve();
    return new Promise(() => {});
  });
  void sweep(world.engine);
  await isOpen.promise;
  const startedAtMs = world.clock.now();
  expect(await world.storage.list('occurrencesByTrigger', { of: id, limit: 1 })).toMatchObject([{ status: 'pending' }]);
  expect(await listOccurrences(world.engine, id)).toMatchObject([{ status: 'processing', startedAtMs }]);
  ended.resolve(1);
  await breathe();
  expect(await listOccurrences(world.engine, id)).toMatchObject([{ status: 'completed', startedAtMs }]);
});

test('lists schedules up to 1 MiB of them, with their own texts', async () => {
  const { world, schedule } = await createWorld();
  const record = await schedule();
  const { projectId, accountId, keyId, timeZone } = record;
  // With the schedule of 250 characters four of them fit, and five without it.
  const text = `${'0,'.repeat(122)}0 * * * *`;
  const [name, zone] = ['Report', timeZone];
  const rest = Buffer.byteLength(JSON.stringify([name, '', zone, { input: '' }]));
  const shown = { input: 'x'.repeat(Math.floor(1_048_576 / 5) - 1_024 - rest) };
  const interaction = { shown, whole: { kind: 'inline', sealed: 'Report.' } } as const;
  for (let made = 0; made < 5; made += 1)
    await created(world.engine, {
      projectId,
      accountId,
      keyId,
      displayName: name,
      timeZone: zone,
      schedule: text,
      triggerId: world.engine.newId(),
      interaction,
    });
  expect(await listTriggers(world.engine, projectId)).toHaveLength(4);
});

test('tries again what it could not open, and gives it up when its time is over', async () => {
  const { world, opened, schedule } = await createWorld(() => Promise.reject(new Error('out of order')));
  const { id, nextRunAtMs } = await schedule('0 * * * *');
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  await sweep(world.engine);
  await world.clock.advance(15_000);
  await sweep(world.engine);
  expect(opened).toHaveLength(2);
  expect(await listOccurrences(world.engine, id)).toMatchObject([{ status: 'pending' }]);
  await world.clock.advance(5 * minute);
  await sweep(world.engine);
  expect(await listOccurrences(world.engine, id)).toMatchObject([
    { status: 'failed', errorCode: 'service_unavailable', operationId: null },
  ]);
});

test('keeps a large interaction in a blob until it cannot be needed any more', async () => {
  const { world, schedule, name } = await createWorld();
  const record = await schedule('0 * * * *');
  const triggerId = world.engine.newId();
  const sealed = 'x'.repeat(20_000);
  const whole = await storeInteraction(world.engine, triggerId, sealed);
  expect(whole).toEqual({ kind: 'blob', sizeBytes: 20_000 });
  const { projectId, accountId, keyId, displayName, schedule: text, timeZone } = record;
  const input = { projectId, accountId, keyId, displayName, schedule: text, timeZone };
  const trigger = await created(world.engine, { ...input, triggerId, interaction: { shown: {}, whole } });
  await world.clock.advance(2 * world.engine.limits.pendingBlobMs);
  await sweep(world.engine);
  expect(await readInteraction(world.engine, trigger)).toBe(sealed);
  await deleteTrigger(world.engine, name(triggerId));
  await sweep(world.engine);
  expect(await readInteraction(world.engine, trigger)).toBe(sealed);
  await world.clock.advance(11 * minute);
  let hints = 0;
  world.engine.signals.workDue.listen(() => (hints += 1));
  await sweep(world.engine);
  expect(hints).toBeGreaterThan(0);
  await sweep(world.engine);
  expect(await readInteraction(world.engine, trigger)).toBeNull();
});

test('says what is wrong with a schedule or a time zone', () => {
  expect(scheduleFault('0 9 * * 1', 'Europe/Lisbon')).toBeNull();
  expect(scheduleFault('0 9 * *', 'Europe/Lisbon')).toContain('schedule');
  expect(scheduleFault('0 0 31 2 *', 'Europe/Lisbon')).toContain('schedule');
  expect(scheduleFault('0 9 * * 1', 'Mars/Base')).toContain('time_zone');
});

test('lets go of the records of occurrences after thirty days', async () => {
  const { world, schedule, name } = await createWorld();
  const { id, nextRunAtMs } = await schedule('0 * * * *');
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  await sweep(world.engine);
  await setTriggerEnabled(world.engine, name(id), false);
  await world.clock.advance(15_000);
  await sweep(world.engine);
  await world.clock.advance(30 * 24 * 60 * minute);
  await sweep(world.engine);
  expect(await listOccurrences(world.engine, id)).toEqual([]);
});

test('skips an occurrence while the one before could not be opened yet [triggers:run:skipped-when-pending]', async () => {
  const { world, schedule } = await createWorld(() => Promise.reject(new Error('the storage is away')));
  const { id, nextRunAtMs } = await schedule();
  await world.clock.advance((nextRunAtMs ?? 0) - world.clock.now());
  await sweep(world.engine);
  expect((await listOccurrences(world.engine, id)).map(({ status }) => status)).toEqual(['pending']);
  await world.clock.advance(minute);
  await sweep(world.engine);
  expect((await listOccurrences(world.engine, id)).map(({ status }) => status)).toEqual(['skipped', 'pending']);
});
