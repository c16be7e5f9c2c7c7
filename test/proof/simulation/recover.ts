import { createLife } from './create-life.ts';
import type { Life } from './life.ts';
import type { Lockstep } from './lockstep.ts';
import { dropTasksOf } from './scheduler.ts';
import { accountId, report, type World } from './world.ts';

/** More waits than any history leaves; beyond it something goes round in circles. */
const firedMax = 2_000;

const faultless = () => ({ before: () => ({ kind: 'none' }) as const });

/** Answers everything that still waits, in the order of its age, until nothing waits. */
const drain = async (world: World, lockstep: Lockstep): Promise<void> => {
  for (let fired = 0; world.scheduler.tasks.length > 0; fired += 1) {
    if (fired > firedMax) {
      report(world, 'everything_comes_to_rest', `${world.scheduler.tasks.length} still wait`);
      return;
    }
    const task = world.scheduler.take(0);
    if (task?.kind === 'timer' && task.dueAtMs > world.clock.nowMs) world.clock.nowMs = task.dueAtMs;
    if (task?.kind === 'call') task.fire({ kind: 'none' });
    else task?.fire();
    await lockstep.tick();
  }
};

const killLife = (world: World, life: Life): void => {
  life.alive = false;
  dropTasksOf(world.scheduler, life, world.random);
};

/** Time-outs that nobody waits for any more: a provider at work is answered instead. */
const dropLongTimers = (world: World): void => {
  const { scheduler, clock } = world;
  for (const task of scheduler.tasks.filter((waiting) => waiting.kind === 'timer'))
    if (task.dueAtMs > clock.nowMs + 60_000) scheduler.remove(task);
};

const firstLife = (world: World): Life => {
  const life = world.lives[0];
  if (life === undefined) throw new Error('a world has lives');
  return life;
};

const passLease = async (world: World): Promise<void> => {
  const { engine } = firstLife(world);
  world.clock.nowMs += engine.limits.leaseMs + 1;
  for (const life of world.lives) await world.subject.renewLeases(life.engine);
  await world.subject.sweep(engine);
};

const ampleMicros = 10_000n;

/** Pays what is owed: whatever waited for balance must be settled then. */
const topUp = async (world: World): Promise<void> => {
  const { engine } = firstLife(world);
  if (world.ledger === null) {
    world.deposits.set('ample', { amountMicros: ampleMicros, acknowledged: true });
    await world.subject.deposit(engine, { accountId, amountMicros: ampleMicros, reference: 'ample' });
  } else {
    world.ledger.deposit(accountId, ampleMicros);
    world.clock.nowMs += engine.limits.settlementRetryMs;
    await world.subject.sweep(engine);
  }
  for (const { id, pendingMicros } of world.operations.values())
    if (pendingMicros !== null) report(world, 'covered_is_settled', `${id} still waits for ${pendingMicros}`);
};

/** Ends all faults, lets everybody finish or die, and lets two leases pass with their jobs. */
export const recover = async (world: World, lockstep: Lockstep): Promise<void> => {
  const everybodyDies = world.setup.weather === 'storm' && world.random.oneIn(2);
  world.over = true;
  for (const life of world.lives) if (everybodyDies || life.hung) killLife(world, life);
  dropLongTimers(world);
  await drain(world, lockstep);
  await lockstep.rest();
  for (const [at, life] of world.lives.entries()) if (!life.alive) createLife(world, at, faultless);
  for (const life of world.lives) await world.subject.releaseUnconfirmed(life.engine);
  await passLease(world);
  await passLease(world);
  if (world.random.oneIn(4)) await topUp(world);
};
