import type { Faults } from '@tollgate/testing/fakes';
import { inBackground } from '../in-background.ts';
import type { Life } from '../life.ts';
import type { Lockstep } from '../lockstep.ts';
import { createRandom } from '../random.ts';
import { dropTasksOf } from '../scheduler.ts';
import { report, type Breach } from '../stage.ts';
import { createSimulatedStore } from '../store.ts';
import { order } from './client-orders.ts';
import { judgeWork } from './judge-work.ts';
import { recoverWork } from './recover-work.ts';
import type { UpstreamScript } from './upstream-script.ts';
import { createWorkWorld } from './work-history.ts';
import { createWorkLife } from './work-life.ts';
import type { WorkSubject } from './work-subject.ts';
import type { WorkLife, WorkSetup, WorkWorld } from './work-world.ts';

/** What befalls one await of the first worker: it stalls before or after it takes effect, or the worker dies there. */
export const stallKinds = ['stalls_before', 'stalls_after', 'dies_before', 'dies_after'] as const;

/** One case: where the first worker comes to a halt, and what happens until it goes on. */
export interface StallCase {
  readonly kind: 'video' | 'batch';
  readonly batches: WorkSetup['batches'];
  readonly script: UpstreamScript;
  readonly ledger: WorkSetup['ledger'];
  /** The number of the await, counted from 0. */
  readonly at: number;
  readonly halt: (typeof stallKinds)[number];
  /** How many looks the second worker takes before the first one's jobs run again. */
  readonly looks: number;
  /** Whether the second worker looks once more before the first one goes on. */
  readonly polls: boolean;
}

export interface StallReport {
  /** Whether the first worker ever came to that await. */
  readonly reached: boolean;
  readonly handOvers: number;
  readonly breaches: readonly Breach[];
}

interface Halt {
  readonly faultsFor: (life: Life) => Faults;
  readonly isReached: () => boolean;
  /** Whether the answer of the upstream to this worker stalls: one of its awaits. */
  readonly stallsUpstream: () => boolean;
  readonly release: () => void;
}

const createHalt = ({ at, halt }: StallCase): Halt => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let awaits = 0;
  let isOver = false;
  const isHere = (): boolean => {
    if (isOver) return false;
    awaits += 1;
    return awaits === at + 1;
  };
  const release = (): void => {
    isOver = true;
    resolve();
  };
  const stalled = async () => {
    await promise;
    return { kind: 'none' } as const;
  };
  const faultsFor = (life: Life): Faults => {
    let isSlow = false;
    return {
      before: () => {
        if (!life.alive) return { kind: 'lost' };
        isSlow = false;
        if (!isHere()) return { kind: 'none' };
        if (halt === 'stalls_before') return stalled();
        isSlow = halt === 'stalls_after';
        if (isSlow) return { kind: 'none' };
        life.alive = false;
        return { kind: halt === 'dies_before' ? 'lost' : 'unanswered' };
      },
      after: () => {
        if (!isSlow) return undefined;
        isSlow = false;
        return promise;
      },
    };
  };
  return { faultsFor, isReached: () => awaits > at, stallsUpstream: isHere, release };
};

const faultless = (): Faults => ({ before: () => ({ kind: 'none' }) });

interface Scene {
  readonly world: WorkWorld;
  readonly lockstep: Lockstep;
  readonly halt: Halt;
  readonly first: WorkLife;
  readonly second: WorkLife;
  readonly held: Set<unknown>;
}

/** Lets everything go on that does not stall; the upstream answers at once. */
const settle = async ({ world, lockstep, halt, first, held }: Scene): Promise<void> => {
  for (;;) {
    await lockstep.tick();
    const task = world.scheduler.tasks.find((waiting) => waiting.kind === 'provider' && !held.has(waiting));
    if (task?.kind !== 'provider') return;
    if (task.life === first && halt.stallsUpstream()) held.add(task);
    else {
      world.scheduler.remove(task);
      task.fire();
    }
  }
};

const look = async (scene: Scene, life: WorkLife): Promise<void> => {
  void inBackground(scene.world.subject.sweep(life.engine, life.parts));
  await settle(scene);
};

/** Longer than the pause between two questions, shorter than a lease. */
const pauseMs = 3_000;
const looksMax = 8;

const liveCase = async (scene: Scene, { looks, polls }: StallCase): Promise<void> => {
  const { world, halt, first, second, held } = scene;
  const { clock, subject } = world;
  for (let turn = 0; turn < looksMax && !halt.isReached(); turn += 1) {
    await look(scene, first);
    clock.nowMs += pauseMs;
  }
  clock.nowMs += first.engine.limits.leaseMs + 1;
  for (let turn = 0; turn < looks; turn += 1) {
    await look(scene, second);
    clock.nowMs += pauseMs;
  }
  if (first.alive) {
    await look(scene, first);
    for (const _ of [1, 2]) {
      void inBackground(subject.renewLeases(first.engine, first.parts.workers));
      await settle(scene);
    }
  }
  if (polls) await look(scene, second);
  halt.release();
  held.clear();
  if (!first.alive) dropTasksOf(world.scheduler, first, world.random);
  await settle(scene);
  if (first.alive) await look(scene, first);
};

/** Lives one case and judges it. */
export const runStall = async (subject: WorkSubject, lockstep: Lockstep, stall: StallCase): Promise<StallReport> => {
  const setup: WorkSetup = {
    ledger: stall.ledger,
    batches: stall.batches,
    overrun: 'pending',
    initialMicros: 500n,
    faultPercent: 0,
  };
  const nextScript = () => stall.script;
  const random = createRandom(1);
  const world = await createWorkWorld({ setup, random, subject, openStorage: createSimulatedStore, nextScript });
  const halt = createHalt(stall);
  const first = createWorkLife(world, 0, halt.faultsFor);
  const second = createWorkLife(world, 1, faultless);
  const scene: Scene = { world, lockstep, halt, first, second, held: new Set() };
  try {
    await order(world, second, { kind: stall.kind, identity: null, items: 3 });
    await liveCase(scene, stall);
    const reached = halt.isReached();
    await recoverWork(world, lockstep);
    await judgeWork(world);
    return { reached, handOvers: world.upstream.handOvers.length, breaches: world.breaches };
  } catch (cause) {
    report(world, 'jobs_do_not_throw', String(cause));
    return { reached: true, handOvers: world.upstream.handOvers.length, breaches: world.breaches };
  }
};
