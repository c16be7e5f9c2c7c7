import type { Verdict } from '@tollgate/engine';
import { createLife } from './create-life.ts';
import { inBackground } from './in-background.ts';
import { report } from './stage.ts';
import { accountId, projectIds, type World } from './world.ts';
import { drawFault, faultsOf } from './inject-faults.ts';
import type { Life } from './life.ts';
import { dropTasksOf } from './scheduler.ts';
import { sendRequest, type RequestInput } from './send-request.ts';
import { truthOf } from './truth.ts';

/** Ends a process in the middle of whatever it does, and starts another in its place. */
export const killAndRestart = (world: World, at: number): void => {
  const dead = world.lives[at];
  if (dead !== undefined) {
    dead.alive = false;
    dropTasksOf(world.scheduler, dead, world.random);
  }
  createLife(world, at, (life) => faultsOf(world, life));
};

/** What a client asks: few identities and two bodies, so that repeats and conflicts are common. */
const drawRequest = (world: World): RequestInput => ({
  projectId: world.random.oneIn(8) ? projectIds[1] : projectIds[0],
  identity: world.random.oneIn(4) ? null : `identity-${world.random.below(3)}`,
  body: world.random.oneIn(5) ? 'second' : 'first',
  leaves: world.random.oneIn(20),
});

const drawLife = (world: World): Life => {
  const life = world.lives[world.random.below(world.lives.length)];
  if (life === undefined) throw new Error('a world has lives');
  return life;
};

export const send = (world: World): void => {
  const input = drawRequest(world);
  void sendRequest(world, drawLife(world), input);
  // The same from two processes in the same instant.
  if (world.random.oneIn(4)) void sendRequest(world, drawLife(world), input);
};

export const leave = (world: World): void => {
  const request = world.requests[world.random.below(world.requests.length)];
  if (request !== undefined) request.left = true;
};

const depositAmounts = [3n, 10n, 30n, 400n] as const;

const makeDeposit = async (world: World, life: Life, reference: string, amountMicros: bigint): Promise<void> => {
  const issued = world.deposits.get(reference) ?? { amountMicros, acknowledged: false };
  world.deposits.set(reference, issued);
  const answer = await world.subject.deposit(life.engine, {
    accountId,
    reference,
    amountMicros: issued.amountMicros,
  });
  if (answer.kind === 'done' || answer.kind === 'repeated') issued.acknowledged = true;
  else report(world, 'deposits_once', `${reference} was answered ${answer.kind}`);
};

export const deposit = (world: World): void => {
  const amountMicros = world.random.pick(depositAmounts);
  if (world.ledger !== null) {
    world.ledger.deposit(accountId, amountMicros);
    world.deposits.set(`host-${world.deposits.size}`, { amountMicros, acknowledged: true });
    return;
  }
  void inBackground(makeDeposit(world, drawLife(world), `deposit-${world.random.below(4)}`, amountMicros));
};

/** Half of the charges are said as an amount and half as the usage of a bill: a token costs a micro-credit. */
const chargeOf = (micros: bigint): Verdict =>
  micros % 2n === 0n
    ? { executed: true, amountMicros: micros }
    : { executed: true, usage: [{ unit: 'input_text_tokens', quantity: Number(micros) }] };

const resolve = async (world: World): Promise<void> => {
  const uncertain = [...world.operations.values()].filter((operation) => operation.state === 'uncertain');
  const operation = uncertain[world.random.below(uncertain.length)];
  if (operation === undefined) return;
  const truth = truthOf(world, operation.id);
  if (truth === 'open') return;
  const verdict = truth === 'not_executed' ? ({ executed: false } as const) : chargeOf(truth);
  world.verdicts.set(operation.id, truth);
  await world.subject.resolveOperation(drawLife(world).engine, operation.id, verdict);
};

export const find = async (world: World): Promise<void> => {
  const operations = [...world.operations.values()];
  const operation = operations[world.random.below(operations.length)];
  if (operation === undefined) return;
  const { subject } = world;
  const found = await subject.findRequest(drawLife(world).engine, operation.projectId, operation.id);
  if (found !== null && found.body !== null && found.operation.state !== 'completed')
    report(world, 'answer_only_when_completed', operation.id);
  if ((await subject.findRequest(drawLife(world).engine, 'another-project', operation.id)) !== null)
    report(world, 'operations_are_isolated', operation.id);
};

const steps = [500, 5_000, 10_000, 31_000, 61_000] as const;

const passTime = (world: World): void => {
  world.clock.nowMs += world.random.pick(steps);
};

/** A time-out further away than this is rarely waited for. */
const longTimerMs = 60_000;

/** Fires one of the things that wait; now and then all calls of a process at once, with one fate. */
const fireSome = (world: World): void => {
  const { scheduler, random } = world;
  const at = random.below(scheduler.tasks.length);
  const task = scheduler.tasks[at];
  if (task === undefined) return;
  if (task.kind === 'timer') {
    if (task.dueAtMs > world.clock.nowMs + longTimerMs && !random.oneIn(10)) return;
    world.clock.nowMs = Math.max(world.clock.nowMs, task.dueAtMs);
  }
  scheduler.take(at);
  if (task.kind !== 'call') {
    task.fire();
    return;
  }
  const { life } = task;
  const fault = drawFault(world, life, task.call);
  task.fire(fault);
  if (!random.oneIn(6)) return;
  for (const other of scheduler.tasks.filter((waiting) => waiting.kind === 'call' && waiting.life === life)) {
    scheduler.remove(other);
    if (other.kind === 'call') other.fire(fault.kind === 'late' ? { kind: 'unconfirmed' } : fault);
  }
};

const runJob = (world: World): void => {
  const { engine } = drawLife(world);
  const { subject, random } = world;
  const roll = random.below(8);
  if (roll < 4) void inBackground(subject.sweep(engine));
  else if (roll < 6) void inBackground(subject.renewLeases(engine));
  else if (roll < 7) void inBackground(subject.releaseUnconfirmed(engine));
  else void inBackground(subject.markRunningUncertain(engine));
};

/** One step of a storm: something happens, or something that waits goes on. */
export const act = (world: World): void => {
  const { random, scheduler } = world;
  world.counters.steps += 1;
  const roll = random.below(100);
  if (roll < 62 && scheduler.tasks.length > 0) fireSome(world);
  else if (roll < 76) send(world);
  else if (roll < 80) deposit(world);
  else if (roll < 87) runJob(world);
  else if (roll < 91) killAndRestart(world, random.below(world.lives.length));
  else if (roll < 95) passTime(world);
  else if (roll < 97) void inBackground(resolve(world));
  else if (roll < 98) leave(world);
  else void inBackground(find(world));
};
