import { createFaultyLedger, createFaultyStorage, type Faults } from '@tollgate/testing';
import type { Life } from '../life.ts';
import { waits } from '../waits.ts';
import { upstreamOf } from './upstream.ts';
import { watchWork } from './watch-work.ts';
import { workTariff, type WorkWorld } from './work-world.ts';

const inlineAnswerBytesMax = 90;
const persistTriesMax = 3;

/** Starts a process that takes orders and works on them. */
export const createWorkLife = (world: WorkWorld, at: number, faultsFor: (life: Life) => Faults): Life => {
  world.counters.lives += 1;
  const name = `life-${world.counters.lives}`;
  // The engine is made from what it will be part of: each of its calls names the life that makes it.
  const life: { -readonly [K in keyof Life]: Life[K] } = { name, alive: true, hung: false } as Life;
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
  world.subject.teach(life.engine, upstreamOf(world, life));
  world.outfit.equip(world, life);
  world.lives[at] = life;
  return life;
};
