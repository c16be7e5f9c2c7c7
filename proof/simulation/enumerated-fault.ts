import type { Fault, Faults } from '@tollgate/testing/fakes';
import type { Life } from './life.ts';
import type { World } from './world.ts';

/** What can befall one await: the call's, or the provider's. */
export const faultKinds = ['refused', 'unconfirmed', 'late', 'killed_before', 'killed_after', 'down'] as const;

export interface EnumeratedFault {
  /** The number of the await, counted from 0 over the whole case. */
  readonly at: number;
  readonly kind: (typeof faultKinds)[number];
}

/** Counts awaits and lets the listed ones go wrong. */
export interface FaultPlan {
  readonly faultsFor: (life: Life) => Faults;
  /** Whether the provider's turn ends with the death of the process. */
  readonly killsProvider: (life: Life) => boolean;
  /** How many awaits there were. */
  readonly awaits: () => number;
  /** The client has given up the first try: what is down comes back. */
  readonly comeBack: () => void;
}

const kill = (life: Life, kind: 'unanswered' | 'lost'): Fault => {
  life.alive = false;
  return { kind };
};

export const createFaultPlan = (world: World, faults: readonly EnumeratedFault[]): FaultPlan => {
  let awaits = 0;
  let down = false;
  const next = (): EnumeratedFault | undefined => {
    const fault = faults.find(({ at }) => at === awaits);
    awaits += 1;
    return fault;
  };
  const late = (): Fault => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.scheduler.add({ kind: 'late', fire: resolve });
    return { kind: 'late', when: promise };
  };
  const faultOf = (life: Life, opens: boolean): Fault => {
    if (!life.alive) return { kind: 'lost' };
    const fault = next();
    if (fault?.kind === 'down') down = true;
    if (down) return { kind: 'refused' };
    switch (fault?.kind) {
      case 'killed_before':
        return kill(life, 'lost');
      case 'killed_after':
        return kill(life, 'unanswered');
      case 'late':
        return opens ? { kind: 'unconfirmed' } : late();
      case 'refused':
      case 'unconfirmed':
        return { kind: fault.kind };
      case 'down':
      case undefined:
        return { kind: 'none' };
    }
  };
  return {
    faultsFor: (life) => ({
      before: (call) =>
        world.over
          ? { kind: 'none' }
          : faultOf(
              life,
              call.keys.some((key) => key.table === 'apiKey'),
            ),
    }),
    killsProvider: (life) => {
      const fault = next();
      const dies = fault?.kind === 'killed_before' || fault?.kind === 'killed_after';
      if (dies) life.alive = false;
      return dies;
    },
    awaits: () => awaits,
    comeBack: () => {
      down = false;
    },
  };
};
