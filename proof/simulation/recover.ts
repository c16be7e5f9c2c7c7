import { createLife } from './create-life.ts';
import { drainTasks, dropLongTimers } from './drain-tasks.ts';
import type { Life } from './life.ts';
import type { Lockstep } from './lockstep.ts';
import { dropTasksOf } from './scheduler.ts';
import { report } from './stage.ts';
import { accountId, type World } from './world.ts';

const faultless = () => ({ before: () => ({ kind: 'none' }) as const });

const killLife = (world: World, life: Life): void => {
  life.alive = false;
  dropTasksOf(world.scheduler, life, world.random);
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
  await drainTasks(world, lockstep);
  await lockstep.rest();
  for (const [at, life] of world.lives.entries()) if (!life.alive) createLife(world, at, faultless);
  for (const life of world.lives) await world.subject.releaseUnconfirmed(life.engine);
  await passLease(world);
  await passLease(world);
  if (world.random.oneIn(4)) await topUp(world);
};
