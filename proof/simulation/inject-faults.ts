import type { Fault, FaultedCall, Faults } from '@tollgate/testing/fakes';
import type { Life } from './life.ts';
import type { Stage } from './stage.ts';

const opens = (call: FaultedCall): boolean => call.keys.some((key) => key.table === 'apiKey');

const late = (stage: Stage): Fault => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stage.scheduler.add({ kind: 'late', fire: resolve });
  return { kind: 'late', when: promise };
};

const hang = (life: Life, kind: 'unanswered' | 'lost'): Fault => {
  life.hung = true;
  return { kind };
};

/** What befalls a call that a live process makes, drawn with the chances of the stage. */
export const drawFault = (stage: Stage, life: Life, call: FaultedCall): Fault => {
  if (stage.over || stage.random.below(100) >= stage.setup.faultPercent) return { kind: 'none' };
  stage.counters.faults += 1;
  const roll = stage.random.below(20);
  if (roll < 6) return { kind: 'refused' };
  if (roll < 14) return { kind: 'unconfirmed' };
  if (roll < 16) return call.target === 'storage' ? { kind: 'busy' } : { kind: 'refused' };
  // An opening is never late while its process lives: a store holds its locks until it is decided.
  if (roll < 18) return opens(call) ? { kind: 'unconfirmed' } : late(stage);
  return hang(life, roll === 18 ? 'unanswered' : 'lost');
};

/** One answer in so many travels for a while. */
const slowAnswers = 4;

/** Puts every call of a life before the scheduler. */
export const faultsOf = (stage: Stage, life: Life): Faults => ({
  before: (call) =>
    stage.over ? { kind: 'none' } : new Promise((fire) => stage.scheduler.add({ kind: 'call', life, call, fire })),
  after: () =>
    stage.over || !stage.random.oneIn(slowAnswers)
      ? undefined
      : new Promise((fire) => stage.scheduler.add({ kind: 'answer', life, fire })),
});
