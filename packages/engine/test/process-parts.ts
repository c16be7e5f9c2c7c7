import { createHostEventCalls } from '../src/host-events/host-event-calls.ts';
import type { HostHooks } from '../src/host-events/host-hooks.ts';
import type { Engine } from '../src/engine.ts';
import { renewLeases as renewLeasesWith } from '../src/jobs/jobs.ts';
import { sweep as sweepWith, type JobParts, type SweepReport } from '../src/jobs/sweep.ts';
import type { StartScheduledRun } from '../src/triggers/run-triggers.ts';
import { createDeliveries } from '../src/webhooks/deliveries.ts';
import type { WebhookSender } from '../src/webhooks/webhook-sender.ts';
import { resourceKinds } from '../src/workers/resource-kinds.ts';
import type { WorkKind } from '../src/workers/work-kind.ts';
import { createWorkerPool, type WorkerPool } from '../src/workers/worker-pool.ts';

/** What a test gives the process of an engine, before the process does anything. */
interface Given {
  readonly kinds: WorkKind[];
  sender: WebhookSender | null;
  hooks: HostHooks | null;
  startRun: StartScheduledRun | null;
  parts: Pick<JobParts, 'workers' | 'deliveries' | 'hostEvents'> | null;
}

const processes = new WeakMap<Engine, Given>();

const givenTo = (engine: Engine): Given => {
  const given = processes.get(engine) ?? { kinds: [], sender: null, hooks: null, startRun: null, parts: null };
  processes.set(engine, given);
  return given;
};

/** The parts of an engine's process, made at the first use as the assembly of a gateway makes them. */
export const partsOf = (engine: Engine): JobParts => {
  const given = givenTo(engine);
  const { kinds, sender, hooks, startRun } = given;
  given.parts ??= {
    workers: createWorkerPool(engine, resourceKinds(kinds)),
    hostEvents: hooks === null ? null : createHostEventCalls(engine, { hooks, timeoutMs: 1_000 }),
    deliveries: sender === null ? null : createDeliveries(engine, { sender }),
  };
  return { ...given.parts, startScheduledRun: startRun };
};

/** Has the process of an engine work on these kinds, beside those that it was given before. */
export const giveKinds = (engine: Engine, ...kinds: readonly WorkKind[]): void => {
  const given = givenTo(engine);
  if (given.parts !== null) throw new Error('the kinds of a process are given before it works');
  given.kinds.push(...kinds);
};

export const giveSender = (engine: Engine, sender: WebhookSender): void => {
  givenTo(engine).sender = sender;
};

export const giveHooks = (engine: Engine, hooks: HostHooks): void => {
  givenTo(engine).hooks = hooks;
};

export const giveStart = (engine: Engine, startRun: StartScheduledRun): void => {
  givenTo(engine).startRun = startRun;
};

export const workersOf = (engine: Engine): WorkerPool => partsOf(engine).workers;

/** A sweep of the engine's process. */
export const sweep = (engine: Engine): Promise<SweepReport> => sweepWith(engine, partsOf(engine));

export const renewLeases = (engine: Engine): Promise<void> => renewLeasesWith(engine, workersOf(engine));
