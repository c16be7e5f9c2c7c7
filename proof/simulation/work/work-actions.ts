import { depositStep } from '../../../packages/engine/src/decisions/deposit.ts';
import { inBackground } from '../in-background.ts';
import { drawFault, faultsOf } from '../inject-faults.ts';
import { dropTasksOf, type Task } from '../scheduler.ts';
import { accountId, projectIds } from '../world.ts';
import { order } from './client-orders.ts';
import { createWorkLife } from './work-life.ts';
import { someOf, type WorkLife, type WorkWorld } from './work-world.ts';
import { commitOnce } from '../../../packages/engine/src/operations/persist.ts';

/** Ends a process in the middle of whatever it does, and starts another in its place. */
export const killAndRestart = (world: WorkWorld, at: number): void => {
  const dead = world.lives[at];
  if (dead !== undefined) {
    dead.alive = false;
    dropTasksOf(world.scheduler, dead, world.random);
    if (world.focus === dead) world.focus = null;
  }
  createWorkLife(world, at, (life) => faultsOf(world, life));
};

/** Mostly the process that runs now. */
const drawLife = (world: WorkWorld): WorkLife => {
  const { focus, lives, random } = world;
  const life = focus !== null && !random.oneIn(6) ? focus : someOf(random, lives);
  if (life === undefined) throw new Error('a world has lives');
  return life;
};

export const place = (world: WorkWorld): void => {
  const { random } = world;
  const kind = random.oneIn(2) ? 'video' : 'batch';
  const identity = random.oneIn(3) ? `identity-${random.below(3)}` : null;
  void inBackground(order(world, drawLife(world), { kind, identity, items: 1 + random.below(4) }));
};

const cancel = (world: WorkWorld): void => {
  const batch = someOf(
    world.random,
    world.orders.filter(({ kind }) => kind === 'batch'),
  );
  if (batch === undefined) return;
  const { engine } = drawLife(world);
  void inBackground(world.subject.cancelResource(engine, projectIds[0], 'batch', batch.id));
};

const remove = (world: WorkWorld): void => {
  const ordered = someOf(world.random, world.orders);
  if (ordered === undefined) return;
  void inBackground(world.subject.deleteResource(drawLife(world).engine, projectIds[0], ordered));
};

const depositAmounts = [3n, 30n, 400n] as const;

const pay = async (world: WorkWorld, reference: string, amountMicros: bigint): Promise<void> => {
  const command = { accountId, kind: 'deposit', amountMicros, reference, operationId: null } as const;
  await commitOnce(world, depositStep(command));
};

/** It is charged; that this is done once is proved elsewhere. */
export const deposit = async (world: WorkWorld, amountMicros: bigint): Promise<void> => {
  const reference = `deposit-${world.deposits.size}`;
  world.deposits.set(reference, { amountMicros, acknowledged: true });
  if (world.ledger === null) await pay(world, reference, amountMicros);
  else world.ledger.deposit(accountId, amountMicros);
};

const runJob = (world: WorkWorld, life: WorkLife): void => {
  const { subject, random } = world;
  const roll = random.below(8);
  if (roll < 4) void inBackground(subject.sweep(life.engine, life.parts));
  else if (roll < 7) void inBackground(subject.renewLeases(life.engine, life.parts.workers));
  else void inBackground(subject.releaseUnconfirmed(life.engine));
};

/** Ends a process as a host that updates it does: nothing more is begun, what runs is let go of, and what is left is marked uncertain. */
const drain = async (world: WorkWorld, at: number): Promise<void> => {
  const life = world.lives[at];
  if (life === undefined) return;
  const { engine, parts } = life;
  parts.workers.drain();
  await engine.clock.sleep(1_000);
  await parts.workers.stop();
  await world.subject.markRunningUncertain(engine);
  if (world.lives[at] === life && !world.over) killAndRestart(world, at);
};

const steps = [500, 2_500, 5_000, 10_000, 31_000, 31_000] as const;

const passTime = (world: WorkWorld): void => {
  world.clock.nowMs += world.random.pick(steps);
};

/** A time-out further away than this is rarely waited for. */
const longTimerMs = 60_000;

const isFocused = (world: WorkWorld, task: Task): boolean =>
  world.focus === null || task.kind === 'late' || task.life === world.focus;

const fire = (world: WorkWorld, task: Task): void => {
  const { scheduler, random, clock } = world;
  if (task.kind === 'timer') {
    if (task.dueAtMs > clock.nowMs + longTimerMs && !random.oneIn(20)) return;
    clock.nowMs = Math.max(clock.nowMs, task.dueAtMs);
  }
  scheduler.remove(task);
  world.stalled.delete(task);
  if (task.kind === 'call') task.fire(drawFault(world, task.life, task.call));
  else task.fire();
};

/** One in so many waits stalls, and goes on much later. */
const stallsOneIn = 12;

/** Lets one of the things go on that wait; now and then it stalls instead. False where there was none. */
const fireSome = (world: WorkWorld): boolean => {
  const { scheduler, random, stalled } = world;
  const ready = scheduler.tasks.filter((task) => !stalled.has(task) && isFocused(world, task));
  const task = someOf(random, ready);
  if (task === undefined) return false;
  if (task.kind !== 'timer' && random.oneIn(stallsOneIn)) stalled.add(task);
  else fire(world, task);
  return true;
};

const burstMax = 16;

/** One process gets far, while the others stand still. */
const startBurst = (world: WorkWorld): void => {
  world.focus = someOf(world.random, world.lives) ?? null;
  if (world.focus === null) return;
  world.burst = burstMax;
  void inBackground(world.subject.sweep(world.focus.engine, world.focus.parts));
};

/** After it some time passes, in which leases run out or not, and its leases are renewed. */
const goOn = (world: WorkWorld): void => {
  world.burst -= 1;
  const isThrough = !fireSome(world) && world.burst < burstMax - 2;
  if (isThrough || world.focus?.alive !== true) world.burst = 0;
  if (world.burst > 0) return;
  if (world.random.oneIn(2)) passTime(world);
  const { focus, subject } = world;
  if (focus !== null && world.random.oneIn(2))
    void inBackground(subject.renewLeases(focus.engine, focus.parts.workers));
};

const release = (world: WorkWorld): void => {
  const task = someOf(
    world.random,
    [...world.stalled].filter((each) => world.scheduler.tasks.includes(each)),
  );
  if (task !== undefined) fire(world, task);
};

/** One step of a storm: something happens, or something that waits goes on. */
export const act = (world: WorkWorld): void => {
  const { random, lives } = world;
  world.counters.steps += 1;
  if (world.burst > 0) {
    goOn(world);
    return;
  }
  const roll = random.below(100);
  if (roll < 40) fireSome(world);
  else if (roll < 58) startBurst(world);
  else if (roll < 76) runJob(world, drawLife(world));
  else if (roll < 83) passTime(world);
  else if (roll < 87) place(world);
  else if (roll < 90) world.focus = random.oneIn(3) ? null : (someOf(random, lives) ?? null);
  else if (roll < 92) release(world);
  else if (roll < 94) killAndRestart(world, random.below(lives.length));
  else if (roll < 96) cancel(world);
  else if (roll < 98) remove(world);
  else if (roll < 99) void inBackground(drain(world, random.below(lives.length)));
  else void deposit(world, random.pick(depositAmounts));
};
