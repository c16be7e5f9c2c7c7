import type { Storage } from '@tollgate/storage';
import { createMemoryLedger } from '@tollgate/testing/fakes';
import { firstDeposit, furnish } from '../furnish.ts';
import type { Lockstep } from '../lockstep.ts';
import { createRandom, type Random } from '../random.ts';
import type { SeedReport } from '../run-seeds.ts';
import { createScheduler } from '../scheduler.ts';
import { report } from '../stage.ts';
import { accountId } from '../world.ts';
import { judgeWork } from './judge-work.ts';
import { recoverWork } from './recover-work.ts';
import { createUpstream } from './upstream.ts';
import { drawUpstreamScript } from './upstream-script.ts';
import { act, killAndRestart, place } from './work-actions.ts';
import type { WorkSubject } from './work-subject.ts';
import { plainOutfit, type Outfit, type WorkSetup, type WorkWorld } from './work-world.ts';

const startMs = 1_000_000;
const instances = 3;
const stepsMin = 60;
const stepsMore = 121;

const wallets = [20n, 40n, 60n, 500n, 5_000n] as const;
const intensities = [0, 0, 3, 10, 25] as const;

export const drawSetup = (random: Random): WorkSetup => ({
  ledger: random.below(5) === 0 ? 'host' : 'wallet',
  batches: random.oneIn(3) ? 'upstream' : 'items',
  overrun: random.oneIn(8) ? 'absorb' : 'pending',
  initialMicros: random.pick(wallets),
  faultPercent: random.pick(intensities),
});

export interface WorkWorldParts {
  readonly setup: WorkSetup;
  readonly random: Random;
  readonly subject: WorkSubject;
  readonly openStorage: (now: () => number) => Storage | Promise<Storage>;
  readonly nextScript?: WorkWorld['nextScript'];
  readonly outfit?: Outfit;
}

/** A world with one account, and no request yet. */
export const createWorkWorld = async (parts: WorkWorldParts): Promise<WorkWorld> => {
  const { setup, random, subject, openStorage } = parts;
  const clock = { nowMs: startMs };
  const storage = await openStorage(() => clock.nowMs);
  const ledger = setup.ledger === 'host' ? createMemoryLedger() : null;
  await furnish(storage, ledger === null ? setup.initialMicros : 0n);
  ledger?.deposit(accountId, setup.initialMicros);
  return {
    setup,
    random,
    subject,
    outfit: parts.outfit ?? plainOutfit,
    scheduler: createScheduler(),
    clock,
    storage,
    ledger,
    lives: [],
    counters: { ids: 0, lives: 0, faults: 0, steps: 0 },
    upstream: createUpstream(),
    nextScript: parts.nextScript ?? ((of) => drawUpstreamScript(random, of)),
    stalled: new Set(),
    focus: null,
    burst: 0,
    orders: [],
    deposits: new Map([[firstDeposit, { amountMicros: setup.initialMicros, acknowledged: true }]]),
    operations: new Map(),
    resources: new Map(),
    registeredBy: new Map(),
    marks: new Map(),
    markedBy: new Map(),
    toldLate: new Set(),
    claims: new Map(),
    breaches: [],
    over: false,
  };
};

export interface WorkHistoryInput {
  readonly seed: number;
  readonly subject: WorkSubject;
  readonly lockstep: Lockstep;
  readonly openStorage: WorkWorldParts['openStorage'];
  readonly setup?: Partial<WorkSetup>;
}

export interface WorkHistoryReport extends SeedReport {
  readonly setup: WorkSetup;
}

const live = async (world: WorkWorld, lockstep: Lockstep): Promise<void> => {
  for (let at = 0; at < instances; at += 1) killAndRestart(world, at);
  const steps = stepsMin + world.random.below(stepsMore);
  place(world);
  for (let step = 0; step < steps; step += 1) {
    act(world);
    await lockstep.tick();
  }
};

/** Lives one history of deferred work and judges it. The same seed lives the same history. */
export const runWorkHistory = async (input: WorkHistoryInput): Promise<WorkHistoryReport> => {
  const random = createRandom(input.seed);
  const setup = { ...drawSetup(random), ...input.setup };
  const { subject, openStorage } = input;
  const world = await createWorkWorld({ setup, random, subject, openStorage });
  try {
    await live(world, input.lockstep);
    await recoverWork(world, input.lockstep);
    await judgeWork(world);
  } catch (cause) {
    report(world, 'jobs_do_not_throw', cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
  await world.storage.close();
  const { steps, faults } = world.counters;
  const executions = world.upstream.handOvers.length;
  return { seed: input.seed, setup, steps, faults, executions, breaches: world.breaches };
};
