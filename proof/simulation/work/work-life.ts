import { resourceKinds } from '@tollgate/engine';
import { createFaultyLedger, createFaultyStorage, type Faults } from '@tollgate/testing/fakes';
import type { Life } from '../life.ts';
import { waits } from '../waits.ts';
import { upstreamOf } from './upstream.ts';
import { watchWork } from './watch-work.ts';
import { workTariff, type WorkLife, type WorkWorld } from './work-world.ts';

const inlineAnswerBytesMax = 90;
const persistTriesMax = 3;

/** Starts a process that takes orders and works on them. */
export const createWorkLife = (world: WorkWorld, at: number, faultsFor: (life: Life) => Faults): WorkLife => {
  world.counters.lives += 1;
  const name = `life-${world.counters.lives}`;
  // The engine is made from what it will be part of: each of its calls names the life that makes it.
  const life: { -readonly [K in keyof WorkLife]: WorkLife[K] } = { name, alive: true, hung: false } as WorkLife;
  const faults = faultsFor(life);
  life.engine = world.subject.createEngine({
    storage: createFaultyStorage(watchWork(world, life, world.storage), faults),
    tariff: workTariff,
    ...(world.ledger === null ? {} : { ledger: createFaultyLedger(world.ledger, faults) }),
    overrun: world.setup.overrun,
    limits: { inlineAnswerBytesMax, persistTriesMax },
    owner: name,
    newId: () => {
      world.counters.ids += 1;
      return `id-${world.counters.ids}`;
    },
    monotonicMs: () => world.clock.nowMs,
    ...waits(world, life),
    ...world.outfit.options(world, life),
  });
  const { subject, outfit } = world;
  const { engine } = life;
  const { sender, startRun } = outfit.equip(world, life);
  life.parts = {
    workers: subject.createWorkers(engine, resourceKinds(subject.kindsOf(engine, upstreamOf(world, life)))),
    hostEvents: null,
    deliveries: sender === null ? null : subject.createDeliveries(engine, { sender }),
    startScheduledRun: startRun === null ? null : subject.startRunWith(engine, startRun),
  };
  world.lives[at] = life;
  return life;
};
