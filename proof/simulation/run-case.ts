import { createLife } from './create-life.ts';
import { createWorld } from './create-world.ts';
import { createFaultPlan, type EnumeratedFault, type FaultPlan } from './enumerated-fault.ts';
import { judge } from './judge.ts';
import type { Lockstep } from './lockstep.ts';
import type { ProviderScript } from './provider-script.ts';
import { createRandom } from './random.ts';
import { recover } from './recover.ts';
import { sendRequest, type RequestInput } from './send-request.ts';
import { createSimulatedStore } from './store.ts';
import type { Subject } from './subject.ts';
import { report, type Breach } from './stage.ts';
import { projectIds, type World, type WorldSetup } from './world.ts';

/** What the client does beside its first request. */
export const clientKinds = [
  'retries with its identity elsewhere',
  'retries with its identity at the same process',
  'retries without an identity',
  'never retries',
  'sends twice at once, to two processes',
  'sends twice at once, to one process',
] as const;

export interface CaseInput {
  readonly setup: WorldSetup;
  readonly script: ProviderScript;
  readonly client: (typeof clientKinds)[number];
  readonly faults: readonly EnumeratedFault[];
  readonly subject: Subject;
  readonly lockstep: Lockstep;
}

export interface CaseReport {
  readonly awaits: number;
  readonly breaches: readonly Breach[];
}

const shortMs = 60_000;

/** Lets everything go on in its order; pauses pass, time-outs do not, and providers answer unless their process dies. */
const settle = async (world: World, lockstep: Lockstep, plan: FaultPlan): Promise<void> => {
  for (;;) {
    await lockstep.tick();
    const task = world.scheduler.tasks.find((waiting) => waiting.kind !== 'late');
    if (task === undefined) return;
    world.scheduler.remove(task);
    if (!task.life.alive) continue;
    if (task.kind === 'timer') {
      if (task.dueAtMs > world.clock.nowMs + shortMs) continue;
      world.clock.nowMs = Math.max(world.clock.nowMs, task.dueAtMs);
    }
    if (task.kind === 'provider' && plan.killsProvider(task.life)) continue;
    if (task.kind !== 'call') task.fire();
  }
};

const liveLife = (world: World, at: number, plan: FaultPlan) => {
  const life = world.lives[at];
  return life?.alive === true ? life : createLife(world, at, plan.faultsFor);
};

const live = async (world: World, { client, lockstep }: CaseInput, plan: FaultPlan): Promise<void> => {
  const withIdentity: RequestInput = { projectId: projectIds[0], identity: 'identity', body: 'first' };
  const input = client === 'retries without an identity' ? { ...withIdentity, identity: null } : withIdentity;
  void sendRequest(world, liveLife(world, 0, plan), input);
  if (client === 'sends twice at once, to two processes') void sendRequest(world, liveLife(world, 1, plan), input);
  if (client === 'sends twice at once, to one process') void sendRequest(world, liveLife(world, 0, plan), input);
  await settle(world, lockstep, plan);
  plan.comeBack();
  if (!client.startsWith('retries')) return;
  const elsewhere = client === 'retries with its identity elsewhere';
  void sendRequest(world, liveLife(world, elsewhere ? 1 : 0, plan), input);
  await settle(world, lockstep, plan);
};

/** Lives one life of a chat operation in which exactly the listed awaits go wrong, and judges it. */
export const runCase = async (input: CaseInput): Promise<CaseReport> => {
  const world = await createWorld({
    setup: input.setup,
    random: createRandom(1),
    subject: input.subject,
    openStorage: createSimulatedStore,
    nextScript: () => input.script,
  });
  const plan = createFaultPlan(world, input.faults);
  try {
    await live(world, input, plan);
    liveLife(world, 0, plan);
    await recover(world, input.lockstep);
    await judge(world, true);
  } catch (cause) {
    report(world, 'jobs_do_not_throw', String(cause));
  }
  return { awaits: plan.awaits(), breaches: world.breaches };
};
