import { createFaultyIdentities, createFaultyLedger, createFaultyStorage, type Faults } from '@tollgate/testing/fakes';
import type { Life } from './life.ts';
import { waits } from './waits.ts';
import { watchSteps } from './watch-steps.ts';
import { tariff, type World } from './world.ts';

/** Small, so that answers lie now here, now there. */
const inlineAnswerBytesMax = 90;
const persistTriesMax = 3;

/** Starts a process. */
export const createLife = (world: World, at: number, faultsFor: (life: Life) => Faults): Life => {
  world.counters.lives += 1;
  const name = `life-${world.counters.lives}`;
  // The engine is made from what it will be part of: each of its calls names the life that makes it.
  const life: { -readonly [K in keyof Life]: Life[K] } = { name, alive: true, hung: false } as Life;
  const faults = faultsFor(life);
  life.engine = world.subject.createEngine({
    storage: createFaultyStorage(watchSteps(world, life, world.storage), faults),
    tariff,
    ...(world.ledger === null ? {} : { ledger: createFaultyLedger(world.ledger, faults) }),
    ...(world.identities === null ? {} : { identities: createFaultyIdentities(world.identities, faults) }),
    overrun: world.setup.overrun,
    limits: { inlineAnswerBytesMax, persistTriesMax },
    owner: name,
    newId: () => {
      world.counters.ids += 1;
      return `id-${world.counters.ids}`;
    },
    monotonicMs: () => world.clock.nowMs,
    ...waits(world, life),
  });
  world.lives[at] = life;
  return life;
};
