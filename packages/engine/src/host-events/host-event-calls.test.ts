import type { HostEventRecord } from '@tollgate/storage';
import type { Fault, FaultedCall } from '@tollgate/testing/fakes';
import { describe, expect, test } from 'vitest';
import { breathe, createEngineWorld, firstSteps, idOf, openPromise } from '../../test/engine-world.ts';
import { giveHooks, partsOf, sweep } from '../../test/process-parts.ts';
import { attemptsMax } from '../decisions/delivery.ts';
import { hostEventKinds } from '../decisions/host-event.ts';
import type { Engine } from '../engine.ts';
import type { HostEvent, HostHooks } from './host-hooks.ts';

const policy = { kinds: new Set(hostEventKinds), lowBalanceMicros: null, shares: [] };

/** Does what is due in a process, and waits for its functions. */
const work = async (engine: Engine): Promise<void> => {
  await sweep(engine);
  await partsOf(engine).hostEvents?.idle();
};

const createWorld = async (take: (event: HostEvent) => unknown = () => undefined, balanceMicros = 100n) => {
  const world = await createEngineWorld(balanceMicros, { hostEvents: policy });
  const heard: HostEvent[] = [];
  const hooks: HostHooks = {
    settled: (event) => {
      heard.push(event);
      return take(event);
    },
  };
  /** A process with these functions. */
  const hearing = (own: HostHooks = hooks): Engine => {
    const engine = world.another();
    giveHooks(engine, own);
    return engine;
  };
  const stored = (id: string): Promise<HostEventRecord | undefined> =>
    world.storage.read([{ table: 'hostEvent', id }]).then((records) => records.get('hostEvent', id));
  return { world, heard, hearing, stored };
};

const settles = (call: FaultedCall): boolean => call.keys.some(({ table }) => table === 'hostEvent');
const concludes = (call: FaultedCall): boolean =>
  call.keys.some(({ table }) => table === 'hostEvent') && !call.keys.some(({ table }) => table === 'operation');

/** The first step that matches never comes back: the process that sent it is dead. */
const dies = (fault: Fault, matches: (call: FaultedCall) => boolean) => firstSteps(1, fault, matches);

describe('events for functions of the host', () => {
  test('reach a function of another process after the process that settled has died', async () => {
    const { world, heard, hearing } = await createWorld();
    world.faults = dies({ kind: 'unanswered' }, settles);
    void world.run();
    await breathe();
    expect(heard).toEqual([]);
    await work(hearing());
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({
      accountId: world.accountId,
      chargedMicros: 5n,
      balanceMicros: 95n,
      model: 'model',
    });
  });

  test('are none of a settlement that was lost with its process', async () => {
    const { world, heard, hearing } = await createWorld();
    world.faults = dies({ kind: 'lost' }, settles);
    void world.run();
    await breathe();
    await work(hearing());
    expect(heard).toEqual([]);
    expect((await world.admin.readWallet(world.accountId))?.balanceMicros).toBe(100n);
  });

  test.each<Fault>([{ kind: 'unconfirmed' }, { kind: 'refused' }, { kind: 'busy' }])(
    'come once of a settlement that is sent again after it was %s',
    async (fault) => {
      const { world, heard, hearing } = await createWorld();
      world.faults = firstSteps(1, fault, settles);
      const outcome = await world.run();
      const process = hearing();
      await work(process);
      await work(process);
      expect(heard.map(({ requestId }) => requestId)).toEqual([idOf(outcome)]);
    },
  );

  test('come again where the process dies between the function and its note of it', async () => {
    const { world, heard, hearing } = await createWorld();
    await world.run();
    const dying = hearing();
    world.faults = dies({ kind: 'lost' }, concludes);
    void work(dying);
    await breathe();
    expect(heard).toHaveLength(1);
    const next = hearing();
    await work(next);
    // The claim of the dead process stands until its lease runs out.
    expect(heard).toHaveLength(1);
    await world.clock.advance(world.engine.limits.leaseMs + 1);
    await work(next);
    expect(heard.map(({ id }) => id)).toEqual([heard[0]?.id, heard[0]?.id]);
    await world.clock.advance(world.engine.limits.leaseMs + 1);
    await work(next);
    expect(heard).toHaveLength(2);
  });

  test('are left to others by a process without functions, and by one without a function for them', async () => {
    const { world, heard, hearing, stored } = await createWorld();
    const outcome = await world.run();
    await work(world.engine);
    const [claimed] = await world.storage.claim({ table: 'hostEvent', owner: 'test', leaseMs: 0, limit: 10 });
    expect(claimed).toMatchObject({ operationId: idOf(outcome), attempts: 0 });
    await work(hearing({ anomaly: () => undefined }));
    expect(await stored(claimed?.id ?? '')).toMatchObject({ owner: null, attempts: 0 });
    await world.clock.advance(2_000);
    await work(hearing());
    expect(heard).toHaveLength(1);
  });

  test('come again after a wait where the function throws or rejects, until they are given up', async () => {
    const { world, heard, hearing, stored } = await createWorld((): never => {
      throw new Error('no database');
    });
    await world.run();
    const process = hearing();
    await work(process);
    await work(process);
    expect(heard).toHaveLength(1);
    for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
      await world.clock.advance(12 * 3_600_000);
      await work(process);
    }
    expect(heard).toHaveLength(attemptsMax);
    expect(await stored(heard[0]?.id ?? '')).toBeUndefined();
    expect(world.warnings).toContain('an event was given up: no function of the host took it');
    const [anomaly] = await world.storage.list('anomalies', { of: '', limit: 1 });
    expect(anomaly).toMatchObject({ code: 'host_event_given_up', accountId: world.accountId });
  });

  test('come again where the function takes too long, whose signal has ended', async () => {
    let signal: AbortSignal | null = null;
    const { promise: never } = openPromise<void>();
    const { world, hearing } = await createWorld();
    await world.run();
    const heard: string[] = [];
    const process = hearing({
      settled: (event, context) => {
        heard.push(event.id);
        ({ signal } = context);
        return heard.length === 1 ? never : undefined;
      },
    });
    const working = work(process);
    await breathe();
    expect(heard).toHaveLength(1);
    await world.clock.advance(1_000);
    await working;
    expect(signal).toMatchObject({ aborted: true });
    await world.clock.advance(10_000);
    await work(process);
    expect(heard).toHaveLength(2);
  });

  test('wait where as many functions run as a process has room for', async () => {
    const { promise, resolve } = openPromise<void>();
    const { world, heard, hearing } = await createWorld(() => promise, 1_000n);
    for (let run = 0; run < 65; run += 1) await world.run();
    const process = hearing();
    await sweep(process);
    await breathe();
    expect(heard).toHaveLength(64);
    resolve();
    await partsOf(process).hostEvents?.idle();
    await world.clock.advance(2_000);
    await work(process);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(65);
    expect(heard).toHaveLength(65);
  });

  test('reach a function of the process that settles without waiting for the next sweep', async () => {
    const { world, hearing } = await createWorld();
    let notified = 0;
    const engine = hearing();
    engine.signals.eventsDue.listen(() => {
      notified += 1;
    });
    await world.runOn(engine);
    expect(notified).toBe(1);
  });

  test('cost no step and no key where they are off', async () => {
    const world = await createEngineWorld();
    const tables = new Set<string>();
    world.faults = (call) => {
      for (const { table } of call.keys) tables.add(table);
      return undefined;
    };
    await world.run();
    expect([...tables].filter((table) => table === 'hostEvent' || table === 'balanceAlert')).toEqual([]);
  });
});
