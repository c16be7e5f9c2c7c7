import { isEnded } from '@tollgate/contract';
import { drainTasks, dropLongTimers } from '../drain-tasks.ts';
import { inBackground } from '../in-background.ts';
import type { Lockstep } from '../lockstep.ts';
import { dropTasksOf } from '../scheduler.ts';
import { deposit } from './work-actions.ts';
import { createWorkLife } from './work-life.ts';
import type { WorkWorld } from './work-world.ts';

/** Rounds of a lease each until everything must have ended: a video may be begun five times, and asked for with pauses. */
const roundsMax = 40;
const ampleMicros = 10_000n;

const faultless = () => ({ before: () => ({ kind: 'none' }) as const });

const isResting = ({ operations }: WorkWorld): boolean =>
  [...operations.values()].every(({ state }) => isEnded(state) || state === 'uncertain');

const passLease = async (world: WorkWorld): Promise<void> => {
  const { lives, subject, clock } = world;
  for (const { engine, parts } of lives) {
    clock.nowMs += engine.limits.leaseMs + 1;
    await inBackground(subject.releaseUnconfirmed(engine));
    await subject.renewLeases(engine, parts.workers);
    await subject.sweep(engine, parts);
    await parts.workers.idle();
  }
};

/** Ends all faults, lets everybody finish or die, and lets leases pass with their jobs until nothing is left to do. */
export const recoverWork = async (world: WorkWorld, lockstep: Lockstep): Promise<void> => {
  const everybodyDies = world.random.oneIn(2);
  world.over = true;
  world.stalled.clear();
  for (const life of world.lives)
    if (everybodyDies || life.hung || life.parts.workers.isDraining()) {
      life.alive = false;
      dropTasksOf(world.scheduler, life, world.random);
    }
  dropLongTimers(world);
  await drainTasks(world, lockstep);
  await lockstep.rest();
  for (const [at, life] of world.lives.entries()) if (!life.alive) createWorkLife(world, at, faultless);
  for (let round = 0; round < roundsMax && !(round > 2 && isResting(world)); round += 1) await passLease(world);
  if (!world.random.oneIn(3)) return;
  await deposit(world, ampleMicros);
  for (const _ of [1, 2, 3]) await passLease(world);
};
