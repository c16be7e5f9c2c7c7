import { act, killAndRestart } from './actions.ts';
import { passCalm } from './calm.ts';
import { createWorld, type WorldParts } from './create-world.ts';
import { judge } from './judge.ts';
import type { Lockstep } from './lockstep.ts';
import { drawScript } from './provider-script.ts';
import { createRandom, type Random } from './random.ts';
import { recover } from './recover.ts';
import type { Subject } from './subject.ts';
import { report, type Breach } from './stage.ts';
import type { World, WorldSetup } from './world.ts';

export interface HistoryInput {
  readonly seed: number;
  readonly subject: Subject;
  readonly lockstep: Lockstep;
  readonly openStorage: WorldParts['openStorage'];
  /** Fixes a part of the set-up that the seed would choose. */
  readonly setup?: Partial<WorldSetup>;
}

export interface HistoryReport {
  readonly seed: number;
  readonly setup: WorldSetup;
  readonly steps: number;
  readonly faults: number;
  readonly executions: number;
  readonly breaches: readonly Breach[];
}

const instances = 3;
const stepsMin = 20;
const stepsMore = 41;

const wallets = [0n, 10n, 13n, 20n, 30n, 500n, 5_000n] as const;
const intensities = [0, 5, 20, 40] as const;

const drawSetup = (random: Random): WorldSetup => ({
  weather: random.oneIn(10) ? 'calm' : 'storm',
  ledger: random.below(5) === 0 ? 'host' : 'wallet',
  identities: random.below(5) === 0 ? 'host' : 'built_in',
  overrun: random.oneIn(8) ? 'absorb' : 'pending',
  initialMicros: random.pick(wallets),
  faultPercent: random.pick(intensities),
});

const live = async (world: World, lockstep: Lockstep): Promise<void> => {
  for (let at = 0; at < instances; at += 1) killAndRestart(world, at);
  const steps = stepsMin + world.random.below(stepsMore);
  if (world.setup.weather === 'calm') {
    await passCalm(world, lockstep, steps);
    return;
  }
  for (let step = 0; step < steps; step += 1) {
    act(world);
    await lockstep.tick();
  }
};

/** Lives one history and judges it. The same seed lives the same history. */
export const runHistory = async (input: HistoryInput): Promise<HistoryReport> => {
  const random = createRandom(input.seed);
  const setup = { ...drawSetup(random), ...input.setup };
  const { subject, openStorage } = input;
  const nextScript = () => drawScript(random);
  const world = await createWorld({ setup, random, subject, openStorage, nextScript });
  try {
    await live(world, input.lockstep);
    await recover(world, input.lockstep);
    await judge(world, random.oneIn(6));
  } catch (cause) {
    report(world, 'jobs_do_not_throw', cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
  await world.storage.close();
  const { steps, faults } = world.counters;
  return { seed: input.seed, setup, steps, faults, executions: world.executions.length, breaches: world.breaches };
};
