import type { Fault, FaultedCall, Faults } from '@tollgate/testing';
import type { Life } from './life.ts';
import type { World } from './world.ts';

const opens = (call: FaultedCall): boolean => call.keys.some((key) => key.table === 'apiKey');

const late = (world: World): Fault => {
  const { promise, resolve } = Promise.withResolvers<void>();
  world.scheduler.add({ kind: 'late', fire: resolve });
  return { kind: 'late', when: promise };
};

const hang = (life: Life, kind: 'unanswered' | 'lost'): Fault => {
  life.hung = true;
  return { kind };
};

/** What befalls a call that a live process makes, drawn with the chances of the world. */
export const drawFault = (world: World, life: Life, call: FaultedCall): Fault => {
  if (world.over || world.random.below(100) >= world.setup.faultPercent) return { kind: 'none' };
  world.counters.faults += 1;
  const roll = world.random.below(20);
  if (roll < 6) return { kind: 'refused' };
  if (roll < 14) return { kind: 'unconfirmed' };
  if (roll < 16) return call.target === 'storage' ? { kind: 'busy' } : { kind: 'refused' };
  // An opening is never late while its process lives: a store holds its locks until it is decided.
  if (roll < 18) return opens(call) ? { kind: 'unconfirmed' } : late(world);
  return hang(life, roll === 18 ? 'unanswered' : 'lost');
};

/** One answer in so many travels for a while. */
const slowAnswers = 4;

/** Puts every call of a life before the scheduler. */
export const faultsOf = (world: World, life: Life): Faults => ({
  before: (call) =>
    world.over ? { kind: 'none' } : new Promise((fire) => world.scheduler.add({ kind: 'call', life, call, fire })),
  after: () =>
    world.over || !world.random.oneIn(slowAnswers)
      ? undefined
      : new Promise((fire) => world.scheduler.add({ kind: 'answer', life, fire })),
});
