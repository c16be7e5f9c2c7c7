import { deposit, find, leave, send } from './actions.ts';
import { inBackground } from './in-background.ts';
import type { Lockstep } from './lockstep.ts';
import { report } from './stage.ts';
import type { World } from './world.ts';

/** More calls than one step of a calm makes. */
const answeredMax = 500;

/** Responds to every call in its order; providers go on working, and time stands still. */
const answerCalls = async (world: World, lockstep: Lockstep): Promise<void> => {
  const { scheduler } = world;
  for (let answered = 0; ; answered += 1) {
    await lockstep.tick();
    const at = scheduler.tasks.findIndex((task) => task.kind === 'call' || task.kind === 'answer');
    if (at < 0) return;
    if (answered > answeredMax) {
      report(world, 'everything_comes_to_rest', 'calls without end');
      return;
    }
    const task = scheduler.take(at);
    if (task?.kind === 'call') task.fire({ kind: 'none' });
    else task?.fire();
  }
};

const fireProvider = (world: World): void => {
  const { scheduler, random } = world;
  const working = scheduler.tasks.filter((task) => task.kind === 'provider');
  const task = working[random.below(working.length)];
  if (task === undefined) return;
  scheduler.remove(task);
  task.fire();
};

/** Short against a lease and what is left of it after a renewal. */
const steps = [500, 2_000, 4_000] as const;

interface Jobs {
  renewedAtMs: number;
  sweptAtMs: number;
}

const passTime = (world: World, jobs: Jobs): void => {
  const { clock, subject, random, lives } = world;
  clock.nowMs += random.pick(steps);
  for (const { engine } of lives) {
    if (clock.nowMs - jobs.renewedAtMs >= engine.limits.renewMs) void inBackground(subject.renewLeases(engine));
    if (clock.nowMs - jobs.sweptAtMs >= engine.limits.sweepMs) void inBackground(subject.sweep(engine));
  }
  const [life] = lives;
  if (life === undefined) return;
  if (clock.nowMs - jobs.renewedAtMs >= life.engine.limits.renewMs) jobs.renewedAtMs = clock.nowMs;
  if (clock.nowMs - jobs.sweptAtMs >= life.engine.limits.sweepMs) jobs.sweptAtMs = clock.nowMs;
};

const act = (world: World, jobs: Jobs): void => {
  world.counters.steps += 1;
  const roll = world.random.below(100);
  if (roll < 30) send(world);
  else if (roll < 45) fireProvider(world);
  else if (roll < 85) passTime(world, jobs);
  else if (roll < 92) deposit(world);
  else if (roll < 95) leave(world);
  else void inBackground(find(world));
};

/** A time in which everything works, but providers may take long. */
export const passCalm = async (world: World, lockstep: Lockstep, stepCount: number): Promise<void> => {
  const jobs: Jobs = { renewedAtMs: world.clock.nowMs, sweptAtMs: world.clock.nowMs };
  for (let step = 0; step < stepCount; step += 1) {
    act(world, jobs);
    await answerCalls(world, lockstep);
  }
};
